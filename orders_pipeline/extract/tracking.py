"""Tracking numbers that stand without a label: in links to carriers, or in a shape that nothing else has.

Belongs here: finding them with their carriers. Not here: labelled numbers (labels), names of carriers (carriers).
A check digit alone is no proof: a random 12 digit string passes one time in ten. So plain digits count only with a
carrier's link, mail or words around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from orders_pipeline.extract.carriers import (
    UPU,
    Carrier,
    carrier_in_match,
    carrier_named,
    carrier_of_domain,
    name_pattern,
    sure_pattern,
)
from orders_pipeline.extract.extractor import Reading, could_be
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.text import evidence_text
from orders_pipeline.extract.unknown_carriers import acting_carrier
from orders_pipeline.extract.view import Body, View
from orders_pipeline.models import OrderStatus

UNDER_WAY = 0.1  # any phrase says more
MAX_NAMES = 20  # names of carriers looked at in a body
_PARAMETER = re.compile(
    r"(?<![a-z])(?:track(?:ing)?_?-?(?:numbers?|nums?|no|id|code)?s?|tracknums?|tracknumbers|inquirynumbers?"
    r"|tlabels|qtc_tlabels1|strorigtracknum"
    r"|piececode|idc|parcel(?:number|no|id)?|shipment(?:number|no|id)?|consignment(?:number)?|awb|barcode"
    r"|okurijono|numero|code|colis|parcelcode|searchtracknum"
    r"|sendungsnummer|z|match|requestno\d*|reqcodeno1?)=([0-9a-z][0-9a-z-]{7,34})(?![0-9a-z])"
)
_ANY_PARAMETER = re.compile(r"[?&](?:number|num|nums|nr|no|n|id|ref|tn|q|query|data)=([0-9a-z]{8,34})(?![0-9a-z])")
_PATH = re.compile(r"/([0-9a-z]{8,34})(?=[-/?#&]|$)")
_SPEAKING = (
    r"track|trac|sendung|suivi|parcel|package|colis|paket|pakk|zending|bezorg|barcode|kolli|paczk|przesyl"
    r"|przesył|spedizion"
    r"|envi|seguimiento|entrega|lever|wysył|encomenda|追跡|配送|伝票|送り状|問い?合わ?せ|shipment|deliver"
)
_WORDS = re.compile(_SPEAKING, re.IGNORECASE)
_FOLDED_WORDS = re.compile(_SPEAKING)  # for folded text: ten times as fast as with IGNORECASE
_MENTION = Finder(rf"{_SPEAKING}|shipp|versand|versend|verschick|unterwegs|verstuurd|verzonden|skicka|wysł|expedi")


class TrackingExtractor:
    """Reads tracking numbers from links and from text where their shape gives them away; and names carriers."""

    name = "tracking"
    most = (could_be("tracking_number"), could_be("status", source="header", strength=UNDER_WAY))

    def matches(self, view: View) -> bool:
        return bool(_MENTION.search(view.folded)) or bool(carrier_of_domain(view.sender_domain))

    def extract(self, view: View) -> list[Reading]:
        sender = carrier_of_domain(view.sender_domain)
        readings = [
            *_from_links(view),
            *(r for body in (view.subject, *view.bodies) for r in _from_shape(body, sender)),
        ]
        if sender:
            readings.append(self._carrier(sender.name, "header", view.email.sender.address, 1.0))
            if any(r.field == "tracking_number" for r in readings) or _labelled(view):
                readings.append(_under_way(view.email.sender.address))
        elif unknown := acting_carrier(view):
            text = view.email.sender.name
            readings.append(self._carrier(unknown, "header", text, 0.9))
            readings.append(_under_way(text))
        elif named := carrier_named(view.email.sender.name):
            readings.append(self._carrier(named.name, "header", view.email.sender.name, 0.55))
        readings += _named_carriers(view)
        return readings

    def _carrier(self, name: str, source: str, text: str, strength: float) -> Reading:
        return Reading(
            field="carrier",
            value=name,
            extractor=self.name,
            source=source,
            text=evidence_text(text),
            strength=strength,
        )


def _labelled(view: View) -> bool:
    return any(x.field == "tracking_number" and x.tier >= 9 for body in view.bodies for x in view.labels[body.source])


def _under_way(address: str) -> Reading:
    """A carrier that writes of a parcel has it, whatever words it uses."""
    return Reading(
        field="status", value=OrderStatus.SHIPPED, extractor="tracking", source="header", text=evidence_text(address),
        strength=UNDER_WAY,
    )  # fmt: skip


def _from_links(view: View) -> Iterator[Reading]:
    for link in view.links:
        lowered = link.lower()
        carrier = _carrier_of_link(lowered)
        if carrier and carrier.name == "La Poste" and "colissimo" in view.folded:
            carrier = carrier_named("colissimo")  # one site for all of its parcels
        known = carrier is not None
        if not known and not re.search(r"track|parcel|sendung|suivi", lowered):
            continue
        for match in _candidates(lowered, known):
            number = link[match.start(1) : match.end(1)]
            if not _plausible(number, carrier):
                continue
            text = evidence_text(link)
            yield Reading(
                field="tracking_number",
                value=number.upper(),
                extractor="tracking",
                source="link",
                text=text,
                strength=0.75 if known else 0.5,
            )
            if carrier:
                yield Reading(
                    field="carrier", value=carrier.name, extractor="tracking", source="link", text=text, strength=0.85
                )
            break


def _carrier_of_link(link: str) -> Carrier | None:
    """The carrier whose site a link leads to, also when it is wrapped in another's link."""
    for match in re.finditer(r"https?://([a-z0-9.-]{4,80})", link):
        if carrier := carrier_of_domain(match.group(1).removeprefix("www.")):
            return carrier
    return None


