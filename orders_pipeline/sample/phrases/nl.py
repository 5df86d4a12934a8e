"""Dutch order and parcel mail. Only sentences belong here; one voice, for one shop writes Dutch."""

from orders_pipeline.models import OrderStatus as S
from orders_pipeline.sample.phrases.base import Labels, Phrases, Telling

_LABELS = Labels(
    order_number="Bestelnummer",
    order_date="Besteldatum",
    item="Artikel",
    quantity="Aantal",
    price="Prijs",
    subtotal="Subtotaal",
    shipping="Verzendkosten",
    free="gratis",
    discount="Korting",
    tax_included="waarvan btw ({rate} %)",
    tax_added="btw ({rate} %)",
    total="Totaalbedrag",
    refund="Terugbetaald bedrag",
    tracking="Track & trace-code",
    carrier="Vervoerder",
    expected="Verwachte bezorging",
    address="Bezorgadres",
    payment="Betaalwijze",
    paid_by="Kaart eindigend op 0042",
    view="Bekijk je bestelling",
    track="Volg je pakket",
)


def _both(subject: str, text: str) -> tuple[Telling, Telling]:
    return Telling(subject, text), Telling(subject, text)


DUTCH = Phrases(
    language="nl",
    colon=":",
    hello=("Beste {name},", "Beste {name},"),
    bye=("Bedankt voor je bestelling. Team {shop}", "Bedankt voor je bestelling. Team {shop}"),
    small_print="Vragen? Beantwoord gewoon dit bericht. Je krijgt het omdat je bij ons hebt besteld.",
    parcel_of="Dit is pakket {n} van {count}; de rest komt apart.",
    pickup_point="Afhaalpunt: Kiosk bij de Oude Molen, open tot 20:00 uur. Neem een identiteitsbewijs mee.",
    sender="Afzender",
    labels=(_LABELS, _LABELS),
    shop={
        S.CONFIRMED: _both(
            "Bevestiging van je bestelling {number}",
            "bedankt voor je bestelling. We hebben hem ontvangen en gaan aan de slag. Dit is je overzicht.",
        ),
        S.SHIPPED: _both("Je bestelling {number} is verzonden", "je bestelling heeft ons magazijn verlaten."),
        S.CANCELLED: _both(
            "Je bestelling {number} is geannuleerd", "je bestelling is geannuleerd. Er wordt niets afgeschreven."
        ),
        S.REFUNDED: _both(
            "Terugbetaling van je bestelling {number}",
            "we hebben je retour ontvangen en het bedrag aan je terugbetaald.",
        ),
    },
    carrier={
        S.OUT_FOR_DELIVERY: Telling(
            "Je pakket van {shop} komt vandaag", "je pakket is onderweg met de bezorger en komt vandaag aan."
        ),
        S.READY_FOR_PICKUP: Telling(
            "Je pakket {tracking} ligt klaar", "je pakket ligt zeven dagen klaar om af te halen."
        ),
        S.DELAYED: Telling("Je pakket {tracking} is vertraagd", "je pakket is vertraagd. We bezorgen het nu op {day}."),
        S.DELIVERED: Telling("Je pakket is bezorgd", "we hebben je pakket van {shop} bezorgd."),
    },
)
