"""What a mail says of an order, by the standard library's modern mail package, BeautifulSoup, dateparser and patterns.

Belongs here: plain functions. Fair: HTML is parsed once, dateparser is asked only where a line names a date's label,
and the mailbox's listing reads no mail (a Maildir's file times are the times of arrival).
"""

from __future__ import annotations

import datetime as dt
import email
import email.policy
import hashlib
import os
import re
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import dateparser
from bs4 import BeautifulSoup  # pyright: ignore[reportMissingImports]

_ORDER = re.compile(
    r"\b(?:order|commande|bestellung|bestelling|pedido|ordine|beställning)\b|\b(?:bestell|order)nummer\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?:order|commande|bestell(?:ung|ing|nummer|nr)?|pedido)\s*(?:number|numéro|nummer|no|n°|nr|id|#|de commande)?"
    r"\s*[.:#°]*\s*([A-Z]{0,4}[-\d]*\d[-\w]{3,})",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"^\s*(?:grand |order )?(?:total|gesamt(?:betrag|summe)?|totaal|importe total)\b[^\d\n]*"
    r"(?P<before>[$€£¥]|CHF|SEK|EUR|USD|GBP)?\s*(?P<amount>\d[\d., ]*)\s*(?P<after>[$€£¥]|CHF|SEK|EUR|USD|GBP|kr)?",
    re.IGNORECASE | re.MULTILINE,
)
_DATE_LINE = re.compile(
    r"^.*\b(?P<label>deliver[a-z]*|arriv[a-z]*|expected|ordered on|order date|placed on|liefer[a-z]*|bestelldatum"
    r"|livraison[^:\n]*|date de commande|passée le|bezorg[a-z]*|entrega[^:\n]*|fecha)\b[^:\n]*[:\n]+\s*(?P<date>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)


def list_day(maildir: Path, day: dt.date, zone: str) -> list[Path]:
    """The files that came on a local day."""
    tz = ZoneInfo(zone)
    start = dt.datetime.combine(day, dt.time(), tz).timestamp()
    end = dt.datetime.combine(day + dt.timedelta(days=1), dt.time(), tz).timestamp()
    found: list[Path] = []
    for folder in ("cur", "new"):
        with os.scandir(maildir / folder) as entries:
            found += [Path(entry.path) for entry in entries if start <= entry.stat().st_mtime < end]
    return sorted(found)


def read_message(path: Path) -> dict[str, Any]:
    """A row of ``fetched_emails``."""
    raw = path.read_bytes()
    return {"message_id": hashlib.sha256(raw).hexdigest(), "received_at": path.stat().st_mtime, "raw": raw}


def parse_message(raw: bytes) -> dict[str, Any]:
    """A row of ``parsed_orders``: what was found, None where nothing was."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    text = _text(message)
    total = _TOTAL.search(text)
    number = _NUMBER.search(f"{message['Subject']}\n{text}")
    dates = {label: when for label, when in map(_date, _DATE_LINE.finditer(text)) if when}
    return {
        "sender": str(message["From"]),
        "subject": str(message["Subject"]),
        "speaks_of_order": bool(_ORDER.search(text)),
        "order_number": number[1] if number else None,
        "total": total["amount"].strip() if total else None,
        "currency": (total["before"] or total["after"]) if total else None,
        "date_label": next(iter(dates), None),
        "date_named": next(iter(dates.values()), None),
    }


def _text(message: Any) -> str:
    body = message.get_body(preferencelist=("html", "plain"))
    if body is None:
        return ""
    content = body.get_content()
    if body.get_content_type() == "text/html":
        return BeautifulSoup(content, "html.parser").get_text("\n", strip=True)
    return content


def _date(found: re.Match[str]) -> tuple[str, dt.datetime | None]:
    return found["label"].lower(), dateparser.parse(found["date"].strip())