def _candidates(link: str, known: bool) -> Iterator[re.Match[str]]:
    """Named parameters first; on a carrier's own site also the parts of the path."""
    yield from _PARAMETER.finditer(link)
    if known:
        yield from _ANY_PARAMETER.finditer(link)
        yield from _PATH.finditer(link)


def _plausible(number: str, carrier: Carrier | None) -> bool:
    """A number with enough digits, in a shape that its carrier uses if we know the shapes."""
    digits = sum(c.isdigit() for c in number)
    lowered = number.lower()
    if re.fullmatch(r"20\d{6}(?:\d{4,6})?", number) or digits < 6:
        return False
    if carrier and (carrier.sure or carrier.usual):
        shapes = "|".join(p for p in (carrier.sure, carrier.usual) if p)
        return bool(re.fullmatch(shapes, lowered)) or bool(UPU.pattern.fullmatch(lowered))
    return digits >= 8 and (len(number) >= 10)


def _from_shape(body: Body, sender: Carrier | None) -> Iterator[Reading]:
    for match in sure_pattern().finditer(body.folded):
        yield from _shaped(match, carrier_in_match(match), body, 0.8)
    for match in UPU.finditer(body.folded):
        if sender or _WORDS.search(body.line_at(match.start())):
            yield from _shaped(match, None, body, 0.7)
    if sender and sender.usual:
        for match in re.finditer(rf"(?<![^\W_])(?:{sender.usual})(?![^\W_])", body.folded):
            digits = sum(c.isdigit() for c in match.group())
            if digits >= 8 and _WORDS.search(body.line_at(match.start())):
                yield from _shaped(match, sender, body, 0.55)


def _shaped(match: re.Match[str], carrier: Carrier | None, body: Body, strength: float) -> Iterator[Reading]:
    value = body.text[match.start() : match.end()].replace(" ", "").upper()
    text = evidence_text(body.line_at(match.start()))
    yield Reading(
        field="tracking_number",
        value=value,
        extractor="tracking",
        source=body.source,
        text=text,
        strength=strength,
        offset=match.start(),
    )
    if carrier:
        yield Reading(
            field="carrier",
            value=carrier.name,
            extractor="tracking",
            source=body.source,
            text=text,
            strength=0.6,
            offset=match.start(),
        )


def _above_number(folded: str, start: int, match: re.Match[str]) -> bool:
    """Whether a carrier's name fills its line and the next one speaks of tracking: "FedEx", "Tracking #7812"."""
    end = match.end()
    return match.start() - start <= 2 and folded[end : end + 1] == "\n" and "track" in folded[end : end + 24]


_BEHIND_NAME = re.compile(r"(?:[ :()#\t–-]|no\b\.?|nr\b\.?){1,6}([0-9a-z]{10,24})(?![^\W_])")


def _beside_name(body: Body, carrier: Carrier, end: int) -> Iterator[Reading]:
    """A number right behind a carrier's name, in a shape that this carrier uses: "Parcel 2: DPD 1550..."."""
    behind = _BEHIND_NAME.match(body.folded, end)
    if behind is None or not carrier.usual or not re.fullmatch(carrier.usual, behind[1]):
        return
    if sum(c.isdigit() for c in behind[1]) >= 10:
        for r in _shaped(behind, carrier, body, 0.6):
            yield replace(r, value=behind[1].upper()) if r.field == "tracking_number" else r


_BESIDE = re.compile(
    r"track|shipp|sendung|versand|versend|paket|suivi|transporteur|colis|corriere|spedi|tracciab|kurier|przesyl"
    r"|left (?:our|the)|manos|maos|warehouse|dispatch|despatch|envio|enviado|transport|verzend|bezorg|en camino"
    r"|onderweg"
    r"|its way|zustell|sparning|zending|pakket|kolli|przesył|in viaggio|w drodze|pa vag|skicka|wysłan|przewoz"
    r"|発送|出荷|配送|運送|追跡|宅配|お届け|via|courier|carrier|ubergeben|remis|confie|affidat|dostaw|dorecz|deliver"
)


def _named_carriers(view: View) -> Iterator[Reading]:
    """Carriers named beside words of shipping: closer is stronger; a list of carriers on one line names none."""
    for body in (view.subject, *view.bodies):
        for match in islice(name_pattern().finditer(body.folded), MAX_NAMES):
            carrier = carrier_in_match(match)
            yield from _beside_name(body, carrier, match.end())
            start = body.folded.rfind("\n", 0, match.start()) + 1
            around = body.folded[max(start, match.start() - 40) : match.end() + 40].split("\n")[0]
            if not _BESIDE.search(around) and not _above_number(body.folded, start, match):
                continue
            end = body.folded.find("\n", match.end())
            line = name_pattern().pattern.finditer(body.folded, start, end if end >= 0 else len(body.folded))
            if len({carrier_in_match(m).name for m in line}) == 1:
                yield Reading(
                    field="carrier",
                    value=carrier.name,
                    extractor="tracking",
                    source=body.source,
                    text=evidence_text(around),
                    strength=0.5,
                    offset=match.start(),
                )
