"""A Dovecot of the tests' own: on loopback, in a folder of its own, as an ordinary user, with TLS.

Belongs here: starting and ending the server, accounts, delivering. Not here: faults on the way (proxy.py).
"""

from __future__ import annotations

import contextlib
import datetime as dt
import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from orders_pipeline.config import FetchSettings
from orders_pipeline.mail.imap.names import raw_of
from orders_pipeline.mail.imap.source import ImapSource
from orders_pipeline.mailbox_settings import ImapMailbox
from orders_pipeline_tests.mail.imap.certificates import Certificates
from orders_pipeline_tests.support import ending_with_us, skip_or_fail

PASSWORD = 'correct horse \\ "battery" stäple'
PASSWORD_ENV = "TEST_IMAP_PASSWORD"
_NOBODY = 65534
_USERS = 1000
_START_SECONDS = 20.0

_CONFIG = """
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
protocols = imap
listen = 127.0.0.1
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0 secs
login_greeting = ready
first_valid_uid = 1
mail_max_userip_connections = 100
mail_fsync = never
mail_location = maildir:~/mail:INDEX=~/index
{users}
ssl = yes
ssl_cert = <{cert}
ssl_key = <{key}
ssl_dh = </usr/share/dovecot/dh.pem
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {base}/oauth2.conf
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {base}/passwords
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}/accounts/%u
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Junk {{
    special_use = \\Junk
  }}
  mailbox Deleted {{
    special_use = \\Trash
  }}
}}
service imap-login {{
  chroot =
  service_count = 0
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap {{
  process_min_avail = 1
}}
service stats {{
  chroot =
}}
{more}
"""


@dataclass(slots=True)
class Account:
    """One user's mail on a server: Maildirs that the test fills."""

    server: Dovecot
    user: str
    _count: int = 0

    @property
    def root(self) -> Path:
        return self.server.base / "accounts" / self.user / "mail"

    def folder(self, label: str = "INBOX") -> Path:
        """The Maildir of a folder, made if need be."""
        path = self.root
        if label != "INBOX":
            path = self.root / ("." + raw_of(label).decode("ascii").replace("/", "."))
        if not (path / "tmp").exists():
            for part in ("cur", "new", "tmp"):
                (path / part).mkdir(parents=True, exist_ok=True)
            self.server.give(self.root.parent)
        return path

    def deliver(self, raw: bytes, at: dt.datetime, *, label: str = "INBOX", flags: str = "") -> Path:
        """One more message, arrived at an instant; returns its file."""
        self._count += 1
        path = self.folder(label) / "cur" / f"{1_700_000_000 + self._count}.M{self._count}.test:2,{flags}"
        path.write_bytes(raw)
        os.utime(path, (at.timestamp(), at.timestamp()))
        return path

    def names(self) -> list[str]:
        """The names of all message files: flags are part of them."""
        return sorted(str(p.relative_to(self.root)) for p in self.root.rglob("*") if p.parent.name in ("cur", "new"))

    def settings(self, **fields: Any) -> ImapMailbox:
        """The settings of a mailbox for this account, in plain text on loopback unless told otherwise."""
        if not {"password_env", "password_file", "token_file"} & fields.keys():
            fields["password_env"] = PASSWORD_ENV
        told = {
            "name": "post", "kind": "imap", "host": "127.0.0.1", "port": self.server.port, "security": "none",
            "username": self.user, "timeout_seconds": 10,
        }  # fmt: skip
        return ImapMailbox.model_validate({**told, **fields})


@dataclass(slots=True)
class Dovecot:
    """A running server."""

    base: Path
    port: int
    tls_port: int
    certificates: Certificates
    _accounts: int = field(default=0)

    def account(self) -> Account:
        """A new user with an empty INBOX."""
        self._accounts += 1
        account = Account(self, _user(self._accounts))
        account.folder()
        return account

    def give(self, folder: Path) -> None:
        """Make what lies in a folder the server's user's own, who is nobody where root runs the tests."""
        if os.geteuid() == 0:
            for path in (folder, *folder.rglob("*")):
                if path.stat().st_uid == 0:
                    os.chown(path, _NOBODY, _NOBODY)

    def log(self) -> str:
        """The server's log."""
        return (self.base / "dovecot.log").read_text(encoding="utf-8", errors="replace")


