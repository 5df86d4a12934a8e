"""Amounts that a sentence says were given back: "We have refunded $42.00 to your card".

Belongs here: the amount in the sentence of a refund. Not here: labelled amounts (label_money), phrases (label_tables).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from orders_pipeline.extract.extractor import Reading, could_be
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.money import NumberStyle, find_money, style_of
from orders_pipeline.extract.status import MAX_PHRASES, conditional
from orders_pipeline.extract.status_phrases import find_phrases
from orders_pipeline.extract.text import evidence_text
from orders_pipeline.extract.view import Body, View
from orders_pipeline.models import OrderStatus

STRENGTH = 0.55  # less than any label of a total
TOLD = 0.96  # more than one, when the subject speaks of a refund: "of your order over $66.00"
_READ = 4_000
_REACH = 160  # characters of a sentence on each side of the phrase
STEM = Finder(
    r"refund|erstatt|ruckzahl|gutschrift|rembours|reembols|rimbors|terugbeta|teruggest|terug|aterbeta"
    r"|estorn|zwr|返金"
)
_ENDS = re.compile(r"[.!?] |\n|。")


class RefundExtractor:
    """Reads the one amount of a sentence that tells of a refund."""

    name = "refunds"
    most = (could_be("total"), could_be("currency"))

    def matches(self, view: View) -> bool:
        return bool(view.tables) and STEM.search(view.folded) is not None

    def extract(self, view: View) -> list[Reading]:
        found: list[Reading] = []
        for body in (view.subject, *view.bodies):
            strength = TOLD if STEM.search(view.subject.folded) else STRENGTH
            style = style_of(
                body.text, domain=view.sender_domain, language=view.tables[0].language if view.tables else None
            )
            found += self._amounts(body, view, style, strength)
        return found

    def _amounts(self, body: Body, view: View, style: NumberStyle, strength: float) -> Iterator[Reading]:
        text = body.folded[:_READ]
        for match, meaning in islice(find_phrases(view.tables, text, weak=False), MAX_PHRASES):
            if meaning.status is not OrderStatus.REFUNDED or conditional(text, match.start(), meaning.conditions):
                continue
            before = max(
                (e.end() for e in _ENDS.finditer(text, max(0, match.start() - _REACH), match.start())), default=0
            )
            start = max(before, match.start() - _REACH)
            end = behind.start() if (behind := _ENDS.search(text, match.end())) else len(text)
            sentence = body.text[start : min(end, match.end() + _REACH)]
            amounts = [m for m in find_money(sentence, style) if m.amount and m.amount > 0 and m.currency]
            if re.search(r"[:\t]", sentence):
                continue  # a label and its value, which other readers know better
            if len({(m.amount, m.currency) for m in amounts}) != 1:
                continue
            for field, value in (("total", amounts[0].amount), ("currency", amounts[0].currency)):
                yield Reading(
                    field=field, value=value, extractor=self.name, source=body.source, text=evidence_text(sentence),
                    strength=strength, offset=match.start(),
                )  # fmt: skip
