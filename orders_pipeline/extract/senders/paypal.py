"""PayPal: receipts for payments to shops.

The transaction is the order number, seventeen letters and digits (an order that is not charged yet has "O-" before
them). The shop is named in the first sentence or under "Merchant" or "Seller".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orders_pipeline.extract.extractor import Reading, could_be
from orders_pipeline.extract.senders.family import CERTAIN, reading, sent_by
from orders_pipeline.extract.shop_names import clean_name
from orders_pipeline.extract.view import Body, View
from orders_pipeline.models import OrderStatus

_TRANSACTION = re.compile(r"(?<![\w-])(?:O-)?(?=[0-9A-Z]{0,16}\d)(?=[0-9A-Z]{0,16}[A-Z])[0-9A-Z]{17}(?![\w-])")
_PAID_TO = re.compile(
    r"(?:(?:sent|made|authorized|authorised) (?:a )?payment of|donated|submitted an order (?:amounting to"
    r"|in the amount of|of)"
    r"|zahlung (?:uber|in hohe von|von)|envoye un paiement de|enviado un pago de|inviato un pagamento di"
    r"|bezahlt|paid)"
    r"[^\n]{1,30}? (?:to|an|a|aan) ([^\n\t(@]{2,60}?)(?: ?\(|[.!]?$|[\n\t]| using| for | mit "
    r"| gesendet| gezahlt| uberwiesen)",
    re.MULTILINE,
)
_REFUND_FROM = re.compile(
    r"^(?:refund|ruckzahlung|ruckerstattung|remboursement|reembolso|rimborso|terugbetaling) (?:from|von|de|da|van) "
    r"([^\n\t]{2,60}?)[.!]?$"
    r"|^([^\n\t,]{2,60}?) (?:just |has ){0,2}sent you a (?:full |partial )?refund",
    re.MULTILINE,
)
_NUMBERED = re.compile(
    r"transa[ck]tion|authori[sz]ation|confirmation|code|operation|transazione|transaccion|transactie"
)
_SENT = re.compile(  # no word of a payment, and money all the same
    r"(?:you(?: have|'ve)? sent|sie haben|vous avez envoye|has enviado|hai inviato|je hebt) [^\n]{0,8}\d[^\n]{0,16}"
    r" (?:to|an|a|aan) [^\n]"
)
_EARLIER = re.compile(r"original|ursprunglich|initiale?|d'origine|oorspronkelijk|originale")
_PURCHASE_AT = re.compile(r"receipt for your (?:purchase|payment) (?:at|to) ([^\n\t]{2,60}?)[.!]?$", re.MULTILINE)


class PaypalExtractor:
    """Reads the transaction number by its shape and the shop from the sentence that tells of the payment."""

    name = "paypal"
    most = (could_be("order_number"), could_be("status"), could_be("status", source="subject"))

    def matches(self, view: View) -> bool:
        return sent_by(view, "paypal") or "paypal" in view.folded[:2_000]

    def extract(self, view: View) -> list[Reading]:
        bodies = (view.subject, *view.bodies)
        found = [r for body in bodies for r in (*self._numbers(body), *self._shops(body))]
        if sent_by(view, "paypal") and any(r.field == "order_number" for r in found):
            found += [r for body in bodies for r in self._sent(body)]
        return found

    def _sent(self, body: Body) -> Iterator[Reading]:
        if match := _SENT.search(body.folded[:2_000]):
            yield reading(
                self.name, "status", OrderStatus.CONFIRMED, body, match.start(), match.end(), strength=0.7
            )  # fmt: skip

    def _numbers(self, body: Body) -> Iterator[Reading]:
        for match in _TRANSACTION.finditer(body.text[:20_000]):
            before = body.folded[max(0, match.start() - 60) : match.start()]
            if _NUMBERED.search(before) and not _EARLIER.search(before):
                yield reading(self.name, "order_number", match.group(), body, match.start(), match.end())

    def _shops(self, body: Body) -> Iterator[Reading]:
        for pattern in (_PAID_TO, _PURCHASE_AT, _REFUND_FROM):
            for match in pattern.finditer(body.folded[:20_000]):
                group = match.lastindex or 1
                if name := clean_name(body.text[match.start(group) : match.end(group)]):
                    yield reading(self.name, "merchant", name, body, match.start(), match.end(), strength=CERTAIN)
