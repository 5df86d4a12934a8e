"""No token is shown: not by logs at their loudest, not by errors, not by repr."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.gmail.source import GmailSource
from orders_pipeline.mail.oauth_file import read_login
from orders_pipeline_tests.loopback import DROP, Reply
from orders_pipeline_tests.mail.gmail.days import fill, window
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn, error


def secrets_of(gmail: GmailStandIn) -> list[str]:
    """Every secret of the account."""
    return [*gmail.tokens.valid, gmail.tokens.refresh_token, gmail.tokens.client_secret]


def test_logs_at_their_loudest_hold_no_token(
    gmail: GmailStandIn, source: GmailSource, caplog: pytest.LogCaptureFixture
) -> None:
    """Libraries log requests with their headers when somebody looks for a fault, and logs are sent to others."""
    caplog.set_level(logging.DEBUG)
    fill(gmail, 60)
    gmail.fail("batch", DROP)
    gmail.fail("list", error(401, "authError"))
    list(source.fetch(source.list(window()).refs))
    assert caplog.records
    assert len(gmail.tokens.valid) == 2
    assert [s for s in secrets_of(gmail) if s in caplog.text] == []


def test_a_traceback_with_everything_that_led_to_it_holds_no_token(gmail: GmailStandIn, source: GmailSource) -> None:
    """Dagster keeps whole tracebacks, with causes and contexts."""
    fill(gmail, 3)
    source.list(window())
    for reply in (
        DROP,
        Reply(200, b"{"),
        error(403, "x"),
        error(401),
        Reply(302, b"", {"Location": "http://a.example"}),
    ):
        gmail.fail("list", reply, times=99)
        with pytest.raises(MailboxError) as caught:
            source.list(window())
        gmail.heal()
        told = "".join(traceback.format_exception(caught.value))
        assert [s for s in secrets_of(gmail) if s in told] == []


def test_a_login_does_not_show_itself(gmail: GmailStandIn, token_file: Path) -> None:
    """A record in an assertion or a debugger's list of variables is shown by its repr."""
    login = read_login(token_file, what="mailbox post")
    assert login.refresh.reveal() == gmail.tokens.refresh_token
    assert gmail.tokens.refresh_token not in f"{login!r} {login}"
    assert gmail.tokens.client_secret not in f"{login!r} {login}"


def test_a_token_goes_to_no_other_address(
    gmail: GmailStandIn, source: GmailSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A redirect would carry it away; a .netrc entry for the host would put a password in its place."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login robin password another-secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    other = GmailStandIn()
    try:
        fill(gmail, 1)
        assert len(source.list(window()).refs) == 1
        assert all(r.headers["authorization"].startswith("Bearer ") for r in gmail.asked("list"))
        assert all("authorization" not in r.headers for r in gmail.asked("token"))
        gmail.fail("list", Reply(307, b"", {"Location": f"{other.url}/gmail/v1/users/me/messages"}), times=9)
        with pytest.raises(MailboxError, match="a redirect, which is not followed"):
            source.list(window())
        assert other.requests == []
    finally:
        other.close()
