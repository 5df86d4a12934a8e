"""Amazon, in all countries.

Order numbers are 3-7-7 digits (D01-… for digital orders) and stand in the subject, the text, or only in links. The
name differs by country and department, the shop is always Amazon; sellers on its marketplace are not the shop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orders_pipeline.extract.extractor import Reading, could_be
from orders_pipeline.extract.senders.family import LIKELY, reading, sender_reading, sent_by
from orders_pipeline.extract.text import evidence_text
from orders_pipeline.extract.view import View

_ORDER = re.compile(r"(?<![\w-])(?:\d{3}|[A-Z]\d{2})-\d{7}-\d{7}(?![\w-])")
_IN_LINK = re.compile(r"order_?id[=/%3d]{1,4}((?:\d{3}|[A-Z]\d{2})-\d{7}-\d{7})(?!\d)", re.IGNORECASE)


class AmazonExtractor:
    """Reads order numbers by their shape and names the shop."""

    name = "amazon"
    most = (could_be("order_number"),)

    def matches(self, view: View) -> bool:
        return sent_by(view, "amazon")

    def extract(self, view: View) -> list[Reading]:
        numbers = list(self._numbers(view))
        return [sender_reading(self.name, "merchant", "Amazon", view), *(numbers or self._linked(view))]

    def _numbers(self, view: View) -> Iterator[Reading]:
        for body in (view.subject, *view.bodies):
            for match in _ORDER.finditer(body.text):
                yield reading(self.name, "order_number", match.group(), body, match.start(), match.end())

    def _linked(self, view: View) -> Iterator[Reading]:
        for link in view.links:
            if match := _IN_LINK.search(link):
                yield Reading(
                    field="order_number", value=match[1], extractor=self.name, source="link",
                    text=evidence_text(link), strength=LIKELY,
                )  # fmt: skip
