"""From settings to a connection that is logged in.

Belongs here: TLS, STARTTLS, the login, and a line for each way in which they fail. Not here: what is done afterwards.
"""

from __future__ import annotations

import base64
import contextlib
import re
import ssl
from typing import Any

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError

from orders_pipeline.errors import ConfigError, MailboxError
from orders_pipeline.mail.imap.faults import greeting_fault, is_passing, login_fault, network_fault
from orders_pipeline.mail.imap.session import Session
from orders_pipeline.mail.imap.wire import ConnectionLost, Wire
from orders_pipeline.mailbox_settings import ImapMailbox
from orders_pipeline.secret import Secret, secret_from_env, secret_from_file

_PASSING_CODES = ("UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Unreachable(ConnectionLost):
    """No connection now; another try in a moment may have better luck. The text is fault and remedy."""


def connect(box: ImapMailbox, *, max_literal: int) -> Session:
    """Connect and log in. Raises ``Unreachable`` for what may pass, ``MailboxError`` for what somebody must mend."""
    secret = None if box.token_file else _password(box)
    context = None if box.security == "none" else _context(box)
    client = _connected(box, context)
    try:
        # IMAPClient logs every line at debug level, the login among them.
        client._imap.debug = 0
        if box.security == "starttls":
            _start_tls(client, box, context)
        if secret is None:
            _login_with_token(client, box)
        else:
            _login(client, box, secret)
        capabilities = frozenset(c.decode("ascii", "replace").upper() for c in client.capabilities())
    except OSError as error:
        _hang_up(client)
        raise _network_error(error, box) from None
    except IMAPClientError as error:
        _hang_up(client)
        raise Unreachable(f"{box.host} breaks the login off{_said(error)}; it is tried again later") from None
    except BaseException:
        _hang_up(client)
        raise
    imap: Any = client._imap
    wire = Wire(imap.file, imap.send, timeout=box.timeout_seconds, max_literal=max_literal)
    return Session(wire, capabilities, hang_up=lambda: _hang_up(client), set_timeout=client.socket().settimeout)


def error_of(box: ImapMailbox, fault: str) -> MailboxError:
    """A fault and its remedy as the error of this mailbox."""
    return MailboxError(f"mailbox {box.name}: {fault}")


def _connected(box: ImapMailbox, context: ssl.SSLContext | None) -> IMAPClient:
    timeout: Any = SocketTimeout(connect=box.timeout_seconds, read=box.timeout_seconds)
    tls = box.security == "tls"
    try:
        return IMAPClient(box.host, box.server_port, ssl=tls, ssl_context=context if tls else None, timeout=timeout)
    except OSError as error:
        raise _network_error(error, box) from None
    except IMAPClientError as error:
        raise Unreachable(greeting_fault(_text(error), box)) from None
    except UnicodeError:  # a name that no DNS can hold
        raise error_of(box, f"there is no host {box.host} (DNS); correct host") from None


def _network_error(error: OSError, box: ImapMailbox) -> Exception:
    fault = network_fault(error, box)
    return Unreachable(fault) if is_passing(error) else error_of(box, fault)


def _context(box: ImapMailbox) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if box.ca_file is None:
        return context
    try:
        context.load_verify_locations(cafile=box.ca_file)
    except ssl.SSLError:
        raise error_of(box, f"the ca_file {box.ca_file} holds no certificate; it must be in PEM form") from None
    except OSError as error:
        raise error_of(box, f"cannot read the ca_file {box.ca_file}: {error.strerror}; correct ca_file") from None
    # A server's own certificate, named here, is trusted as it is: it need not be an authority's, nor have all that
    # Python 3.13 asks of one.
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


def _start_tls(client: IMAPClient, box: ImapMailbox, context: ssl.SSLContext | None) -> None:
    if not client.has_capability("STARTTLS"):
        fault = f"{box.host}, port {box.server_port} offers no STARTTLS; set security = 'tls' (usually port 993)"
        raise error_of(box, fault)
    try:
        client.starttls(context)
    except IMAPClientError as error:
        raise error_of(box, f"{box.host} refuses STARTTLS{_said(error)}; set security = 'tls'") from None


def _password(box: ImapMailbox) -> Secret:
    what = f"mailbox {box.name}"
    try:
        if box.password_env:
            secret = secret_from_env(box.password_env, what=what)
        else:
            assert box.password_file is not None
            secret = secret_from_file(box.password_file, what=what)
    except ConfigError as error:
        raise MailboxError(str(error)) from None
    if _CONTROL.search(secret.reveal()):
        raise error_of(box, "the password holds a line break or another control character; write it alone, on one line")
    return secret


def _login(client: IMAPClient, box: ImapMailbox, secret: Secret) -> None:
    plain = client.has_capability("AUTH=PLAIN") or not (box.username + secret.reveal()).isascii()
    if not plain and client.has_capability("LOGINDISABLED"):
        remedy = "set token_file if it wants OAuth2" if box.security != "none" else "set security = 'tls' or 'starttls'"
        raise error_of(box, f"{box.host} takes no password on this connection; {remedy}")
    try:
        if plain:
            client.plain_login(box.username, secret.reveal())
        else:
            client.login(box.username, secret.reveal())
    except IMAPClientError as error:
        raise _refusal(error, box, secret) from None


def _login_with_token(client: IMAPClient, box: ImapMailbox) -> None:
    from orders_pipeline.mail.oauth import access_token

    assert box.token_file is not None
    if not client.has_capability("AUTH=XOAUTH2"):
        raise error_of(box, f"{box.host} takes no OAuth2 login (XOAUTH2); set password_env or password_file")
    token = access_token(box.token_file, what=f"mailbox {box.name}")
    try:
        _xoauth2(client, box, token)
    except IMAPClientError as error:
        if isinstance(error, IMAPClient.AbortError) or _code(_text(error)) in _PASSING_CODES:
            raise _refusal(error, box, token) from None
        # Withdrawn before its time: another one may do.
        token = access_token(box.token_file, what=f"mailbox {box.name}", rejected=token)
        try:
            _xoauth2(client, box, token)
        except IMAPClientError as again:
            raise _refusal(again, box, token) from None


def _xoauth2(client: IMAPClient, box: ImapMailbox, token: Secret) -> None:
    # A refusal is a challenge, to be answered with nothing.
    answers = [f"user={box.username}\x01auth=Bearer {token.reveal()}\x01\x01"]
    client.sasl_login("XOAUTH2", lambda challenge: answers.pop() if answers else "")


def _refusal(error: IMAPClientError, box: ImapMailbox, secret: Secret) -> Exception:
    text = _without(secret, _text(error), box)
    code = _code(text)
    fault = login_fault(box, code, text)
    passing = isinstance(error, IMAPClient.AbortError) or code in _PASSING_CODES
    return Unreachable(fault) if passing else error_of(box, fault)


def _without(secret: Secret, text: str, box: ImapMailbox) -> str:
    """What the server said, unless it repeats what was sent to it."""
    plain = secret.reveal()
    forms = (f"\0{box.username}\0{plain}", f"user={box.username}\x01auth=Bearer {plain}\x01\x01")
    sent = [base64.b64encode(form.encode()).decode()[:40] for form in forms]
    return "" if any(shown in text for shown in (plain, *sent)) else text


def _code(text: str) -> str:
    match = re.match(r"\[([A-Za-z0-9-]{1,40})", text)
    return match[1].upper() if match else ""


def _said(error: Exception) -> str:
    return f" ({text})" if (text := _text(error)) else ""


def _text(error: Exception) -> str:
    """What the server said, out of what imaplib and IMAPClient make of it."""
    text = str(error.args[0] if error.args else "")
    text = re.sub(r"^(?:login failed|login|authenticate failed|authenticate|starttls failed)\s?:\s?", "", text)
    match = re.fullmatch(r"b(['\"])(.*)\1", text, re.DOTALL)
    return match[2] if match else text


def _hang_up(client: IMAPClient) -> None:
    with contextlib.suppress(Exception):
        client.shutdown()
