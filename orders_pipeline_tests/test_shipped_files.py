"""The files that users copy do what they say: the example configuration and the Dagster instance's settings."""

from __future__ import annotations

import datetime as dt
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from dagster import DagsterInstance
from pydantic import BaseModel

from orders_pipeline.config import Config, load_config, parse_config
from orders_pipeline.mailbox_settings import GmailMailbox, ImapMailbox
from orders_pipeline.usage_settings import UsageLogSettings
from orders_pipeline_tests.support import PROJECT

EXAMPLE = PROJECT / "orders_pipeline.example.toml"
TODAY = dt.date(2026, 11, 30)


@pytest.fixture
def documented() -> dict[str, Any]:
    """The example with every commented setting switched on."""
    text = EXAMPLE.read_text(encoding="utf-8")
    return tomllib.loads(re.sub(r"^# (?=[a-z_]+ = |\[\[)", "", text, flags=re.MULTILINE))


def test_the_example_configuration_is_valid_as_it_stands() -> None:
    """It is the first file that a user copies."""
    assert load_config(EXAMPLE, today=TODAY).mailbox[0].name == "home"


def test_every_commented_setting_shows_the_default(documented: dict[str, Any]) -> None:
    """A default that is documented wrongly is found out on the day it matters."""
    documented.pop("usage")  # it needs the name of a model, which has no default
    config = parse_config(documented, base=EXAMPLE.parent, source="example", today=TODAY)
    for name, section in _sections().items():
        assert getattr(config, name) == section(), name


def test_the_example_shows_every_setting(documented: dict[str, Any]) -> None:
    """A setting that is in no example is found by nobody."""
    assert set(documented) == set(Config.model_fields)
    for name, section in _sections().items():
        assert set(documented[name]) == set(section.model_fields), name


def test_the_example_shows_every_setting_of_the_mailboxes_on_servers(documented: dict[str, Any]) -> None:
    """Of the three ways to log in one is set and the others are named beside it."""
    shown = {box["kind"]: set(box) for box in documented["mailbox"]}
    assert shown["imap"] == {*ImapMailbox.model_fields} - {"since", "password_env", "token_file"}
    assert shown["gmail"] == {*GmailMailbox.model_fields} - {"since"}
    text = EXAMPLE.read_text(encoding="utf-8")
    documented.pop("usage")
    for box in parse_config(documented, base=EXAMPLE.parent, source="example", today=TODAY).mailbox:
        if isinstance(box, ImapMailbox):
            assert (box.server_port, box.security, box.timeout_seconds) == (993, "tls", 60.0)
            assert "password_env = " in text
            assert "token_file after" in text


def test_the_example_shows_every_setting_of_a_usage_log(documented: dict[str, Any]) -> None:
    """Where the ending of a file tells its form, and no table is in it, those two are only named."""
    assert set(documented["usage"][0]) == {*UsageLogSettings.model_fields} - {"format", "table"}
    documented["review"]["model"]["model"] = "judge"
    (log,) = parse_config(documented, base=EXAMPLE.parent, source="example", today=TODAY).usage
    assert (log.id, log.time, log.input, log.output, log.redact) == ("id", "time", "input", "output", True)
    assert log.rubric == EXAMPLE.parent / "rubrics" / "translator.md"


def test_dagster_loads_the_shipped_instance_settings(tmp_path: Path) -> None:
    """A key that Dagster does not know stops every command that starts it."""
    shutil.copy(PROJECT / "dagster.yaml", tmp_path)
    with DagsterInstance.from_config(str(tmp_path)) as instance:
        limits = instance.get_concurrency_config()
        assert not instance.telemetry_enabled
        assert instance.run_monitoring_enabled
        assert limits.run_queue_config is not None
        assert limits.run_queue_config.max_concurrent_runs == 4
        assert limits.pool_config.pool_granularity is not None
        assert limits.pool_config.pool_granularity.value == "run"


def _sections() -> dict[str, type[BaseModel]]:
    """Name -> model of every section that has a default."""
    fields = Config.model_fields.items()
    return {n: type(f.default) for n, f in fields if isinstance(f.default, BaseModel)}
