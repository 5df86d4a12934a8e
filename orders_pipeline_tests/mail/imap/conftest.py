"""A Dovecot for the tests of IMAP, an account of each test's own, and a proxy in front of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orders_pipeline.mail.imap.source import ImapSource
from orders_pipeline_tests.mail.imap.dovecot import PASSWORD, PASSWORD_ENV, Account, Dovecot, dovecot, open_source
from orders_pipeline_tests.mail.imap.proxy import Proxy, proxy

Open = Callable[..., ImapSource]


@pytest.fixture(scope="session")
def server() -> Iterator[Dovecot]:
    """One server for the tests of a process."""
    with dovecot() as running:
        yield running


@pytest.fixture
def account(server: Dovecot, monkeypatch: pytest.MonkeyPatch) -> Account:
    """A user of the test's own, whose password is in the environment."""
    monkeypatch.setenv(PASSWORD_ENV, PASSWORD)
    return server.account()


@pytest.fixture
def faults(server: Dovecot) -> Iterator[Proxy]:
    """A proxy in front of the server."""
    with proxy(server.port) as running:
        yield running


@pytest.fixture
def opened(account: Account) -> Iterator[Open]:
    """Opens the account's mailbox: ``opened(settings..., cache=..., fetch={...})``; closed at the end."""
    sources: list[ImapSource] = []

    def make(*, cache: Path | None = None, fetch: dict[str, Any] | None = None, **settings: Any) -> ImapSource:
        sources.append(open_source(account.settings(**settings), cache, **(fetch or {})))
        return sources[-1]

    yield make
    for source in sources:
        source.close()
