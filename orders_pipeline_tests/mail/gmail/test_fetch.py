"""Fetching: each message once, and no fault of the server is taken for an absence."""

from __future__ import annotations

from orders_pipeline.mail.gmail.source import GmailSource
from orders_pipeline_tests.mail.gmail.days import fill, window
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn


def test_every_message_comes_once_with_its_own_bytes(gmail: GmailStandIn, source: GmailSource) -> None:
    """Parts of a batch come in any order: bytes under another's id would be another mail's order."""
    ids = fill(gmail, 120)
    fetched = list(source.fetch(source.list(window()).refs))
    assert sorted(f.ref.location for f in fetched) == sorted(ids)
    assert all(f.raw == gmail.messages[f.ref.location].raw for f in fetched)
    assert sorted(gmail.gets()) == sorted(ids)
    assert len(gmail.asked("batch")) == 6
