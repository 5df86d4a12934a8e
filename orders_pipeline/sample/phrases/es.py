"""Spanish order and parcel mail. Only sentences belong here; one voice, for one shop writes Spanish."""

from orders_pipeline.models import OrderStatus as S
from orders_pipeline.sample.phrases.base import Labels, Phrases, Telling

_LABELS = Labels(
    order_number="Número de pedido",
    order_date="Fecha del pedido",
    item="Artículo",
    quantity="Cantidad",
    price="Precio",
    subtotal="Subtotal",
    shipping="Gastos de envío",
    free="gratis",
    discount="Descuento",
    tax_included="IVA incluido ({rate} %)",
    tax_added="IVA ({rate} %)",
    total="Total del pedido",
    refund="Importe reembolsado",
    tracking="Número de seguimiento",
    carrier="Transportista",
    expected="Entrega prevista",
    address="Dirección de entrega",
    payment="Forma de pago",
    paid_by="Tarjeta terminada en 0042",
    view="Ver mi pedido",
    track="Seguir el envío",
)


def _both(subject: str, text: str) -> tuple[Telling, Telling]:
    return Telling(subject, text), Telling(subject, text)


SPANISH = Phrases(
    language="es",
    colon=":",
    hello=("Hola, {name}:", "Hola, {name}:"),
    bye=("Gracias por tu compra. El equipo de {shop}", "Gracias por tu compra. El equipo de {shop}"),
    small_print="¿Alguna pregunta? Responde a este mensaje. Lo recibes porque has hecho un pedido.",
    parcel_of="Este es el paquete {n} de {count}; el resto viaja por separado.",
    pickup_point="Punto de recogida: Quiosco del Molino Viejo, abierto hasta las 20:00. Trae tu documento.",
    sender="Remitente",
    labels=(_LABELS, _LABELS),
    shop={
        S.CONFIRMED: _both(
            "Confirmación de tu pedido {number}",
            "gracias por tu pedido. Lo hemos recibido y lo estamos preparando. Este es el resumen.",
        ),
        S.SHIPPED: _both("Tu pedido {number} ha sido enviado", "tu pedido ya ha salido de nuestro almacén."),
        S.CANCELLED: _both(
            "Tu pedido {number} ha sido cancelado", "tu pedido ha sido cancelado. No se te cobrará nada."
        ),
        S.REFUNDED: _both(
            "Reembolso de tu pedido {number}", "hemos recibido tu devolución y te hemos reembolsado el importe."
        ),
    },
    carrier={
        S.OUT_FOR_DELIVERY: Telling(
            "Tu paquete de {shop} llega hoy", "tu paquete está en reparto y llegará hoy a tu domicilio."
        ),
        S.READY_FOR_PICKUP: Telling(
            "Tu paquete {tracking} está listo para recoger", "tu paquete está listo para recoger durante siete días."
        ),
        S.DELAYED: Telling(
            "Retraso en la entrega de {tracking}", "tu paquete se retrasa. La nueva fecha de entrega es el {day}."
        ),
        S.DELIVERED: Telling("Tu paquete ha sido entregado", "hemos entregado tu paquete de {shop}."),
    },
)
