"""Messages over the configured size."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from orders_pipeline.config import FetchSettings
from orders_pipeline.mail.left_out import left_out_note, without_body
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.mail.sources import open_mailbox
from orders_pipeline.mailbox_settings import EmlMailbox, MailboxSettings, MboxMailbox
from orders_pipeline.models import Window
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, parse_bytes

ALL = Window(start=dt.datetime(1990, 1, 1, tzinfo=dt.UTC), end=dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
LINE = b"From o@lm.example Mon May 11 08:15:30 2026\n"
_MARK = b"X-Orders-Pipeline-Left-Out: "
NOTE = "body of 5000 bytes left out, over fetch.max_message_bytes (2048)"


def _mail(subject: str) -> bytes:
    return (f"Received: from a by b; Mon, 11 May 2026 08:15:30 +0000\nFrom: Blatt & Korn <shop@blattkorn.example>\n"
            f"Subject: {subject}\nContent-Type: multipart/mixed; boundary=q\n\n").encode() + b"x" * 4000  # fmt: skip


def _parsed(raw: bytes) -> ParsedMessage:
    received = dt.datetime(2026, 5, 11, 8, 15, 30, tzinfo=dt.UTC)
    return parse_bytes(RawMessage("0" * 64, raw, received), ParseContext(zone="Europe/Berlin"))


@pytest.mark.parametrize("kind", ["mbox", "eml"])
def test_a_large_message_keeps_its_headers_and_says_what_is_missing(tmp_path: Path, kind: str) -> None:
    """One film of 3 GB must neither fill the archive nor hold its day for ever."""
    (tmp_path / "m.mbox").write_bytes(LINE + _mail("the film") + b"\n\n")
    (tmp_path / "m.eml").write_bytes(LINE + _mail("the film") + b"\n\n")
    settings: MailboxSettings = (
        MboxMailbox(kind="mbox", name="b", path=tmp_path / "m.mbox")
        if kind == "mbox"
        else EmlMailbox(kind="eml", name="b", path=tmp_path)
    )
    box = open_mailbox(settings, FetchSettings(max_message_bytes=2048))
    (fetched,) = box.fetch(box.list(ALL).refs)
    assert fetched.raw is not None
    assert len(fetched.raw) < 1000
    note = left_out_note(fetched.raw)
    assert note is not None
    assert note.startswith("body of 4")
    assert note.endswith("bytes left out, over fetch.max_message_bytes (2048)")
    email = parse_email(fetched.raw)
    assert (email.subject, email.sender.address) == ("the film", "shop@blattkorn.example")


def test_what_was_not_read_is_no_verdict() -> None:
    """A mail whose body was left out was called no order, as if somebody had looked."""
    row = _parsed(without_body(_mail("the film"), size=5000, limit=2048)).outcome_row
    assert (row["outcome"], row["reason"]) == ("failed", NOTE)


def test_an_order_told_in_the_subject_is_still_read() -> None:
    """The number is there to be used."""
    raw = without_body(_mail("Your Blatt & Korn order #BK-20417 has shipped"), size=5000, limit=2048)
    parsed = _parsed(raw)
    assert parsed.outcome_row["outcome"] == "parsed"
    assert parsed.order_rows[0]["order_number"] == "BK-20417"


def test_a_structure_is_kept_as_lines_that_are_no_headers() -> None:
    """A part's name comes from the sender: a line break in it would begin a header or a part."""
    raw = without_body(_mail("x"), size=5000, limit=2048, structure=["application/pdf, 9 bytes, a\r\nSubject: b.pdf"])
    assert b"\r\napplication/pdf, 9 bytes, a  Subject: b.pdf\r\n" in raw
    assert parse_email(raw).subject == "x"


@pytest.mark.parametrize(
    "line",
    [b"X-Orders-Pipeline-Left-Out: all of it", b"Received: x\r\nX-Orders-Pipeline-Left-Out: body of 1 bytes, over 1"],
)
def test_a_line_of_the_senders_own_is_not_ours(line: bytes) -> None:
    """Else anyone could have their mail counted as unread."""
    assert left_out_note(line + b"\r\nSubject: x\r\n\r\ny") is None
