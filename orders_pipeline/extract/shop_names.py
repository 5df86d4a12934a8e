"""Names of shops as people would write them.

Belongs here: cleaning a display name, and the patterns in which a text names a shop. Not here: choosing among names.
"""

from __future__ import annotations

import re
from functools import cache

from orders_pipeline.extract.carriers import name_pattern
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.text import fold, one_line

MAX_MERCHANT = 80

_VIA = re.compile(r"\s+(?:via|by|através de|über|par|von)\s+.*$|\s*\((?:via|by|über)[^)]*\)$", re.IGNORECASE)
_NOISE = re.compile(
    r"(?:^|[\s|\-–,:]{1,8})(?:no-?_?reply|do-?not-?reply|noreply|customer (?:service|care|support|relations)"
    r"|kundenservice|kundendienst|service client"
    r"|support(?: team)?|orders?(?: (?:team|confirmation|updates?|department))?|order (?:status|update)"
    r"|receipts?|transactions?|reservations|bookings|belege?|recus?|recibos?|ricevute|billing|invoices?|payments?|shipping|sales"
    r"|online(?: ?shop| store)?|team|notifications?|info|help(?:desk)?|e-?tickets?|service|bestellung(?:en)?"
    r"|versand|rechnung|shipment[- ]tracking|auto-confirm|updates?|delivery)$",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    r"^(?:noreply|no-reply|team|your friends at|the team at|from|orders? (?:at|from)|support at|bestellungen?"
    r"|service(?:client)?(?: de| von)?|re[cç]us?(?: de)?|recibos?(?: d[aeo])?|ricevute?(?: di)?|belege?)[\s:@]+",
    re.IGNORECASE,
)
_JUNK = re.compile(
    r"^[\W\d_]*$|^(?:order|shipping|delivery|payment|booking) ?(?:confirmation|notification|update|status)?s?$"
    r"|noreply|no-reply|donotreply|example (?:company|sender)|\{\{|\[[A-Z]|^(?:shop|store|info|orders?|service"
    r"|mail|customer|you|your|the|us|our team|here)$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"(?:a|an|the|our|us|your|my|you|one|all|this|his|her|their|unserem|unserer|uns|notre|nos|le|la|les)\b"
)
_NAMED_SO = re.compile(r"(?:La|Le|Les|The|All|One) [^\W\d_a-z]")  # "La Cabane"


def clean_name(name: str) -> str | None:
    """A display name as a shop's name: without 'via', departments and marks; None when nothing is left."""
    name = one_line(name, 200).strip("\"'<>[]()|*「」【】 ")
    if "@" in name:
        return None
    name = _PREFIX.sub("", _VIA.sub("", name)).removesuffix("様")
    name = re.sub(r" ?の(?:領収書|お知らせ)$", "", name)
    for _ in range(3):
        name = _NOISE.sub("", name).strip(" -–|,:;.®™\"'")
    if not name or _JUNK.search(name):
        return None
    return name[:MAX_MERCHANT]


def shop_in_text(name: str) -> str | None:
    """A name found by a pattern, cleaned; None for "your", a carrier, and what else is no shop."""
    cleaned = clean_name(name)
    if (
        not cleaned
        or re.match(r"[\w-]{0,8}\d{5}", cleaned)
        or (_ARTICLE.match(fold(cleaned)) and not _NAMED_SO.match(cleaned))
    ):
        return None
    return None if len(name_pattern().pattern.sub("", fold(cleaned))) <= 2 else cleaned


@cache
def shop_pattern(tables: tuple[LabelTable, ...]) -> Finder | None:
    """The patterns of some languages as one; the group that matched is the last one."""
    parts = [part for table in tables for part in table.shops]
    if not parts:
        return None
    joined = "|".join(f"(?:{part})" for part in parts)
    numbers = iter(range(1_000))
    renamed = re.sub(r"\(\?P<shop\d*>", lambda _: f"(?P<s{next(numbers)}>", joined)
    return Finder("(?m)" + _fold_pattern(renamed))


def _fold_pattern(pattern: str) -> str:
    """Fold a pattern's literals but not the names of its groups."""
    return re.sub(r"(\(\?P<[^>]*>)|(.)", lambda m: m[1] or fold(m[2]), pattern)
