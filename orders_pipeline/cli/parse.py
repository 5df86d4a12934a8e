"""``parse``: messages to JSON Lines, without a store."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from orders_pipeline.cli.output import clean, complain, say
from orders_pipeline.config import is_zone
from orders_pipeline.errors import ConfigError, MailboxError
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.read_paths import iter_messages
from orders_pipeline.stages.parse_message import ParseContext, RawMessage, parse_bytes
from orders_pipeline.stages.parser_pool import ParserPool


def parse(
    paths: list[Path] = typer.Argument(help="Messages: .eml files, mbox files, Maildirs, folders."),
    zone: str = typer.Option("UTC", help="The zone in which dates such as 'tomorrow' are meant."),
    as_json: bool = typer.Option(False, "--json", help="JSON Lines: one object a message."),
) -> None:
    """Parse messages and print what is found in each. No store is needed, nothing is kept.

    Example: orders-pipeline parse ~/mail/order.eml --json
    """
    missing = [p for p in paths if not p.exists()]
    if missing:
        raise MailboxError(f"{missing[0]} does not exist: name a message, an mbox, a Maildir or a folder")
    if not is_zone(zone):
        raise ConfigError(f"unknown time zone {zone!r}; use an IANA name such as Europe/Berlin")
    count = 0
    unread: list[str] = []

    def note(name: str, reason: str) -> None:
        unread.append(name)
        complain(f"{name} cannot be read: {reason}")

    messages = (message for path in paths for message in iter_messages(path, on_error=note))
    for record in parsed_records(messages, zone):
        count += 1
        if as_json:
            sys.stdout.write(json.dumps(record, ensure_ascii=True) + "\n")
        else:
            for line in _lines(record):
                say(line)
    if count == 0 and not unread:
        complain(f"no messages in {', '.join(map(str, paths))}")
    if count == 0 or unread:
        raise typer.Exit(1)


def parsed_records(messages: Iterable[tuple[str, bytes]], zone: str) -> Iterator[dict[str, object]]:
    """Messages as ``--json`` prints them, in their order: file, outcome, reason, orders. Some are taken ahead."""
    names: deque[str] = deque()

    def source() -> Iterator[RawMessage]:
        for name, raw in messages:
            names.append(name)
            yield RawMessage(message_id_of(raw), raw)

    with ParserPool(parse_bytes) as parser:
        for parsed in parser.parse_all(source(), ParseContext(zone=zone)):
            result = json.loads(parsed.outcome_row["result"])
            yield {"file": names.popleft(), **{key: result[key] for key in ("outcome", "reason", "orders")}}


def _lines(record: dict[str, object]) -> Iterable[str]:
    yield f"{record['file']}: {record['outcome']} ({record['reason']})"
    orders = record["orders"]
    assert isinstance(orders, list)
    for order in orders:
        total = "" if order["total"] is None else f"{order['total']} {order['currency'] or ''}".strip()
        parts = [order["merchant"], order["order_number"], order["status"], total, *order["tracking_numbers"]]
        yield "  " + " · ".join(clean(p) for p in parts if p)
