"""What has happened to an order, told by a subject alone, in many languages."""

from __future__ import annotations

import pytest

from orders_pipeline.extract.status import StatusExtractor
from orders_pipeline.extract.view import build_view
from orders_pipeline.models import OrderStatus
from orders_pipeline_tests.extract.mails import mail, only_order

SUBJECTS = (
    *(
        (text, OrderStatus.OUT_FOR_DELIVERY)
        for text in (
            "Your package is out for delivery",
            "FedEx: Your package is scheduled for delivery today",
            "Out for Delivery: Your Amazon order",
            "Arriving today: Bird Feeder",
            "Your parcel will be delivered today",
            "DHL On Demand Delivery: Your shipment is arriving today",
            "Ihr Paket wird heute zugestellt",
            "Wird heute zugestellt: Teekanne",
            "In Zustellung: Teekanne",
            "Votre colis est en cours de livraison",
            "Votre colis arrive aujourd'hui",
            "Tu paquete llega hoy",
            "In consegna: il tuo pacco",
            "Je pakket wordt vandaag bezorgd",
            "Paczka wydana do doręczenia",
            "Seu pedido saiu para entrega",
        )
    ),
    *(
        (text, OrderStatus.DELAYED)
        for text in (
            "USPS® Delivery Exception",
            "Your order has been delayed",
            "Delivery attempted: we missed you",
            "We were unable to deliver your package",
            "There's a delay with your delivery",
            "Update: your delivery is running late",
            "Ihre Lieferung verzögert sich",
            "Votre colis a du retard",
            "Tu pedido se retrasa",
            "Il tuo pacco è in ritardo",
            "【重要】発送遅延のお知らせ ご注文",
        )
    ),
    *(
        (text, OrderStatus.DELIVERED)
        for text in (
            "Your order has been delivered",
            "Delivered: Bird Feeder",
            "Your package was left at the front door",
            "We've delivered your parcel",
            "Package delivered to your mailbox",
            "Geliefert: Teekanne",
            "Dein Paket wurde zugestellt",
            "Ihr Paket ist da",
            "Livré : votre colis",
            "Votre colis a été livré",
            "Entregado: Tetera",
            "Il tuo pacco è stato consegnato",
            "Consegnato: Teiera",
            "Je pakket is bezorgd",
            "Twoja paczka została doręczona",
            "配達完了のお知らせ",
            "お届けが完了しました:お荷物",
            "Ditt paket har levererats",
            "Seu pedido foi entregue",
        )
    ),
    *(
        (text, OrderStatus.SHIPPED)
        for text in (
            "Your order has shipped!",
            "Shipped: Bird Feeder",
            "Your Garden Depot order is on its way",
            "Shipping confirmation for order 123",
            "Dispatch confirmation",
            "We've sent your order",
            "A shipping label has been created",
            "Versandt: Teekanne",
            "Ihre Bestellung wurde versendet",
            "Versandbestätigung zu Ihrer Bestellung",
            "Ihre Sendung ist unterwegs",
            "Votre commande a été expédiée",
            "Expédié : Théière",
            "Confirmation d'expédition",
            "Votre colis est en route",
            "Tu pedido ha sido enviado",
            "Enviado: Tetera",
            "Spedito: Teiera",
            "Il tuo ordine è stato spedito",
            "Je bestelling is verzonden",
            "Twoje zamówienie zostało wysłane",
            "商品発送のお知らせ",
            "Din order har skickats",
        )
    ),
    *(
        (text, OrderStatus.CONFIRMED)
        for text in (
            "Order confirmation",
            "Thanks for your order",
            "We received your order",
            "Order #123 confirmed",
            "Your order has been placed",
            "Payment received",
            "Bestellbestätigung",
            "Vielen Dank für Ihren Einkauf",
            "Confirmation de commande",
            "Merci pour votre commande",
            "Pedido confirmado",
            "Gracias por tu compra",
            "Conferma d'ordine",
            "Grazie per il tuo acquisto",
            "Orderbevestiging",
            "Potwierdzenie zamówienia",
            "ご注文ありがとうございます",
            "Confirmação do pedido",
        )
    ),
    *(
        (text, OrderStatus.CANCELLED)
        for text in (
            "Your order has been cancelled",
            "Order canceled: #123",
            "Cancellation confirmation",
            "Ihre Bestellung wurde storniert",
            "Stornierungsbestätigung",
            "Votre commande est annulée",
            "Tu pedido ha sido cancelado",
            "Il tuo ordine è stato annullato",
            "Je bestelling is geannuleerd",
            "Zamówienie zostało anulowane",
            "ご注文キャンセルのお知らせ",
        )
    ),
    *(
        (text, OrderStatus.PARTIALLY_CANCELLED)
        for text in (
            "Item cancelled from your order",
            "Teilstornierung Ihrer Bestellung",
        )
    ),
    *((text, OrderStatus.CANCEL_REQUESTED) for text in ("Your cancellation request was received",)),
    *(
        (text, OrderStatus.REFUNDED)
        for text in (
            "Your refund has been processed",
            "We've refunded your order",
            "Refund confirmation",
            "Advance refund issued",
            "Erstattung für Ihre Bestellung",
            "Votre commande a été remboursée",
            "Hemos reembolsado tu pedido",
            "返金のお知らせ ご注文",
        )
    ),
    *(
        (text, OrderStatus.RETURN_STARTED)
        for text in (
            "Your return is confirmed",
            "We received your return",
            "Your return label",
            "Ihre Rücksendung ist eingegangen",
        )
    ),
    *(
        (text, OrderStatus.READY_FOR_PICKUP)
        for text in (
            "Ready for pickup",
            "Your order is ready to collect",
            "Your parcel is available for collection",
            "Ihre Bestellung ist abholbereit",
            "Ihr Paket liegt zur Abholung bereit",
            "Votre commande est prête à être retirée",
            "Tu pedido está listo para recoger",
            "Il tuo pacco è pronto per il ritiro",
            "Je pakket ligt klaar",
            "Paczka czeka na odbiór w paczkomacie",
        )
    ),
)