def find_dovecot() -> Path | None:
    """The server's program, which may lie where only root looks; None where there is none."""
    found = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    return Path(found) if found else None


def dovecot_binary() -> Path:
    """The server's program; the test is skipped, or fails where it is required, when there is none."""
    found = find_dovecot()
    if found is None:
        skip_or_fail("dovecot", "not on this machine: dovecot (Debian: apt-get install dovecot-imapd)")
        raise AssertionError  # never reached
    return found


@contextlib.contextmanager
def dovecot(*, zone: str = "UTC", more: str = "") -> Iterator[Dovecot]:
    """A running server whose own clock has this zone; ``more`` are further lines of its configuration."""
    binary = dovecot_binary()
    # Not in pytest's folder: nobody cannot look into root's, and the paths of sockets must be short.
    base = Path(tempfile.mkdtemp(prefix="orders-dovecot-"))
    base.chmod(0o755)
    process = None
    try:
        certificates = Certificates.make(base / "tls")
        process, ports = _started(binary, base, certificates, zone, more)
        yield Dovecot(base, *ports, certificates)
    finally:
        if process is not None:
            _end(process)
        shutil.rmtree(base, ignore_errors=True)


def _started(
    binary: Path, base: Path, certificates: Certificates, zone: str, more: str
) -> tuple[subprocess.Popen[bytes], tuple[int, int]]:
    root = os.geteuid() == 0
    uid, gid = (_NOBODY, _NOBODY) if root else (os.geteuid(), os.getegid())
    me = (
        ""
        if root
        else "\n".join(
            [
                f"default_internal_user = {pwd.getpwuid(uid).pw_name}",
                f"default_internal_group = {grp.getgrgid(gid).gr_name}",
                f"default_login_user = {pwd.getpwuid(uid).pw_name}",
            ]
        )
    )
    # All at once: the server looks at the file again only when its clock has moved on by a second.
    users = (f"{_user(number)}:{{PLAIN}}{PASSWORD}::::::\n" for number in range(1, _USERS + 1))
    (base / "passwords").write_text("".join(users), encoding="utf-8")
    (base / "accounts").mkdir()
    _write_oauth2(base)
    for _ in range(3):  # somebody else may take a port between our asking for it and the server's
        ports = _free_port(), _free_port()
        config = base / "dovecot.conf"
        config.write_text(
            _CONFIG.format(
                base=base, port=ports[0], tls_port=ports[1], uid=uid, gid=gid, users=me, more=more,
                cert=certificates.server, key=certificates.server_key,
            ),
            encoding="utf-8",
        )  # fmt: skip
        process = subprocess.Popen(
            ending_with_us([binary, "-F", "-c", config]), cwd=base, env={"PATH": os.environ["PATH"], "TZ": zone},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=(base / "errors").open("wb"),
        )  # fmt: skip
        if _answers(process, ports[0]):
            return process, ports
        _end(process)
    log = base / "dovecot.log"
    said = (base / "errors").read_text() + (log.read_text() if log.exists() else "")
    raise AssertionError(f"dovecot does not start:\n{said[-3000:]}")


def _write_oauth2(base: Path) -> None:
    keys = base / "keys" / "default" / "HS256"
    keys.mkdir(parents=True)
    (keys / "default").write_text(OAUTH_KEY_TEXT)
    (base / "oauth2.conf").write_text(
        f"introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix={base}/keys/\n"
        "username_attribute = sub\n"
    )


OAUTH_KEY = b"a key of the tests, long enough for HS256"
OAUTH_KEY_TEXT = "YSBrZXkgb2YgdGhlIHRlc3RzLCBsb25nIGVub3VnaCBmb3IgSFMyNTY="


def _answers(process: subprocess.Popen[bytes], port: int) -> bool:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as probe:
            if probe.recv(100).startswith(b"* OK"):
                return True
        time.sleep(0.05)
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
            return


def _user(number: int) -> str:
    return f"user{number}@alder.example"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def open_source(settings: ImapMailbox, cache: Path | None = None, **fetch: Any) -> ImapSource:
    """The mailbox, without waiting between tries."""
    return ImapSource(settings, FetchSettings(**fetch), cache, sleep=lambda seconds: None)
