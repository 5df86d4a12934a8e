"""Secrets, and the settings that name them."""

from __future__ import annotations

import pickle
import traceback
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from orders_pipeline.config import parse_config
from orders_pipeline.errors import ConfigError
from orders_pipeline.mailbox_settings import ImapMailbox, MailboxSettings
from orders_pipeline.secret import Secret, private_text, secret_from_env, secret_from_file

WHAT = "mailbox home"
WORD = "plum-7-tern"
IMAP = {"name": "home", "kind": "imap", "host": "imap.example.org", "username": "me@example.org"}
SETTINGS = TypeAdapter(MailboxSettings)


def test_a_secret_shows_itself_nowhere() -> None:
    """Logs, metadata and tracebacks are read by others, and sent to them."""
    secret = Secret(WORD)
    try:
        raise ValueError(secret)
    except ValueError:
        shown = traceback.format_exc()
    for text in (repr(secret), str(secret), f"{secret}", f"{secret!r:>20}", f"{[secret]}", shown):
        assert WORD not in text
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    assert secret.reveal() == WORD


def test_a_secret_comes_from_the_environment_or_is_missed_by_name() -> None:
    """An empty password is refused by servers with a line that helps nobody."""
    assert secret_from_env("MAIL_WORD", what=WHAT, environ={"MAIL_WORD": WORD}).reveal() == WORD
    for environ in ({}, {"MAIL_WORD": ""}):
        with pytest.raises(ConfigError, match="mailbox home: the environment variable MAIL_WORD is not set; set it"):
            secret_from_env("MAIL_WORD", what=WHAT, environ=environ)


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_secret_comes_from_a_private_file_without_its_line_end(tmp_path: Path, end: str) -> None:
    """Editors add a line end, which no server takes as part of a password."""
    path = tmp_path / "word"
    path.write_bytes(f" {WORD} {end}".encode())
    path.chmod(0o600)
    assert secret_from_file(path, what=WHAT).reveal() == f" {WORD} "


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o620, 0o601])
def test_a_file_that_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    """A password in a file of mode 644 is everybody's on that machine."""
    path = tmp_path / "word"
    path.write_text(WORD)
    path.chmod(mode)
    with pytest.raises(ConfigError, match=rf"others can read .*word \(mode {mode:03o}\); run: chmod 600 ") as raised:
        secret_from_file(path, what=WHAT)
    assert WORD not in str(raised.value)


def test_a_missing_empty_or_binary_file_is_told_in_a_line(tmp_path: Path) -> None:
    """Each has another remedy."""
    path = tmp_path / "word"
    with pytest.raises(ConfigError, match="does not exist; create it with mode 600"):
        secret_from_file(path, what=WHAT)
    for data, line in ((b"\n", "is empty"), (b"\xff\xfe\x00", "holds no secret"), (b"x" * 70_000, "holds no secret")):
        path.write_bytes(data)
        path.chmod(0o600)
        with pytest.raises(ConfigError, match=line):
            secret_from_file(path, what=WHAT)
    with pytest.raises(ConfigError, match="cannot read"):
        private_text(tmp_path, what=WHAT)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "has none of them; give exactly one of password_env, password_file, token_file"),
        ({"password_env": "A", "token_file": "t"}, "has password_env and token_file; give exactly one"),
        ({"password_env": "A", "security": "none"}, "would send the login to imap.example.org in the clear"),
        ({"password_env": "A B"}, "password_env"),
        ({"password_env": "A", "host": "imap.example.org/x"}, "host"),
        ({"password_env": "A", "port": 0}, "port"),
        ({"password_env": "A", "folders": ["a\r\nb"]}, "folders"),
        ({"password_env": "A", "username": "a\nb"}, "username"),
        ({"password": WORD}, "password"),
    ],
)
def test_a_mailbox_section_with_a_fault_is_refused_without_showing_values(
    tmp_path: Path, changes: dict[str, object], line: str
) -> None:
    """A password typed into the configuration came back in the error about its key."""
    data = {"zone": "UTC", "start_date": "2026-01-01", "mailbox": [{**IMAP, **changes}]}
    with pytest.raises(ConfigError) as raised:
        parse_config(data, base=tmp_path, source="orders_pipeline.toml")
    assert line in str(raised.value)
    assert WORD not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_settings_never_hold_a_secret_and_paths_start_at_the_configuration(tmp_path: Path) -> None:
    """The settings are logged and shown; the files lie beside the configuration."""
    data = {
        "zone": "UTC",
        "start_date": "2026-01-01",
        "mailbox": [{**IMAP, "password_file": "word", "ca_file": "/ca.pem"}],
    }
    (box,) = parse_config(data, base=tmp_path, source="x").mailbox
    assert isinstance(box, ImapMailbox)
    assert (box.password_file, box.ca_file, box.server_port) == (tmp_path / "word", Path("/ca.pem"), 993)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.3.2.1"])
def test_no_encryption_is_for_this_machine(host: str) -> None:
    """Proton's bridge and servers in tests listen there."""
    box = SETTINGS.validate_python({**IMAP, "host": host, "security": "none", "password_env": "A"})
    assert isinstance(box, ImapMailbox)
    assert box.server_port == 143


ENDPOINTS = {
    "http://127.0.0.1:8080/": True,
    "http://localhost:1": True,
    "http://[::1]:8080": True,
    "https://mail.example.org/x": True,
    "http://mail.example.org/": False,
    "http://127.0.0.1.example.org/": False,
    "http://127.0.0.1@example.org/": False,
    "ftp://127.0.0.1/": False,
}


@pytest.mark.parametrize(("endpoint", "good"), ENDPOINTS.items(), ids=ENDPOINTS.keys())
def test_gmails_token_is_not_sent_in_the_clear(endpoint: str, good: bool) -> None:
    """A proxy elsewhere must speak TLS."""
    data = {"name": "g", "kind": "gmail", "client_file": "c", "token_file": "t", "endpoint": endpoint}
    if good:
        SETTINGS.validate_python(data)
    else:
        with pytest.raises(ValidationError):
            SETTINGS.validate_python(data)
