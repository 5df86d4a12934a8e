"""Access tokens: renewed when needed, kept privately, and never shown."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.oauth import access_token
from orders_pipeline.mail.oauth_file import read_login, write_login
from orders_pipeline_tests.loopback import DROP, Reply, as_json
from orders_pipeline_tests.mail.gmail.conftest import write_token
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn
from orders_pipeline_tests.support import PROJECT

WHAT = "mailbox post"


def later(**span: int) -> str:
    """An instant ahead, as the file has it."""
    return (dt.datetime.now(dt.UTC) + dt.timedelta(**span)).isoformat()


def test_a_valid_token_is_used_without_asking(gmail: GmailStandIn, tmp_path: Path) -> None:
    """Each renewal counts against a limit of the provider."""
    file = write_token(tmp_path / "t.json", gmail, token="still-valid", expiry=later(minutes=30))
    assert access_token(file, what=WHAT).reveal() == "still-valid"
    assert gmail.requests == []


@pytest.mark.parametrize(
    "changes", [{}, {"token": None}, {"expiry": None}, {"token": "t", "expiry": later(seconds=20)}]
)
def test_a_token_that_has_ended_or_soon_will_is_renewed_and_saved(
    gmail: GmailStandIn, tmp_path: Path, changes: dict[str, object]
) -> None:
    """One that ends during the request is refused; one that is not saved is renewed by every process anew."""
    file = write_token(tmp_path / "t.json", gmail, **changes)
    first = access_token(file, what=WHAT).reveal()
    assert first in gmail.tokens.valid
    assert access_token(file, what=WHAT).reveal() == first
    assert len(gmail.asked("token")) == 1
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == [".t.json.lock", "t.json"]


def test_a_token_that_was_refused_is_renewed_although_it_has_not_ended(gmail: GmailStandIn, tmp_path: Path) -> None:
    """A clock that is wrong, a consent that was given anew."""
    file = write_token(tmp_path / "t.json", gmail)
    first = access_token(file, what=WHAT)
    second = access_token(file, what=WHAT, rejected=first)
    assert second.reveal() != first.reveal()
    assert access_token(file, what=WHAT, rejected=first).reveal() == second.reveal()
    assert len(gmail.asked("token")) == 2


def test_a_login_without_a_client_secret_is_renewed(gmail: GmailStandIn, tmp_path: Path) -> None:
    """Microsoft gives desktop programs none, and refuses a request that has one."""
    gmail.tokens.client_secret = ""
    file = write_token(tmp_path / "t.json", gmail, client_secret=None)
    assert access_token(file, what=WHAT).reveal() in gmail.tokens.valid
    assert "client_secret" not in gmail.asked("token")[0].parameters


def test_a_refresh_token_that_is_replaced_is_kept(gmail: GmailStandIn, tmp_path: Path) -> None:
    """Microsoft gives a new one each time and ends the old one."""
    gmail.tokens.rotates = True
    file = write_token(tmp_path / "t.json", gmail)
    token = access_token(file, what=WHAT)
    for _ in range(3):
        token = access_token(file, what=WHAT, rejected=token)
    assert read_login(file, what=WHAT).refresh.reveal() == gmail.tokens.refresh_token


def test_many_at_once_renew_once_and_leave_a_whole_file(gmail: GmailStandIn, tmp_path: Path) -> None:
    """Runs start together at midnight: a torn file, or one with a refresh token that was replaced, ends the login."""
    gmail.tokens.rotates = True
    file = write_token(tmp_path / "t.json", gmail)
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(access_token(file, what=WHAT).reveal())) for _ in range(8)]
    code = (
        "import sys, pathlib; from orders_pipeline.mail.oauth import access_token\n"
        "access_token(pathlib.Path(sys.argv[1]), what='x')"
    )
    environ = {**os.environ, "PYTHONPATH": str(PROJECT)}
    others = [subprocess.Popen([sys.executable, "-c", code, str(file)], env=environ) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [other.wait(30) for other in others] == [0, 0]
    assert len(gmail.asked("token")) == 1
    assert len(found) == 8
    assert set(found) == {access_token(file, what=WHAT).reveal()}
    assert json.loads(file.read_text())["refresh_token"] == gmail.tokens.refresh_token


def test_a_file_that_others_can_read_is_refused(gmail: GmailStandIn, tmp_path: Path) -> None:
    """It gives whoever reads it the mailbox."""
    file = write_token(tmp_path / "t.json", gmail)
    file.chmod(0o640)
    with pytest.raises(MailboxError, match=r"mailbox post: others can read .* run: chmod 600"):
        access_token(file, what=WHAT)


def test_a_missing_file_says_how_to_log_in(tmp_path: Path) -> None:
    """The first thing that everybody meets."""
    with pytest.raises(MailboxError, match=r"nobody has logged in yet .*; run: orders-pipeline mailbox login post$"):
        access_token(tmp_path / "none.json", what=WHAT)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '"x"', "{}", '{"client_id": "a", "token_uri": 5, "refresh_token": "c"}', "[" * 50_000]
    + [
        json.dumps({"client_id": "a", "refresh_token": "c", "token_uri": "https://t.example/token", **more})
        for more in ({"expiry": "soon"}, {"expiry": 5}, {"scopes": 5}, {"token_uri": "http://t.example/token"})
    ],
)
def test_a_file_that_holds_no_login_says_so(tmp_path: Path, text: str) -> None:
    """A file cut short by a full disk, or written by another program; a secret sent in the clear."""
    file = tmp_path / "t.json"
    file.touch(0o600)
    file.write_text(text)
    with pytest.raises(MailboxError, match="holds no login; run: orders-pipeline mailbox login post"):
        access_token(file, what=WHAT)


@pytest.mark.parametrize("reply", [DROP, as_json({}, 500), as_json({}, 429), Reply(200, b"<html>"), Reply(200, b"")])
def test_a_passing_fault_of_the_token_server_is_overcome(
    gmail: GmailStandIn, tmp_path: Path, reply: Reply, waits: list[float]
) -> None:
    """A consent is not lost because the network blinked."""
    file = write_token(tmp_path / "t.json", gmail)
    gmail.fail("token", reply, times=2)
    assert access_token(file, what=WHAT, sleep=waits.append).reveal() in gmail.tokens.valid
    assert len(waits) == 2
    gmail.fail("token", reply, times=9)
    again = write_token(tmp_path / "again.json", gmail)
    with pytest.raises(MailboxError, match=r"cannot renew the login: .*127.* tried again later"):
        access_token(again, what=WHAT, sleep=waits.append)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ({"error": "invalid_grant"}, r"no longer valid \(invalid_grant\); run: orders-pipeline mailbox login post$"),
        ({"error": "interaction_required", "error_description": "AADSTS50076: more\r\nTrace"}, "AADSTS50076: more"),
        ({"error": "invalid_client"}, "does not know the OAuth client .* check client_file"),
        ({"error": "odd\x1b[2J"}, r"gave no token \(odd \[2J\)"),
        ({"access_token": ""}, "gave no token"),
        ({"error": {"a": 1}}, "gave no token"),
    ],
)
def test_what_the_token_server_refuses_is_one_line_with_the_remedy(
    gmail: GmailStandIn, tmp_path: Path, waits: list[float], data: dict[str, object], line: str
) -> None:
    """No answer of it is a reason for a storm of requests."""
    file = write_token(tmp_path / "t.json", gmail)
    gmail.fail("token", as_json(data, 400), times=9)
    with pytest.raises(MailboxError, match=line) as caught:
        access_token(file, what=WHAT, sleep=waits.append)
    assert str(caught.value).isprintable()
    assert len(gmail.asked("token")) == 1


def test_a_token_server_that_repeats_our_secrets_does_not_get_them_into_the_error(
    gmail: GmailStandIn, tmp_path: Path
) -> None:
    """Errors stand in logs, in tables, on pages."""
    file = write_token(tmp_path / "t.json", gmail)
    told = f"bad token {gmail.tokens.refresh_token} of {gmail.tokens.client_secret}"
    gmail.fail("token", as_json({"error": "invalid_grant", "error_description": told}, 400))
    with pytest.raises(MailboxError) as caught:
        access_token(file, what=WHAT)
    assert gmail.tokens.refresh_token not in str(caught.value)
    assert gmail.tokens.client_secret not in str(caught.value)


@pytest.mark.parametrize(("uri", "line"), [("http://127.0.0.1:9/t", "refuses"), ("https://no.invalid/t", "resolved")])
def test_a_server_that_cannot_be_reached_is_named(gmail: GmailStandIn, tmp_path: Path, uri: str, line: str) -> None:
    """A laptop without network is not a login that ended."""
    file = write_token(tmp_path / "t.json", gmail, token_uri=uri)
    with pytest.raises(MailboxError, match=rf"cannot renew the login: .*{line}.* check the connection"):
        access_token(file, what=WHAT, sleep=lambda seconds: None)


def test_a_file_is_replaced_whole_and_private_through_a_link_too(gmail: GmailStandIn, tmp_path: Path) -> None:
    """A secrets folder with links to the current files is a usual set-up; the mode is narrow from the first byte."""
    real = write_token(tmp_path / "real.json", gmail)
    link = tmp_path / "link.json"
    link.symlink_to(real)
    os.umask(0)
    write_login(link, read_login(real, what=WHAT))
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600


def test_a_login_in_a_folder_that_cannot_be_written_still_serves(
    gmail: GmailStandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Secrets are mounted read-only in containers; only a refresh token that was replaced must be saved."""
    file = write_token(tmp_path / "t.json", gmail)
    monkeypatch.setattr("os.replace", _read_only)
    assert access_token(file, what=WHAT).reveal() in gmail.tokens.valid
    gmail.tokens.rotates = True
    with pytest.raises(MailboxError, match=r"cannot save the renewed login .* make its folder writable"):
        access_token(file, what=WHAT)
    assert [p.name for p in tmp_path.iterdir() if p.name.endswith(".part")] == []


def _read_only(*paths: object) -> None:
    raise OSError(30, "Read-only file system")
