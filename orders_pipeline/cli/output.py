"""What the command line prints: tables, JSON, one-line errors, all fit for a terminal.

Belongs here: consoles and the cleaning of text that came out of a mail.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

# Into a file or a pipe there is no width to keep to: wide enough that a row is one line most of the time.
console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)


def complain(line: str) -> None:
    """One line on stderr."""
    print(f"orders-pipeline: {' '.join(clean(line).split())}", file=sys.stderr)


def clean(value: object) -> str:
    """A value as text without control characters: a mail must not steer the terminal."""
    text = "" if value is None else str(value)
    return "".join(c if c.isprintable() else "�" for c in text)


def say(line: str = "") -> None:
    """One line on stdout, as it is: no markup."""
    console.print(Text(clean(line)), soft_wrap=True)


def print_json(data: object) -> None:
    """Data as indented JSON on stdout; dates as ISO 8601, money as decimal text."""
    print(json.dumps(data, indent=1, ensure_ascii=True, default=_plain))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, right: Sequence[str] = ()) -> None:
    """A table on stdout; ``right`` names the columns that align to the right. Only the last column wraps."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        last = name == columns[-1]
        table.add_column(
            name,
            justify="right" if name in right else "left",
            no_wrap=not last,
            overflow="fold" if last else "ellipsis",
        )
    for row in rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    console.print(table)


def plain_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with values that JSON can hold."""
    return {name: _plain(value) if not _is_json(value) else value for name, value in row.items()}


def money(total: Decimal | None, currency: str | None) -> str:
    """An amount for people: two decimals, or as many as it has; empty when there is none."""
    if total is None:
        return ""
    text = f"{total.normalize():f}"
    places = len(text.partition(".")[2])
    digits = 0 if currency in ("JPY", "KRW") and places == 0 else max(2, places)
    return f"{total:,.{digits}f} {currency or ''}".strip()


def _is_json(value: object) -> bool:
    return value is None or isinstance(value, (str, int, float, bool, list, dict))


def _plain(value: object) -> object:
    if isinstance(value, (dt.datetime, dt.date)):
        return value.isoformat()
    return str(value)
