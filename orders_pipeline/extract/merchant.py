"""Who sold it.

Belongs here: the shop's name from the sender, the text, the subject. Not here: rules of one sender.
A carrier or a mailing service is not the shop: then only the text can name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import tldextract

from orders_pipeline.extract.carriers import carrier_of_domain, name_pattern
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.cells import begins_cell, cell_end, cells_behind, stands_alone
from orders_pipeline.extract.text import evidence_text, fold, one_line
from orders_pipeline.extract.view import View
from orders_pipeline.models import Address

MAX_MERCHANT = 80

# Where anyone can have a mailbox, and services that send for shops: their names say nothing of the shop.
MAIL_HOSTS = frozenset(
    "gmail googlemail outlook hotmail live yahoo icloud aol gmx web proton protonmail mail me msn yandex qq 163 orange "
    "wanadoo free laposte libero t-online mac ymail zoho fastmail comcast".split()
)
SENDING_SERVICES = frozenset(
    "shopifyemail shopify sendgrid mailgun mailchimp mandrillapp amazonses sparkpostmail klaviyomail klaviyo narvar "
    "aftership parcelpanel parcellab sendcloud shipstation squarespace wix woocommerce bigcommerce stripe square "
    "messaging-squareup sendinblue brevo postmarkapp mailjet rsgsv mcsv exacttarget example".split()
)
MARKETPLACES = frozenset({"etsy", "paypal", "klarna", "allegromail", "rakuten", "route", "shop"})

_VIA = re.compile(r"\s+(?:via|by|através de|über|par|von)\s+.*$|\s*\((?:via|by|über)[^)]*\)$", re.IGNORECASE)
_NOISE = re.compile(
    r"(?:^|[\s|\-–,:]+)(?:no-?_?reply|do-?not-?reply|noreply|customer (?:service|care|support|relations)|kundenservice|kundendienst|service client"
    r"|support(?: team)?|orders?(?: (?:team|confirmation|updates?|department))?|order (?:status|update)|receipts?|billing|invoices?|payments?|shipping|sales"
    r"|online(?: ?shop| store)?|team|notifications?|info|help(?:desk)?|e-?tickets?|service|bestellung(?:en)?|versand|rechnung|shipment[- ]tracking|auto-confirm|updates?|delivery)$",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"^(?:noreply|no-reply|team|your friends at|the team at|from|orders? (?:at|from)|support at|bestellungen?|service(?:client)?(?: de| von)?)[\s:@]+", re.IGNORECASE)
_JUNK = re.compile(r"^[\W\d_]*$|^(?:order|shipping|delivery|payment|booking) ?(?:confirmation|notification|update|status)?s?$|noreply|no-reply|donotreply|example (?:company|sender)|\{\{|\[[A-Z]|^(?:shop|store|info|orders?|service|mail|customer|you|your|the|us|our team|here)$", re.IGNORECASE)


class MerchantExtractor:
    """Reads the shop's name from sender, subject and text."""

    name = "merchant"

    def matches(self, view: View) -> bool:
        return bool(view.email.sender.name or view.email.sender.address or view.tables)

    def extract(self, view: View) -> list[Reading]:
        brand = brand_of(view.sender_domain)
        between = carrier_of_domain(view.sender_domain) is not None or brand in MARKETPLACES
        found = [*_from_subject(view), *_from_text(view, 0.9 if between else 0.45), *_from_labels(view, 0.85 if between else 0.3)]
        if carrier_of_domain(view.sender_domain) is None:
            found += _from_sender(view, brand)
        return [r for r in found if r.value]


def brand_of(domain: str) -> str:
    """The registered name in a domain, folded: "mail.shop.example.co.uk" gives "example"."""
    if not domain:
        return ""
    parts = _extract()(domain)
    if not parts.suffix and parts.subdomain:  # a top level that is in no list, such as a company's own
        return parts.subdomain.rpartition(".")[2].lower()
    return parts.domain.lower()


@cache
def _extract() -> tldextract.TLDExtract:
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def clean_name(name: str) -> str | None:
    """A display name as a shop's name: without 'via', departments and marks; None when nothing is left."""
    name = one_line(name, 200).strip("\"'<>[]()|*「」【】 ")
    if "@" in name:
        return None
    name = _PREFIX.sub("", _VIA.sub("", name))
    for _ in range(3):
        name = _NOISE.sub("", name).strip(" -–|,:;.®™\"'")
    if not name or _JUNK.search(name):
        return None
    return name[:MAX_MERCHANT]


