"""Carriers that no table knows, when they write themselves.

Belongs here: telling that a mail's sender carries and another sells. Not here: known carriers (carriers), carriers
named by a shop (label_carriers).
"""

from __future__ import annotations

import re

from orders_pipeline.extract.brands import MAIL_HOSTS, MARKETPLACES, brand_of, is_known_brand
from orders_pipeline.extract.carriers import carrier_of_domain
from orders_pipeline.extract.cells import span_behind
from orders_pipeline.extract.label_carriers import NAMING, read_carrier
from orders_pipeline.extract.shop_names import clean_name
from orders_pipeline.extract.text import fold
from orders_pipeline.extract.view import View

# The word for who hands a parcel in: a shop that writes itself would not name its "sender".
HANDS_IN = re.compile(
    r"sender|shipper|absender|versender|auftraggeber|versendet von|expediteur|remitente|mittente|afzender|avsandare"
    r"|nadawca(?: paczki| przesyłki)?|od nadawcy|remetente|ご依頼主|送り主|発送元|差出人|荷送人"
)


def acting_carrier(view: View) -> str | None:
    """The sender's name when the mail shows that it carries a parcel of another's and no table knows it; else None.

    Either the mail calls its sender the carrier, or it has a tracking number and no order number, and names another
    as the parcel's sender.
    """
    brand = brand_of(view.sender_domain)
    name = clean_name(view.email.sender.name)
    if not name or carrier_of_domain(view.sender_domain) or brand in MAIL_HOSTS or brand in MARKETPLACES:
        return None
    if is_known_brand(brand):
        return None
    return name if _called_carrier(view, fold(name)) or _carries_for_another(view, fold(name)) else None


def _called_carrier(view: View, sender: str) -> bool:
    labels = ((x, body) for body in view.bodies for x in view.labels[body.source] if x.field == "carrier")
    return any(
        fold(str(r.value)) == sender
        for x, body in labels
        if x.tier >= NAMING
        for r in read_carrier(x, body, view.heads[body.source])
    )


def _carries_for_another(view: View, sender: str) -> bool:
    fields = {x.field for body in view.bodies for x in view.labels[body.source] if x.tier >= NAMING}
    if "tracking_number" not in fields or "order_number" in fields:
        return False
    for body in view.bodies:
        for label in view.labels[body.source]:
            if label.field != "merchant" or not HANDS_IN.fullmatch(body.folded[label.start : label.end]):
                continue
            span = span_behind(body.text, label.start, label.end, view.heads[body.source])
            other = clean_name(body.text[span[0] : span[1]]) if span else None
            if other and fold(other) != sender:
                return True
    return False
