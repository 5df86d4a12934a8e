"""What went wrong on the way to the server, in words.

Belongs here: exceptions of sockets, TLS and login to lines that name the fault and the remedy. Not here: raising them
at the right place, trying again.
"""

from __future__ import annotations

import socket
import ssl

from orders_pipeline.encoding import printable_line
from orders_pipeline.mail.oauth_file import login_command
from orders_pipeline.mailbox_settings import ImapMailbox

# OpenSSL's numbers for what is wrong with a certificate.
_EXPIRED, _NOT_YET = 10, 9
_SELF_SIGNED = (18, 19)
_UNKNOWN_ISSUER = (2, 20, 21)
_WRONG_HOST = (62, 63, 64)
_MEND_NETWORK = "check the network and the server, then run again"


def network_fault(error: OSError, box: ImapMailbox) -> str:
    """What is wrong and what to do, for an error of connecting or of TLS."""
    host, port = box.host, box.server_port
    there = f"{host}, port {port}"
    if isinstance(error, ssl.SSLCertVerificationError):
        return _certificate_fault(error, host)
    if isinstance(error, ssl.SSLError):
        return _tls_fault(error, box)
    if isinstance(error, socket.gaierror):
        if error.errno == socket.EAI_AGAIN:
            return f"the name {host} cannot be looked up now (DNS); {_MEND_NETWORK}"
        return f"there is no host {host} (DNS); correct host"
    if isinstance(error, ConnectionRefusedError):
        return f"nothing answers at {there}: connection refused; correct host and port, or start the server"
    if isinstance(error, TimeoutError):
        return (
            f"{there} does not answer within {box.timeout_seconds:g} s; correct host, port and security,"
            " or check the network"
        )
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return f"{there} cut the connection off; check port and security, or that the server runs"
    why = printable_line(error.strerror or str(error) or type(error).__name__, 120)
    return f"cannot connect to {there}: {why}; {_MEND_NETWORK}"


def is_passing(error: OSError) -> bool:
    """Whether it may be over in a moment: not a wrong certificate, nor a name that does not exist."""
    if isinstance(error, ssl.SSLError):
        return isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError)
    return not (isinstance(error, socket.gaierror) and error.errno != socket.EAI_AGAIN)


def greeting_fault(text: str, box: ImapMailbox) -> str:
    """What is wrong when a server takes the connection and then does not speak IMAP."""
    there = f"{box.host}, port {box.server_port}"
    said = f": {printable_line(text, 100)}" if text else ""
    if box.security == "tls":
        return f"{there} speaks no IMAP over TLS{said}; correct port and security"
    return f"{there} speaks no IMAP{said}; correct port, or set security = 'tls' where the server begins with TLS"


def login_fault(box: ImapMailbox, code: str, text: str) -> str:
    """What is wrong when the server refuses the login; ``text`` is what it said, without the secret."""
    said = f" ({printable_line(text, 160)})" if text else ""
    if code in ("UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG"):
        return f"{box.host} takes no login now{said}; it is tried again later"
    if code in ("EXPIRED",):
        return f"the password of {box.username} has expired{said}; set a new one at the server and here"
    if code in ("PRIVACYREQUIRED",):
        return f"{box.host} takes no login on this connection{said}; set security = 'tls' or 'starttls'"
    if box.token_file:
        return (
            f"{box.host} refuses the OAuth2 login of {box.username}{said}; run: {login_command(f'mailbox {box.name}')}"
        )
    where = f"the variable {box.password_env}" if box.password_env else str(box.password_file)
    return (
        f"{box.host} refuses the login of {box.username}{said}; correct username and the password in {where}"
        " (many providers want an app password)"
    )


def _certificate_fault(error: ssl.SSLCertVerificationError, host: str) -> str:
    code = error.verify_code
    if code in _SELF_SIGNED:
        return f"the certificate of {host} is self-signed; if you trust it, set ca_file to that certificate"
    if code in _UNKNOWN_ISSUER:
        return (
            f"the certificate of {host} comes from an authority not trusted here; set ca_file to that one's certificate"
        )
    if code == _EXPIRED:
        return f"the certificate of {host} has expired; renew it at the server, or check this machine's clock"
    if code == _NOT_YET:
        return f"the certificate of {host} is not valid yet; check this machine's clock"
    if code in _WRONG_HOST:
        return f"the certificate is not for the host {host}; set host to a name that it is for"
    return (
        f"the certificate of {host} is refused: {printable_line(error.verify_message, 120)}; correct it at the server"
    )


def _tls_fault(error: ssl.SSLError, box: ImapMailbox) -> str:
    there = f"{box.host}, port {box.server_port}"
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return f"{there} ended the connection during the TLS handshake; check port and security"
    if error.reason in ("WRONG_VERSION_NUMBER", "UNKNOWN_PROTOCOL", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"):
        return f"{there} does not begin with TLS; set security = 'starttls' (usually port 143), or correct port"
    reason = printable_line(error.reason or str(error), 80)
    return f"no TLS connection with {there}: {reason}; update the server, or correct port and security"