def _is_carrier(name: str) -> bool:
    """Whether a name is a carrier's and nothing else ("your Royal Mail parcel")."""
    match = name_pattern().search(fold(name))
    return match is not None and len(match.group()) >= len(name) - 2


def _from_sender(view: View, brand: str) -> Iterator[Reading]:
    sender = view.email.sender
    if name := clean_name(sender.name):
        strength = 0.5 if brand in MARKETPLACES else 0.7
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


def _from_text(view: View, strength: float) -> Iterator[Reading]:
    pattern = _shop_pattern(view.tables)
    if pattern is None:
        return
    for body in (view.subject, *view.bodies):
        for match in pattern.finditer(body.folded[:8_000]):
            group = match.lastgroup or ""
            name = clean_name(body.text[match.start(group) : match.end(group)])
            if name and not _is_carrier(name) and not re.match(r"(?:a|an|the|our|us|your|my|you|one|all|this|his|her|their|unserem|unserer|uns|notre|nos|le|la|les)\b", fold(name)):
                more = 0.3 if any(t.language == "ja" for t in view.tables) else 0.05 if body.source == "subject" else 0.0
                yield _reading(name, body.source, body.text[match.start() : match.end()], min(1.0, strength + more), match.start())


_SUBJECT_SHOP = re.compile(r"^\s*(?:【([^】]{2,30})】|\[([^\]]{2,30})\]|([^::【】\[\]]{2,25})[::] ?(?=.{2}))")
_NO_SHOP = re.compile(
    r"(?:re|fwd?|aw|wg|tr|sv|order(?:ed)?|shipped|delivered|dispatched|arriving|out for delivery|update|reminder|action|important|notice|your|new|payment|receipt|invoice|confirmation|confirmed|delivery|shipment|shipping|package|status"
    r"|bestellt|versandt|geliefert|zugestellt|bestell|rechnung|ihre|deine|expedie|livre|commande|facture|votre|重要|お知らせ|ご注文|注文|発送|出荷|自動|再送|至急)", re.IGNORECASE)


def _from_subject(view: View) -> Iterator[Reading]:
    """"[Shop] Order confirmed", "Shop: your order"."""
    match = _SUBJECT_SHOP.match(view.subject.text)
    if match and not _NO_SHOP.match(fold(match.group(match.lastindex or 0).strip())) and not re.search(r"\d{3}|\s\S+\s\S+\s\S+\s", match.group()):
        if name := clean_name(match.group(match.lastindex or 0)):
            yield _reading(name, "subject", view.subject.text, 0.55)


def _from_labels(view: View, strength: float) -> Iterator[Reading]:
    for body in view.bodies:
        for label in view.labels[body.source]:
            if label.field == "merchant" and (span := _labelled_span(body.text, label.start, label.end)):
                if name := clean_name(body.text[span[0] : span[1]]):
                    yield _reading(name, body.source, body.text[label.start : span[1]], strength, label.start)


def _labelled_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where a name behind a label stands: after a colon, or in the next cell; None when it is too long for a name."""
    if stands_alone(text, end):
        span = next(cells_behind(text, end, 1), None)
    else:
        colon = re.compile(r" ?[:：] ?").match(text, end)
        span = (colon.end(), cell_end(text, end)) if colon and begins_cell(text, start) else None
    return span if span and span[1] - span[0] <= 60 else None


def _reading(name: str, source: str, text: str, strength: float, offset: int = -1) -> Reading:
    return Reading(field="merchant", value=name[:MAX_MERCHANT], extractor="merchant", source=source, text=evidence_text(text), strength=strength, offset=-1)


@cache
def _shop_pattern(tables: tuple[LabelTable, ...]) -> re.Pattern[str] | None:
    parts, count = [], 0
    for table in tables:
        for shop in table.shops:
            # Each pattern's groups get names of their own, so that patterns of several languages join.
            renamed, n = re.subn(r"\(\?P<shop\d*>", lambda m: f"(?P<s{count}_{m.start()}>", shop)
            count += n
            parts.append(fold_pattern(renamed))
    return re.compile("|".join(parts), re.MULTILINE) if parts else None


def fold_pattern(pattern: str) -> str:
    """Fold a pattern's literals but not the names of its groups."""
    return re.sub(r"(\(\?P<[^>]*>)|(.)", lambda m: m[1] or fold(m[2]), pattern)