def status_of(subject: str, lines: str = "") -> OrderStatus | None:
    """The strongest status of a message."""
    readings = StatusExtractor().extract(build_view(mail("Shop <a@shop.example>", subject, lines), "UTC"))
    best = max(readings, key=lambda r: r.strength, default=None)
    if best is None:
        return None
    assert isinstance(best.value, OrderStatus)
    return best.value


@pytest.mark.parametrize(("subject", "status"), SUBJECTS)
def test_a_subject_tells_the_status(subject: str, status: OrderStatus) -> None:
    """A template of another country or season is not understood, and the order stays as it was."""
    assert status_of(subject) is status


@pytest.mark.parametrize(
    "line",
    [
        "We will let you know when your order has shipped.",
        "Once your package has been delivered, you can return it.",
        "If your order was cancelled, you get a full refund.",
        "Sobald Ihre Bestellung versendet wurde, erhalten Sie eine E-Mail.",
        "Dès que votre colis a été expédié, vous recevrez un message.",
        "Cuando tu pedido ha sido enviado te avisamos.",
    ],
)
def test_a_promise_is_not_taken_for_the_deed(line: str) -> None:
    """Every confirmation promises a shipment, and would count as shipped."""
    assert status_of("Order confirmation", f"Thank you for your order.\n{line}") is OrderStatus.CONFIRMED


def test_the_subject_weighs_more_than_the_small_print() -> None:
    """The terms at the end speak of delays and refunds of any order."""
    terms = (
        "Some text about us. " * 300 + "Your order may be late. Refunds: your refund has been processed within days."
    )
    assert status_of("Your order has shipped", terms) is OrderStatus.SHIPPED


def test_the_steps_of_a_progress_bar_are_no_status() -> None:
    """'Delivered' as the last step of four marks a fresh order as delivered."""
    bar = "Thanks for your order!\nOrdered\nShipped\nOut for delivery\nDelivered"
    assert status_of("Your order", bar) is OrderStatus.CONFIRMED


def test_a_question_tells_of_nothing() -> None:
    """'Vous serez absent ?' makes a parcel that is on its way a delayed one."""
    lines = "Votre colis n° 8R40012345678 est en cours de livraison.\nVous serez absent ? Choisissez un autre jour."
    assert only_order(mail("Colissimo <n@colissimo.fr>", "Votre colis", lines)).status is OrderStatus.OUT_FOR_DELIVERY
