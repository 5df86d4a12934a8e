"""What is wrong with host, port, TLS, login: each is told in one line with its remedy, and no secret in it."""

from __future__ import annotations

import base64
import contextlib
import datetime as dt
import hashlib
import hmac
import json
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.secret import Secret
from orders_pipeline_tests.mail.imap.conftest import Open
from orders_pipeline_tests.mail.imap.dovecot import OAUTH_KEY, PASSWORD, PASSWORD_ENV, Account, Dovecot
from orders_pipeline_tests.mail.imap.proxy import Link, Proxy, Reply
from orders_pipeline_tests.mail.imap.scenes import fill, window


def fault(opened: Open, **settings: Any) -> str:
    """The one line in which a listing fails."""
    with pytest.raises(MailboxError) as told:
        opened(**settings).list(window())
    line = str(told.value)
    assert line.startswith("mailbox post: ")
    assert "; " in line
    assert line.isprintable()
    assert PASSWORD not in line
    return line


@contextlib.contextmanager
def serving(talk: Callable[[socket.socket], None], context: ssl.SSLContext | None = None) -> Iterator[int]:
    """A port on loopback where each caller gets ``talk``, over TLS with ``context``."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    client, _ = listening.accept()
                    with contextlib.suppress(OSError), client:
                        client.settimeout(5)
                        talk(context.wrap_socket(client, server_side=True) if context else client)

        threading.Thread(target=accept, daemon=True).start()
        yield listening.getsockname()[1]
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("security", ["tls", "starttls"])
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_tls_with_a_known_authority(account: Account, opened: Open, server: Dovecot, security: str, host: str) -> None:
    """TLS from the first byte, and by STARTTLS, with the certificate checked."""
    fill(account, 2)
    port = server.tls_port if security == "tls" else server.port
    source = opened(host=host, port=port, security=security, ca_file=server.certificates.authority)
    assert len(source.list(window()).refs) == 2
    assert "TLS" in server.log().rpartition("Login: user=")[2]


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_an_authority_that_nobody_trusts_is_refused(
    account: Account, opened: Open, server: Dovecot, security: str
) -> None:
    """An unchecked certificate gives the password to whoever sits in between."""
    port = server.tls_port if security == "tls" else server.port
    line = fault(opened, host="localhost", port=port, security=security)
    assert "certificate of localhost" in line
    assert "set ca_file" in line
    assert account.user not in server.log()


@pytest.mark.parametrize(
    ("name", "details", "trusted", "told"),
    [
        ("self-signed", {}, False, "is self-signed; if you trust it, set ca_file to that certificate"),
        ("expired", {"days": (-30, -1)}, True, "has expired; renew it"),
        ("early", {"days": (5, 30)}, True, "is not valid yet; check this machine's clock"),
        ("elsewhere", {"host": "mail.fennmark.example"}, True, "is not for the host localhost; set host"),
    ],
)
def test_what_is_wrong_with_a_certificate(
    account: Account, opened: Open, server: Dovecot, name: str, details: dict[str, Any], trusted: bool, told: str
) -> None:
    """ "SSL error" does not say whether to renew, to trust or to correct."""
    certificate, key = server.certificates.wrong(name, **details)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with serving(lambda client: None, context) as port:
        more = {"ca_file": certificate} if trusted else {}
        assert told in fault(opened, host="localhost", port=port, security="tls", **more)


def test_a_self_signed_certificate_that_is_named_is_trusted(account: Account, opened: Open, server: Dovecot) -> None:
    """Bridges and home servers sign for themselves: naming that certificate is enough."""
    certificate, key = server.certificates.wrong("named")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with serving(lambda client: client.sendall(b"* BYE not today\r\n"), context) as port:
        line = fault(opened, host="localhost", port=port, security="tls", ca_file=certificate)
    assert "speaks no IMAP over TLS" in line
    assert "not today" in line


def test_a_ca_file_that_is_none(account: Account, opened: Open, tmp_path: Path) -> None:
    """A path with a slip, and a file that holds something else."""
    assert "cannot read the ca_file" in fault(opened, security="tls", ca_file=tmp_path / "no.pem")
    (tmp_path / "note.pem").write_text("no certificate")
    assert "holds no certificate" in fault(opened, security="tls", ca_file=tmp_path / "note.pem")


def test_host_and_port(account: Account, opened: Open, server: Dovecot) -> None:
    """A name that does not exist, a port where nothing listens, one that speaks something else, one that is silent."""
    line = fault(opened, host="no-such-host.invalid", security="tls")
    assert "no-such-host.invalid" in line
    assert "(DNS)" in line
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert f"nothing answers at 127.0.0.1, port {port}: connection refused; correct host and port" in fault(
        opened, port=port
    )
    assert "speaks no IMAP" in _fault_of(opened, lambda client: client.sendall(b"220 mail ESMTP\r\n"))
    assert "does not answer within 0.3 s" in _fault_of(opened, lambda client: time.sleep(1), timeout_seconds=0.3)
    assert "set security = 'tls'" in _fault_of(opened, lambda client: None)


def _fault_of(opened: Open, talk: Callable[[socket.socket], None], **settings: Any) -> str:
    with serving(talk) as port:
        return fault(opened, port=port, **settings)


def test_tls_where_there_is_none_and_the_other_way_round(account: Account, opened: Open, server: Dovecot) -> None:
    """The two ports are confused more often than anything else."""
    assert "does not begin with TLS; set security = 'starttls'" in fault(
        opened, host="localhost", port=server.port, security="tls"
    )
    assert "port" in fault(opened, port=server.tls_port, security="none", timeout_seconds=1)


def test_a_server_without_starttls_gets_no_password(account: Account, opened: Open, faults: Proxy) -> None:
    """Somebody in between who hides STARTTLS must not get the password in the clear."""
    faults.answer = lambda link, line: line.replace(b"STARTTLS ", b"")
    assert "offers no STARTTLS; set security = 'tls'" in fault(opened, port=faults.port, security="starttls")
    assert not [c for c in faults.commands() if c.startswith((b"AUTHENTICATE", b"LOGIN"))]


def test_a_wrong_password(account: Account, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which user, and where the password comes from; the password itself never."""
    monkeypatch.setenv(PASSWORD_ENV, "wrong-and-secret")
    line = fault(opened)
    assert f"127.0.0.1 refuses the login of {account.user}" in line
    assert f"correct username and the password in the variable {PASSWORD_ENV}" in line
    assert "wrong-and-secret" not in line


