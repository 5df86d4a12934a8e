"""Each format's file against what its tool documents; loaded by the real tool where it is installed.

The shapes were verified with inspect-ai 0.3.285, pydantic-evals 2.62.0, promptfoo 0.121.20, deepeval 4.3.1, evals 3.0.1
and the langfuse SDK 5.0.4; ``make formats`` runs four of them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from orders_pipeline.review.export.case import ExportCase, compact
from orders_pipeline.review.export.registry import FORMAT_NAMES, export_files

HOSTILE = (
    "{{ 7*7 }} {{env.HOME}} {% raw %} =cmd|' /C calc'!A0 ${x} !!python/object:os.system & \"quoted\" 注文"
    " \u2028 \U0001f4e6"
)


def case(number: int, *orders: dict[str, Any], text: str = "Total: 5.00 EUR") -> ExportCase:
    return ExportCase(
        case_id=f"{number:016x}",
        mail=f"From: shop@blattkorn.example\nSubject: Order\n\n{text}\n".encode(),
        orders=orders,
        provenance={"day": "2026-05-11", "sender_domain": HOSTILE, "reasons": ["missing_total", "{{7*7}}"],
                    "state": "accepted", "extractors": ["labels"], "decided_at": "2026-05-12T00:00:00+00:00"},
    )  # fmt: skip


CASES = [
    case(2, {"order_number": HOSTILE, "total": "5.00"}, text=HOSTILE),
    case(1, {"order_number": "A-1", "items": [{"name": "mug", "quantity": "1"}]}),
    case(3),
]
FILES = export_files(CASES, FORMAT_NAMES)
IDS = [f"{n:016x}" for n in (1, 2, 3)]
EXPECTED = [{"orders": list(c.orders)} for c in sorted(CASES, key=lambda c: c.case_id)]
MAILS = [c.text for c in sorted(CASES, key=lambda c: c.case_id)]


def lines(path: str) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in FILES[path].decode("ascii").splitlines()]


def test_the_neutral_record_is_the_truth() -> None:
    """Five formats that say five things are none."""
    rows = lines("cases.jsonl")
    assert [r["id"] for r in rows] == IDS
    assert [r["expected"] for r in rows] == EXPECTED
    assert [FILES[r["file"]].decode() for r in rows] == MAILS
    assert [json.loads(FILES[f"expected/{i}.json"]) for i in IDS] == EXPECTED


def test_inspect_rows_hold_a_target_of_text() -> None:
    """A target that is an object becomes its Python repr there, which no JSON answer equals."""
    rows = lines("formats/inspect/cases.jsonl")
    assert [set(r) for r in rows] == [{"id", "input", "target", "metadata"}] * 3
    assert [r["input"] for r in rows] == MAILS
    assert [json.loads(r["target"]) for r in rows] == EXPECTED
    assert len({r["id"] for r in rows}) == 3


def test_pydantic_evals_yaml_is_text_and_asserts_every_case() -> None:
    """An expected output of null is passed over there: a mail that is no order would never be asked."""
    data = yaml.safe_load(FILES["formats/pydantic-evals/cases.yaml"])
    assert set(data) == {"name", "cases", "evaluators"}
    assert data["evaluators"] == ["EqualsExpected"]
    assert [set(c) for c in data["cases"]] == [{"name", "inputs", "metadata", "expected_output"}] * 3
    assert [c["expected_output"] for c in data["cases"]] == EXPECTED
    assert [c["inputs"] for c in data["cases"]] == MAILS


def test_promptfoo_tests_hold_nothing_but_ids() -> None:
    """promptfoo runs the templates that it finds in values: {{7*7}} would be 49, {{env.HOME}} a leak."""
    rows = lines("formats/promptfoo/tests.jsonl")
    assert [r["vars"] for r in rows] == [{"case_id": i} for i in IDS]
    text = "".join(FILES[path].decode() for path in FILES if path.startswith("formats/promptfoo/tests"))
    assert "{{" not in text
    assert "{%" not in text
    config = yaml.safe_load(FILES["formats/promptfoo/promptfooconfig.yaml"])
    assert config["prompts"] == ["{{case_id}}"]


def test_deepeval_goldens_have_the_names_of_its_files() -> None:
    """Its own export is in snake case; keys of another case are passed over without a word."""
    rows = json.loads(FILES["formats/deepeval/goldens.json"])
    assert [json.loads(r["expected_output"]) for r in rows] == EXPECTED
    assert set(rows[0]) == {"input", "expected_output", "name", "source_file", "comments", "additional_metadata"}


def test_openai_evals_have_no_null() -> None:
    """JsonMatch never finds a null equal to a null."""
    rows = lines("formats/openai-evals/samples.jsonl")
    assert all(m["role"] in ("system", "user") for r in rows for m in r["input"])
    assert [json.loads(r["ideal"]) for r in rows] == EXPECTED
    assert "null" not in "".join(r["ideal"] for r in rows)


def test_langfuse_items_are_updated_by_their_ids() -> None:
    """Without one each export would add every case once more."""
    rows = lines("formats/langfuse/items.jsonl")
    assert [r["id"] for r in rows] == IDS
    assert {r["datasetName"] for r in rows} == {"order_mails"}
    assert [r["expectedOutput"] for r in rows] == EXPECTED


def test_every_file_of_a_format_is_ascii_and_has_no_formula() -> None:
    """A reader in another encoding sees other text; a table that opens a cell with "=" runs it."""
    for path, content in FILES.items():
        if not path.startswith("mails/"):
            text = content.decode("ascii")
            assert not [line for line in text.splitlines() if line.startswith(("=", "+", "@"))], path
        assert not path.endswith((".csv", ".tsv"))


def test_an_order_is_given_without_what_the_mail_does_not_tell() -> None:
    """Six tools compare null and absence in six ways."""
    order = {"merchant": None, "total": "5.00", "tracking_numbers": [], "items": [{"name": "mug", "price": None}],
             "evidence": [{"text": "personal"}]}  # fmt: skip
    assert compact(order) == {"total": "5.00", "items": [{"name": "mug"}]}


@pytest.mark.parametrize("name", ["../../etc/x", "{{7*7}}", "ABCDEF0123456789", "", "a" * 17])
def test_a_case_id_is_hex_alone(name: str) -> None:
    """It becomes a file's name, and the one value that promptfoo puts into a template."""
    with pytest.raises(ValueError, match="no case id"):
        ExportCase(case_id=name, mail=b"x", orders=(), provenance={})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files on the disk."""
    for path, content in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    return tmp_path


def test_inspect_loads_it(folder: Path) -> None:
    """The tool's own reader has the last word."""
    dataset = pytest.importorskip("inspect_ai.dataset", reason="inspect-ai is not installed: run `make formats`")
    samples = dataset.json_dataset(str(folder / "formats/inspect/cases.jsonl"))
    assert [s.id for s in samples] == IDS
    assert [s.input for s in samples] == MAILS


def test_pydantic_evals_loads_it(folder: Path) -> None:
    """The tool's own reader has the last word."""
    evals = pytest.importorskip("pydantic_evals", reason="pydantic-evals is not installed: run `make formats`")
    data = evals.Dataset[str, dict, dict].from_file(folder / "formats/pydantic-evals/cases.yaml")
    assert [c.inputs for c in data.cases] == MAILS
