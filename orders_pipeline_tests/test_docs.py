"""Every command in the documents runs here, in the order in which a reader meets it."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from orders_pipeline.config import parse_config
from orders_pipeline.store.reader import published

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = (ROOT / "README.md", ROOT / "docs" / "operations.md")
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
MAILBOXES = ROOT / "docs" / "mailboxes.md"
_TOML = re.compile(r"^ *```toml\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_JSON = re.compile(r"^ *```json\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_UNTIL = re.compile(r"(?<=--until )\d{4}-\d\d-\d\d")
_RANGE = re.compile(r"\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d")

# Started elsewhere: the browser tests start the UI, and this run is what `make test` runs.
NOT_HERE = {"make ui", "make test"}


def commands(document: Path) -> list[str]:
    """The lines of the shell blocks of a document."""
    blocks = _BLOCK.findall(document.read_text(encoding="utf-8"))
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


@pytest.mark.slow
@pytest.mark.xdist_group("demo")
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: d.name)
def test_every_command_of_a_document_runs(document: Path, tmp_path: Path) -> None:
    """A reader who types what the document says meets no error."""
    found = commands(document)
    assert "make demo" in found
    (tmp_path / "orders_pipeline.example.toml").write_bytes((ROOT / "orders_pipeline.example.toml").read_bytes())
    home = tmp_path / "home"
    for command in found:
        if command in NOT_HERE:
            assert re.search(rf"^{command.removeprefix('make ')}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
            continue
        result = _run(command, tmp_path, home)
        # 1 means that something needs a person: the sample has such orders and days.
        assert result.returncode in (0, 1), f"{command}: {result.stderr}"
        assert "Traceback" not in result.stderr, command
        assert result.stdout or command.startswith("cp "), command


def test_the_commands_about_mailboxes_run(tmp_path: Path) -> None:
    """They are the first that a reader types after writing a configuration."""
    home = tmp_path / "home"
    (home / "mail" / "cur").mkdir(parents=True)
    box = 'zone = "UTC"\nstart_date = 2026-01-01\n[[mailbox]]\nname = "home"\nkind = "maildir"\npath = "mail"\n'
    (home / "orders_pipeline.toml").write_text(box, encoding="utf-8")
    for command in commands(MAILBOXES):
        result = _run(command.replace("/tmp/orders-password", str(tmp_path / "password")), tmp_path, home)
        assert result.returncode == 0, f"{command}: {result.stderr}"
    assert (tmp_path / "password").stat().st_mode & 0o777 == 0o600


def test_the_sections_about_mailboxes_are_valid() -> None:
    """They are copied as they stand."""
    text = MAILBOXES.read_text(encoding="utf-8")
    sections = [block for block in (_lines(found) for found in _TOML.findall(text)) if block.startswith("[[mailbox]]")]
    assert len(sections) == text.count("[[mailbox]]") - 1  # the first sentence names it
    whole = 'zone = "UTC"\nstart_date = 2026-01-01\n' + "\n".join(sections)
    config = parse_config(tomllib.loads(whole), base=ROOT, source="docs")
    assert {m.kind for m in config.mailbox} == {"imap", "gmail", "mbox"}
    (client,) = (json.loads(_lines(found)) for found in _JSON.findall(text))
    assert set(client["installed"]) == {"client_id", "auth_uri", "token_uri"}


def _lines(block: str) -> str:
    return "\n".join(line.strip() for line in block.splitlines())


@pytest.mark.slow
@pytest.mark.xdist_group("demo")
def test_the_python_examples_run(tmp_path: Path) -> None:
    """The query in the README works on the store that the demo makes."""
    home = tmp_path / ".orders"
    assert _run("make demo", tmp_path, home).returncode == 0
    for example in _PYTHON.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        subprocess.run([sys.executable, "-c", example + "\nassert list(late.columns)"], cwd=tmp_path, check=True)


def _run(command: str, folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    last = dt.datetime.now(dt.UTC).date() - dt.timedelta(days=3)
    command = _UNTIL.sub(f"{last + dt.timedelta(days=30)}", command)
    # What stands for an id of the reader's own.
    for word, sql in (("ORDER", "SELECT order_id FROM order_alerts"), ("MESSAGE", "SELECT message_id FROM messages")):
        if word in command.split():
            with published(home) as con:
                command = command.replace(word, con.execute(f"{sql} ORDER BY 1 LIMIT 1").fetchall()[0][0])
    command = _RANGE.sub(f"{last - dt.timedelta(days=2)}..{last}", command)
    own = str(Path(sys.executable).with_name("orders-pipeline"))
    command = command.replace(".venv/bin/orders-pipeline", own)
    for name in ("sample", "backup"):
        command = command.replace(f"/tmp/orders-{name}", str(folder / name))
    if command == "make demo":
        command = f"{own} demo"  # what make runs once its environment is made
    # The reader's own configuration, once copied, names a mailbox of theirs; the store here is the demo's.
    config = {"ORDERS_PIPELINE_CONFIG": str(home / "orders_pipeline.toml")}
    env = {**os.environ, **config, "ORDERS_PIPELINE_HOME": str(home)}
    return subprocess.run(
        command.split(), cwd=folder, env=env, capture_output=True, text=True, timeout=240, check=False
    )
