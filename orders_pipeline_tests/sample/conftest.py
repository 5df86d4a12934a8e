"""One sample mailbox, written once, for the tests that only read it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from orders_pipeline.sample.generate import write_sample_mailbox
from orders_pipeline.sample.truth import SampleSummary, Trap, TrueMail

LAST_DAY = dt.date(2026, 11, 29)


@dataclass(frozen=True)
class Sample:
    """A written sample mailbox and its truth."""

    folder: Path
    summary: SampleSummary

    def raw(self, mail: TrueMail) -> bytes:
        return (self.folder / mail.path).read_bytes()

    def message(self, mail: TrueMail) -> Message:
        return message_from_bytes(self.raw(mail))

    def trapped(self, trap: Trap) -> list[TrueMail]:
        return [mail for mail in self.summary.mails if trap in mail.traps]


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    folder = tmp_path_factory.mktemp("sample")
    return Sample(folder, write_sample_mailbox(folder, last_day=LAST_DAY))


def text_of(message: Message) -> str:
    """The decoded text of the first text part; bytes that do not fit the declared charset are replaced."""
    part = next(p for p in message.walk() if p.get_content_maintype() == "text")
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data.decode(part.get_content_charset() or "utf-8", "replace")
