"""One exported case: the record that every format is made from.

Belongs here: the record, its JSON, and the texts that all formats share. Not here: any one format; redacting (who calls
has redacted everything before).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TASK = "Extract the orders of this mail as JSON."
DATASET = "order_mails"
ID = re.compile(r"[0-9a-f]{16}")
_CODE = re.compile(r"[a-z0-9_]{1,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportCase:
    """A redacted mail and what is right of it.

    ``case_id`` is 16 hex digits. ``orders`` are plain JSON data without nulls and empty lists: what a mail does not
    tell has no key. ``provenance`` says where the case comes from: day, sender's domain, extractors, reasons, decision.
    """

    case_id: str
    mail: bytes
    orders: Sequence[Mapping[str, Any]]
    provenance: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not ID.fullmatch(self.case_id):
            raise ValueError(f"{self.case_id!r} is no case id")

    @property
    def text(self) -> str:
        """The mail as text; it is UTF-8 throughout."""
        return self.mail.decode("utf-8")

    @property
    def expected(self) -> dict[str, Any]:
        """What a parser has to return: never null, so that a mail that orders nothing is asked for too."""
        return {"orders": [dict(order) for order in self.orders]}

    @property
    def metadata(self) -> dict[str, Any]:
        """The provenance, and the digest of the mail."""
        return {**self.provenance, "mail_sha256": hashlib.sha256(self.mail).hexdigest()}

    @property
    def codes(self) -> list[str]:
        """The codes of the reasons, without any that could be read as something else than a word."""
        return [code for code in self.provenance.get("reasons", ()) if _CODE.fullmatch(code)]


def compact(order: Mapping[str, Any]) -> dict[str, Any]:
    """An order as ``encoding.order_to_dict`` gives it, without evidence and without what is not told."""
    kept = {key: value for key, value in order.items() if key != "evidence" and value not in (None, "", [], ())}
    if "items" in kept:
        kept["items"] = [{k: v for k, v in item.items() if v not in (None, "")} for item in kept["items"]]
    return kept


def json_text(value: object, *, indent: int | None = None) -> str:
    """JSON in ASCII with sorted keys: the same data gives the same bytes, whatever the machine's encoding."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, indent=indent)


def json_lines(rows: Iterable[object]) -> bytes:
    """One JSON value a line."""
    return "".join(f"{json_text(row)}\n" for row in rows).encode("ascii")
