"""Fixtures of the Gmail tests: an account on loopback, a login for it, and a source whose waits take no time."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from orders_pipeline.config import FetchSettings
from orders_pipeline.mail.gmail.source import GmailSource
from orders_pipeline.mailbox_settings import GmailMailbox
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's proxy does not know our loopback."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def gmail() -> Iterator[GmailStandIn]:
    """An empty account."""
    server = GmailStandIn()
    yield server
    server.close()


@pytest.fixture
def token_file(gmail: GmailStandIn, tmp_path: Path) -> Path:
    """A login whose access token has expired."""
    return write_token(tmp_path / "token.json", gmail)


@pytest.fixture
def waits() -> list[float]:
    """The seconds that were waited, in order."""
    return []


@pytest.fixture
def settings(gmail: GmailStandIn, token_file: Path, tmp_path: Path) -> GmailMailbox:
    """The mailbox ``post``, with a short patience for a server that stalls."""
    return GmailMailbox(
        kind="gmail",
        name="post",
        client_file=tmp_path / "client.json",
        token_file=token_file,
        endpoint=gmail.url,
        timeout_seconds=20.0,
    )


MakeSource = Callable[..., GmailSource]


@pytest.fixture
def make_source(settings: GmailMailbox, waits: list[float]) -> Iterator[MakeSource]:
    """Opens the mailbox: with a cache, other limits of fetching, other settings."""
    opened: list[GmailSource] = []

    def make(cache: Path | None = None, fetch: FetchSettings | None = None, **changes: object) -> GmailSource:
        changed = settings.model_copy(update=changes)
        opened.append(GmailSource(changed, fetch or FetchSettings(), cache, sleep=waits.append))
        return opened[-1]

    yield make
    for box in opened:
        box.close()


@pytest.fixture
def source(make_source: MakeSource) -> GmailSource:
    """The mailbox without a cache."""
    return make_source()


def write_token(path: Path, gmail: GmailStandIn, **changes: object) -> Path:
    """A login of the account with mode 600; ``changes`` replace fields, None removes one."""
    data: dict[str, object] = {
        "client_id": gmail.tokens.client_id,
        "client_secret": gmail.tokens.client_secret,
        "token_uri": f"{gmail.url}/token",
        "refresh_token": gmail.tokens.refresh_token,
        "token": "expired-token-1",
        "expiry": (dt.datetime.now(dt.UTC) - dt.timedelta(days=1)).isoformat(),
        "scopes": [],
        **changes,
    }
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_text(json.dumps({name: value for name, value in data.items() if value is not None}))
    return path