def test_a_password_that_is_missing_or_open_to_others(
    account: Account, opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody connects before the secret is there; a file that others can read is refused."""
    monkeypatch.delenv(PASSWORD_ENV)
    assert f"the environment variable {PASSWORD_ENV} is not set" in fault(opened)
    file = tmp_path / "password"
    file.write_text(PASSWORD + "\n")
    file.chmod(0o644)
    assert "chmod 600" in fault(opened, password_file=file)
    file.chmod(0o600)
    assert opened(password_file=file).list(window()).refs == ()
    file.write_text("one\ntwo\n")
    assert "control character" in fault(opened, password_file=file)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"[UNAVAILABLE] try later", "takes no login now"),
        (b"[EXPIRED] too old", "has expired"),
        (b"[ALERT] Application-specific password required", "app password"),
    ],
)
def test_refusals_are_told_apart(account: Account, opened: Open, faults: Proxy, said: bytes, told: str) -> None:
    """A server under repair is not a wrong password."""

    def command(link: Link, line: bytes) -> bytes | Reply:
        return Reply(b"%s NO " + said + b"\r\n") if b"AUTHENTICATE" in line else line

    faults.command = command
    assert told in fault(opened, port=faults.port)


def test_a_server_that_repeats_the_login_does_not_get_it_shown(account: Account, opened: Open, faults: Proxy) -> None:
    """Some servers quote the command that they did not like."""

    def command(link: Link, line: bytes) -> bytes | Reply:
        if b"AUTHENTICATE" in line:
            return Reply(b"%s NO bad command: LOGIN me " + PASSWORD.encode() + b"\r\n")
        return line

    faults.command = command
    assert "battery" not in fault(opened, port=faults.port)


def test_no_way_to_log_in(
    account: Account, opened: Open, faults: Proxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LOGINDISABLED and no mechanism that we know: said before a password is sent."""
    faults.answer = lambda link, line: line.replace(b"AUTH=PLAIN", b"LOGINDISABLED").replace(b"AUTH=XOAUTH2", b"")
    monkeypatch.setenv(PASSWORD_ENV, "ascii-only")
    assert "takes no password on this connection" in fault(opened, port=faults.port)
    assert "takes no OAuth2 login (XOAUTH2); set password_env" in fault(
        opened, port=faults.port, token_file=tmp_path / "token.json"
    )
    assert not [c for c in faults.commands() if c.startswith((b"AUTHENTICATE", b"LOGIN"))]


def test_the_secret_shows_nowhere(
    account: Account, opened: Open, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """Not in the log at any level, not in a repr, not in what is kept between runs."""
    caplog.set_level(logging.DEBUG)
    source = opened(cache=tmp_path)
    fill(account, 2)
    assert len(list(source.fetch(source.list(window()).refs))) == 2
    shown = [caplog.text, repr(source), repr(vars(source)), repr(account.settings())]
    shown += [path.read_bytes().decode("latin-1") for path in tmp_path.iterdir()]
    sent = base64.b64encode(f"\0{account.user}\0{PASSWORD}".encode()).decode()
    assert not [text for text in shown if PASSWORD in text or sent[:40] in text or "battery" in text]


def token(account: Account, *, key: bytes = OAUTH_KEY) -> Secret:
    """An access token that the server checks by itself."""
    now = int(dt.datetime.now(dt.UTC).timestamp())
    claims = {"sub": account.user, "iat": now - 10, "exp": now + 600, "nbf": now - 10}
    parts = [_base64(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
    signature = hmac.new(key, ".".join(parts).encode(), hashlib.sha256).digest()
    return Secret(".".join([*parts, _base64(signature)]))


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def test_a_token_logs_in(
    account: Account, opened: Open, server: Dovecot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """XOAUTH2 with a server that checks the token; one that it does not take is asked for anew, once."""
    fill(account, 2)
    asked: list[Secret | None] = []

    def access_token(token_file: Path, *, what: str, rejected: Secret | None = None) -> Secret:
        asked.append(rejected)
        return token(account) if rejected else token(account, key=b"of another server")

    monkeypatch.setattr("orders_pipeline.mail.oauth.access_token", access_token)
    assert len(opened(token_file=tmp_path / "token.json").list(window()).refs) == 2
    assert [rejected is not None for rejected in asked] == [False, True]
    assert "method=XOAUTH2" in server.log()


def test_a_token_that_is_refused_asks_for_a_new_consent(
    account: Account, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A consent that was withdrawn: one line, and the command that mends it (bug report 75)."""
    wrong = token(account, key=b"of another server")
    monkeypatch.setattr("orders_pipeline.mail.oauth.access_token", lambda file, **_: wrong)
    line = fault(opened, token_file=tmp_path / "token.json")
    assert "refuses the OAuth2 login" in line
    assert "run: orders-pipeline mailbox login post" in line
    assert wrong.reveal() not in line
