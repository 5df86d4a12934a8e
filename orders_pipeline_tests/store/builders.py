"""Rows as the stages write them, and processes that hold things, for the tests of the store."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from orders_pipeline.store import ledger, mail_rows
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.store import Store

DAY = dt.date(2026, 5, 11)
NOW = dt.datetime(2026, 5, 12, 6, tzinfo=dt.UTC)


def at(minutes: float) -> dt.datetime:
    return NOW + dt.timedelta(minutes=minutes)


def raw_of(text: str) -> bytes:
    return f"Subject: {text}\r\n\r\nThank you for order {text}.\r\n".encode()


def id_of(text: str) -> str:
    return hashlib.sha256(raw_of(text)).hexdigest()


def mail_row(text: str, *, location: str = "", mailbox: str = "home", minutes: float = 0, raw: bool = True) -> dict:
    return {
        "message_id": id_of(text),
        "raw": raw_of(text) if raw else None,
        "has_raw": raw,
        "received_at": dt.datetime(2026, 5, 11, 10, tzinfo=dt.UTC),
        "mailbox": mailbox,
        "location": location or f"cur/{text}",
        "size": len(raw_of(text)),
        "saved_at": at(minutes),
    }


def listing(locations: Iterable[str], *, mailbox: str = "home", minutes: float = 0) -> mail_rows.ListingDone:
    names = tuple(locations)
    return mail_rows.ListingDone(
        mailbox=mailbox,
        messages=len(names),
        digest=mail_rows.listing_digest(names),
        listed_at=at(minutes),
        locations=names,
    )


def verdict_row(text: str, *, reasons: str = "[]", minutes: float = 0, parse_digest: str = "p") -> dict:
    return {
        "message_id": id_of(text),
        "parse_digest": parse_digest,
        "judge": "rules",
        "judge_version": "1",
        "reasons": reasons,
        "judged_at": at(minutes),
        "panel": "rules",
        "confidence": None,
    }


def save_mail(store: Store, *texts: str, day: dt.date | None = DAY, minutes: float = 0) -> str:
    return store.archive.save("mail", day, [mail_row(t, minutes=minutes) for t in texts])


def fetched(con: Connection, day: dt.date = DAY) -> str:
    """Write the fetch row of a day as the stage does; returns the digest of its mail."""
    digest, count = ledger.mail_digest(con, day)
    marks: dict[str, Any] = {"input_digest": "", "output_digest": digest, "row_count": count, "version": "1"}
    ledger.write_stage(con, ledger.FETCH, day, **marks, now=NOW, run_id=None)
    return digest


def outcomes(*texts: str, day: dt.date = DAY, subject: str = "s") -> list[dict[str, Any]]:
    found = [
        {
            "day": day, "message_id": id_of(t), "outcome": "parsed", "reason": "", "received_at": NOW, "sent_at": None,
            "sender": "a@shop.example", "sender_domain": "shop.example", "subject": subject, "language": None,
            "orders": 1, "order_words": "[]", "defects": "[]",
            "result": "{}", "canonical_digest": f"c{t}", "template_digest": "t",
            "parse_digest": f"{t}-{subject}", "parser_version": "1",
        }
        for t in texts
    ]  # fmt: skip
    return objects(found, "parse_outcomes")


def orders(*texts: str, day: dt.date = DAY) -> list[dict[str, Any]]:
    found = [
        {
            "day": day, "message_id": id_of(t), "position": 0, "received_at": NOW, "merchant": None, "order_number": t,
            "tracking_numbers": [], "carrier": None, "status": None, "total": None, "currency": None, "subtotal": None,
            "shipping": None, "tax": None, "discount": None, "expected_delivery": None, "items": "[]", "evidence": "[]",
        }
        for t in texts
    ]  # fmt: skip
    return objects(found, "parsed_orders")


_COLUMNS = {
    "parse_outcomes": "day message_id outcome reason received_at sent_at sender sender_domain subject language orders"
    " order_words defects result canonical_digest template_digest parse_digest parser_version",
    "parsed_orders": "day message_id position received_at merchant order_number tracking_numbers carrier status total"
    " currency subtotal shipping tax discount expected_delivery items evidence",
}


def objects(found: list[dict[str, Any]], table: str) -> list[dict[str, Any]]:
    names = _COLUMNS[table].split()
    return [{name: row[name] for name in names} for row in found]


def table(store: Store, sql: str) -> list[dict[str, Any]]:
    with store.state.reading() as con:
        return rows(con, sql)


@contextlib.contextmanager
def process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A Python process that runs ``code`` and has printed its first line; killed at the end."""
    child = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout is not None
        line = child.stdout.readline()
        assert line, child.stderr.read() if child.stderr else ""
        yield child
    finally:
        child.kill()
        child.communicate()
