"""The score command, on mail of our own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from orders_pipeline_tests.cli.command import Command
from orders_pipeline_tests.golden import FIXTURES

RIGHT = {"file": "shopify/confirmed.eml", "kind": "order", "merchant": "Fjordwool", "total": 83.8, "currency": "CAD"}


@pytest.fixture
def mails(tmp_path: Path) -> Path:
    """A folder of one shop's mail."""
    shutil.copytree(FIXTURES / "shopify", tmp_path / "mails" / "shopify")
    return tmp_path / "mails"


def labels(folder: Path, **values: object) -> str:
    """A file of one label."""
    path = folder / "labels.jsonl"
    path.write_text(json.dumps({**RIGHT, **values}) + "\n", "utf-8")
    return str(path)


def test_figures_and_faults_are_printed(call: Command, tmp_path: Path, mails: Path) -> None:
    """A figure without its faults tells nobody what to mend."""
    answer = call("score", labels(tmp_path, total=80), str(mails), "--show", "total")
    assert answer.status == 0
    assert "1 of 1 orders found, 0 exact, 0 false alarms in 0" in answer.out
    assert "total  shopify/confirmed.eml  right: 80  got: 83.80" in answer.out


def test_a_field_that_is_none_is_refused_before_anything_is_saved(call: Command, tmp_path: Path, mails: Path) -> None:
    """A misspelt field has no faults to list, which reads as: all is right."""
    report = tmp_path / "report.json"
    answer = call("score", labels(tmp_path, total=80), str(mails), "--show", "totals", "--save", str(report))
    assert answer.status == 2
    assert "use one of order_number" in answer.err
    assert not report.exists()


def test_what_broke_since_an_earlier_report_fails_the_command(call: Command, tmp_path: Path, mails: Path) -> None:
    """A build that compares and passes anyway lets every regression through."""
    report = tmp_path / "report.json"
    good = labels(tmp_path)
    assert call("score", good, str(mails), "--save", str(report)).status == 0
    assert call("score", good, str(mails), "--against", str(report)).status == 0
    answer = call("score", labels(tmp_path, total=80), str(mails), "--against", str(report))
    assert answer.status == 1
    assert "broken: shopify/confirmed.eml total (right → wrong)" in answer.out


def test_as_json_the_report_stands_alone(call: Command, tmp_path: Path, mails: Path) -> None:
    """A program cannot read a table, nor JSON with lines around it."""
    data = call("score", labels(tmp_path), str(mails), "--json", "--show", "all").data
    assert data["detect"] == {"positives": 1, "found": 1, "exact": 1, "negatives": 0, "false_alarms": 0}
    assert data["fields"]["total"]["f1"] == 1.0


@pytest.mark.parametrize("missing", ["labels", "mails", "report"])
def test_a_file_that_is_not_there_is_named(call: Command, tmp_path: Path, mails: Path, missing: str) -> None:
    """An empty set of labels would score as perfect."""
    gone = str(tmp_path / "gone.json")
    arguments = {
        "labels": (gone, str(mails)),
        "mails": (labels(tmp_path), gone),
        "report": (labels(tmp_path), str(mails), "--against", gone),
    }[missing]
    answer = call("score", *arguments)
    assert answer.status == 2
    assert "gone.json" in answer.err
