"""Carriers behind their labels.

Belongs here: which carrier a label names, also one that no table knows. Not here: the known carriers (carriers),
carriers named without a label (tracking).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from orders_pipeline.extract.carriers import carrier_named
from orders_pipeline.extract.cells import begins_cell, cell_end, name_cell, stands_alone
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.label_index import Label
from orders_pipeline.extract.label_reading import label_reading
from orders_pipeline.extract.text import one_line
from orders_pipeline.extract.view import Body

NAMING = 9  # a label from this tier on names a carrier, a weaker one a way of shipping
_COLON = re.compile(r" ?[:：] ?")
# A name of its own: capitals or another script in each of up to four words, no number, no sentence.
_NAME = re.compile(
    r"(?:[^\W\d_a-z][\w&.'’-]{1,24}|&|de|of|la)(?: (?:[^\W\d_a-z][\w&.'’-]{0,24}|&|de|of|la|und"
    r"|and)){0,3}"
)
_NO_CARRIER = re.compile(
    r"(?:standard|express|economy|free|tracked|track|paket|parcel|pick|click|home|versand|envio|livraison"
    r"|n/?a|your|ihre?|votre|the)\b",
    re.IGNORECASE,
)


def read_carrier(label: Label, body: Body, heads: Mapping[int, int]) -> Iterator[Reading]:
    """The known carrier behind a label, or the whole name of an unknown one.

    ``heads`` are the labels of the body (start to end).
    """
    text = body.text
    end = min(cell_end(text, label.end), label.end + 60)
    alone = stands_alone(text, label.end)
    spans = [(label.end, end)]
    if alone and (cell := name_cell(text, label.end, heads)):
        spans.append(cell)
    for start, stop in spans:
        if carrier := carrier_named(text[start : min(stop, start + 60)]):
            yield label_reading("carrier", carrier.name, label, body, stop)
            return
    if label.tier < NAMING or not begins_cell(text, label.start):
        return
    colon = _COLON.match(text, label.end)
    span = spans[-1] if alone and len(spans) > 1 else (colon.end(), end) if colon else None
    name = one_line(text[span[0] : span[1]], 60).strip(" .") if span else ""
    if span and _NAME.fullmatch(name) and not _NO_CARRIER.match(name):
        yield label_reading("carrier", name, label, body, span[1], less=0.05)
