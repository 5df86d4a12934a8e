"""Who sold it.

Belongs here: the shop's name from the sender, the text, the subject. Not here: rules of one sender, the names' form.
A carrier or a mailing service is not the shop: then only the text can name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orders_pipeline.extract.brands import MAIL_HOSTS, MARKETPLACES, SENDING_SERVICES, brand_of
from orders_pipeline.extract.carriers import carrier_of_domain
from orders_pipeline.extract.cells import span_behind
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.shop_names import MAX_MERCHANT, clean_name, shop_in_text, shop_pattern
from orders_pipeline.extract.text import evidence_text, fold
from orders_pipeline.extract.unknown_carriers import HANDS_IN, acting_carrier
from orders_pipeline.extract.view import Body, View
from orders_pipeline.models import Address


class MerchantExtractor:
    """Reads the shop's name from sender, subject and text."""

    name = "merchant"
    most = ()

    def matches(self, view: View) -> bool:
        return bool(view.email.sender.name or view.email.sender.address or view.tables)

    def extract(self, view: View) -> list[Reading]:
        brand = brand_of(view.sender_domain)
        carries = carrier_of_domain(view.sender_domain) is not None or acting_carrier(view) is not None
        between = carries or brand in MARKETPLACES
        found = [
            *_from_subject(view),
            *_from_text(view, brand, 0.9 if between else 0.45),
            *_from_labels(view, 0.85 if between else 0.3, inside=carries),
        ]
        if not carries:
            found += _from_sender(view, brand)
        return [r for r in found if r.value]


def _from_sender(view: View, brand: str) -> Iterator[Reading]:
    sender = view.email.sender
    if name := clean_name(sender.name):
        # A service that sends receipts for shops bears its own name: the text knows the shop's.
        strength = 0.4 if fold(name) in SENDING_SERVICES else 0.5 if brand in MARKETPLACES else 0.7
        yield _reading(name, "header", f"{sender.name} <{sender.address}>", strength)
    if brand and brand not in MAIL_HOSTS and brand not in SENDING_SERVICES:
        yield _reading(brand.capitalize(), "header", sender.address, 0.4)
    for address in view.email.reply_to[:1]:
        yield from _from_reply_to(address, brand)


def _from_reply_to(address: Address, brand: str) -> Iterator[Reading]:
    other = brand_of(address.domain)
    if other and other != brand and other not in MAIL_HOSTS and other not in SENDING_SERVICES:
        name = clean_name(address.name) or other.capitalize()
        yield _reading(name, "header", f"{address.name} <{address.address}>", 0.35)


def _from_text(view: View, brand: str, strength: float) -> Iterator[Reading]:
    pattern = shop_pattern(view.tables)
    if pattern is None:
        return
    own = clean_name(view.email.sender.name)  # "your Etsy order": the marketplace is not its seller
    for body in (view.subject, *view.bodies):
        for match in pattern.finditer(body.folded[:8_000]):
            group = match.lastgroup or ""
            name = shop_in_text(body.text[match.start(group) : match.end(group)])
            if name and not (brand in MARKETPLACES and fold(name) == brand):  # "your Etsy order" is a shop's there
                text = body.text[match.start() : match.end()]
                told = 0.45 if name == own else min(1.0, strength + _more(view, body))
                yield _reading(name, body.source, text, told)


def _more(view: View, body: Body) -> float:
    """Japanese shops name themselves in the first sentence, under addresses that do not."""
    japanese = any(table.language == "ja" for table in view.tables)
    return 0.3 if japanese else 0.05 if body.source == "subject" else 0.0


SENDS = 0.97  # whom a carrier's mail calls the parcel's sender
_SUBJECT_SHOP = re.compile(r"^\s*(?:【([^】]{2,30})】|\[([^\]]{2,30})\]|([^::【】\[\]]{2,25})[::] ?(?=.{2}))")
_PLACE = re.compile(r",[^,\n]{2,30},.{2,40}$")  # town and country behind a name
_PHRASE = re.compile(r"\d{3}|\s\S+\s\S+\s\S+\s")  # too many words or digits for a name
_NO_SHOP = re.compile(
    r"(?:re|fwd?|aw|wg|tr|sv|order(?:ed)?|shipped|delivered|dispatched|arriving|out for delivery|update|reminder"
    r"|action|important|notice|your|new|payment|receipt|invoice|confirmation|confirmed|delivery|shipment"
    r"|shipping|package|status"
    r"|bestellt|versandt|geliefert|zugestellt|bestell|rechnung|ihre|deine|expedie|livre|commande|facture|votre"
    r"|重要|お知らせ|ご注文|注文|発送|出荷|自動|再送|至急)",
    re.IGNORECASE,
)


def _from_subject(view: View) -> Iterator[Reading]:
    """The shop before a colon or in brackets: "[Shop] Order confirmed"."""
    match = _SUBJECT_SHOP.match(view.subject.text)
    if match is None or _PHRASE.search(match.group()):
        return
    words = match.group(match.lastindex or 0).strip()
    name = None if _NO_SHOP.match(fold(words)) else shop_in_text(words)
    if name:
        yield _reading(name, "subject", view.subject.text, 0.55)


def _from_labels(view: View, strength: float, *, inside: bool) -> Iterator[Reading]:
    """Names behind labels; ``inside`` also takes a label within a sentence: "a parcel of the sender: ..."."""
    for body in view.bodies:
        for label in (x for x in view.labels[body.source] if x.field == "merchant"):
            span = span_behind(body.text, label.start, label.end, view.heads[body.source], inside=inside)
            if span and (name := clean_name(_PLACE.sub("", body.text[span[0] : span[1]]))):
                strength = max(strength, 0.8) if body.folded[label.start : label.end].endswith("名") else strength
                told = HANDS_IN.fullmatch(body.folded[label.start : label.end]) and inside
                yield _reading(name, body.source, body.text[label.start : span[1]], SENDS if told else strength)


def _reading(name: str, source: str, text: str, strength: float) -> Reading:
    """A shop belongs to the whole mail, not to a place in it."""
    return Reading(
        field="merchant",
        value=name[:MAX_MERCHANT],
        extractor="merchant",
        source=source,
        text=evidence_text(text),
        strength=strength,
    )
