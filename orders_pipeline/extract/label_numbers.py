"""Order and tracking numbers behind their labels.

Belongs here: which identifier a label of a number means. Not here: the shape of identifiers (identifiers), numbers
without a label (tracking).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orders_pipeline.extract.carriers import UPU, carrier_named
from orders_pipeline.extract.cells import begins_cell, cells_behind, line_end, stands_alone
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.identifiers import FoundId, id_after, id_filling
from orders_pipeline.extract.label_index import Label
from orders_pipeline.extract.label_reading import label_reading
from orders_pipeline.extract.view import Body

_CODE = re.compile(r"[A-Z]{1,5}-?\d{4,20}")
_SIGNED = re.compile(r"\s?(?:#|№|:|n[°º]|nr\b\.?|no\b\.?|[(\[「])", re.IGNORECASE)
_LIST = re.compile(r" ?(?:[,;、/・+&]|and\b|und\b|et\b|y\b|e\b) ?")
MAX_LISTED = 10
_LETTERS = re.compile(r" ?(?:#|n[°o]\.?|[:：])\s?([A-Z]{9})(?![^\W_])")
_UNSPOKEN = re.compile(r"[BCDFGHJKLMNPQRSTVWXZ]{4}|Q[^U]|[^AEIOU][XZ][^AEIOU]")
# A shop's own number: "Shipment #000001923 for order #000002871".
_FOR_ORDER = re.compile(
    r"\s{1,2}(?:for|zur?|voor|pour|para|per|till|do) (?:(?:your|ihrer|deiner|je|uw|votre|la|tu|su) )?"
    r"(?:order|bestell|auftrag|commande|pedido|ordine|zamow)"
)
_BEFORE = re.compile(r"(?:^|[\n\t])([A-Z][\w&.-]{1,15}(?: [A-Z][\w&.-]{1,15})?) $")
_NO_NAME = re.compile(
    r"your|the|this|package|parcel|shipment|order|item|delivery|shipping|and|carrier|courier|new|track|dein"
    r"|ihre?|votre|il|tu|su",
    re.IGNORECASE,
)


def read_order_number(label: Label, body: Body) -> Iterator[Reading]:
    text = body.text
    locator = 7 <= label.tier <= 8
    if label.field == "order_word":
        found = _signed_id(label, text) or _in_subject(label, body) or _lettered(label, text)
    else:
        found = id_after(text, label.end, locator=locator)
        if found is None and stands_alone(text, label.end) and not _heads_goods(label, text):
            found = next(
                (f for s, e in cells_behind(text, label.end, 1) if (f := id_filling(text, s, e, locator=locator))), None
            )
    if found and label.field == "order_word" and UPU.pattern.fullmatch(found.value.lower()):
        return  # a parcel's number, whatever a carrier calls it
    if found:
        yield label_reading("order_number", found.value, label, body, found.end)
        if found.replaced:
            yield label_reading("order_number", None, label, body, found.end)


def _heads_goods(label: Label, text: str) -> bool:
    """A weak label, such as "Reference", in a row of several headings: the goods have references too."""
    return label.tier <= 3 and text.count("\t", text.rfind("\n", 0, label.start) + 1, line_end(text, label.end)) >= 2


def _lettered(label: Label, text: str) -> FoundId | None:
    """Nine letters that spell no word (PrestaShop numbers its orders so): "Order: XKBQNATJK"."""
    match = _LETTERS.match(text, label.end)
    return FoundId(match[1], match.start(1), match.end(1)) if match and _UNSPOKEN.search(match[1]) else None


def _in_subject(label: Label, body: Body) -> FoundId | None:
    """In a subject also four plain digits that are no year: "Your order 1009 is on its way"."""
    found = id_after(body.text, label.end) if body.source == "subject" and label.tier >= 8 else None
    return found if found and re.fullmatch(r"\d{4}", found.value) and found.start - label.end == 1 else None


def _signed_id(label: Label, text: str) -> FoundId | None:
    """A bare "Order" counts before "#123" or ": 123-456", and before a long number."""
    signed = _SIGNED.match(text, label.end)
    found = id_after(text, label.end)
    if found is None and stands_alone(text, label.end) and begins_cell(text, label.start):
        colon = ":" in text[label.end : label.end + 2]
        for start, end in cells_behind(text, label.end, 1):
            value = text[start:end].strip()
            beside = "\t" in text[label.end : start] and len(value) >= 4
            if text.startswith("#", start) or ((colon or beside) and (value.isdigit() or _CODE.fullmatch(value))):
                return id_filling(text, start, end)
    if found is None:
        return None
    digits = sum(c.isdigit() for c in found.value)
    hashed = "#" in text[label.end : found.start]
    plain = digits >= 5 and found.value.isdigit() and found.start - label.end == 1
    mixed = digits >= 3 and any(c.isupper() for c in found.value) and found.start - label.end == 1
    return found if (hashed and digits >= 3) or (signed and digits >= 4) or digits >= 6 or mixed or plain else None


def read_tracking_number(label: Label, body: Body) -> Iterator[Reading]:
    text = body.text
    found = id_after(text, label.end, spaced=True)
    if found is None and stands_alone(text, label.end):
        found = next(
            (f for s, e in cells_behind(text, label.end, 1) if (f := id_filling(text, s, e, spaced=True))), None
        )
    if found and tracking_shaped(found.value, label.tier) and not _FOR_ORDER.match(body.folded, found.end):
        yield label_reading("tracking_number", found.value, label, body, found.end)
        for more in _listed(found, text):
            yield label_reading("tracking_number", more.value, label, body, more.end)
        if name := _carrier_before(text, label.start):
            yield label_reading("carrier", name, label, body, found.end, less=0.25)


def _listed(found: FoundId, text: str) -> Iterator[FoundId]:
    """The numbers of the same length that follow one in a list: "1234-5678, 1234-5679"."""
    last = found
    for _ in range(MAX_LISTED):
        comma = _LIST.match(text, last.end)
        following = id_after(text, comma.end()) if comma else None
        if following is None or len(following.value) != len(found.value):
            return
        yield following
        last = following


def _carrier_before(text: str, start: int) -> str | None:
    """The name in "Swift Couriers tracking number": a carrier that no table knows."""
    match = _BEFORE.search(text[max(0, start - 40) : start])
    if match is None or _NO_NAME.match(match[1]):
        return None
    known = carrier_named(match[1])
    return known.name if known else match[1]


def tracking_shaped(value: str, tier: int) -> bool:
    """Whether an identifier can be a tracking number: the weaker its label, the more it must look like one."""
    digits = sum(c.isdigit() for c in value)
    if tier >= 9:
        return digits >= 5 and len(value) >= (6 if tier == 10 else 8)
    letters = sum(c.isalpha() for c in value)
    return len(value) >= 10 and (digits >= 10 or (letters >= 2 and digits >= 6))
