"""Spanish labels and phrases."""

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?: ?(?:n ?[°º]|n[.]º|no\b\.?|nro\b\.?|num\b\.?|numero|#|id\b))"
_PARCEL = r"(?:paquete|pedido|envio|entrega|articulo|articulos|compra|orden)"

TABLE = LabelTable(
    language="es",
    hints=(
        "pedido", "envio", "entrega", "paquete", "factura", "recibo", "reserva", "enviado", "seguimiento",
        "reembolso", "compra", "orden", "transaccion", "pago", "carrito", "importe",
        "localizador", "billete", "viaje",
    ),
    order_number=(
        (10, rf"(?:tu |su )?(?:pedido|orden|compra){_NO}|(?:numero|n ?[°º]|nro\b\.?|no\b\.?|num\b\.?|codigo|referencia"
             rf"|id) (?:de |del )?(?:tu |su )?(?:pedido|orden|compra)"),
        (8, rf"(?:numero|codigo|n ?[°º]|referencia|localizador) (?:de )?(?:la |tu |su )?reserva|reserva{_NO}"
            rf"|localizador"),
        (6, r"(?:numero|n ?[°º]) (?:de )?(?:recibo|confirmacion)"),
        (5, rf"(?:numero|n ?[°º]) (?:de )?(?:la )?factura|factura{_NO}"),
        (5, r"(?:numero|codigo|id|identificador) (?:de )?(?:la )?(?:transaccion|operacion|pago)"),
    ),
    order_word=((8, r"pedido|orden"),
        (7, r"compra"),
        (5, r"factura"),
        (4, r"reserva")),
    tracking_number=((10, r"(?:numero|codigo|n ?[°º]|no\b\.?|localizador) (?:de )?(?:seguimiento|rastreo|guia"
                          r"|tracking|envio|localizacion)|tracking(?: number)?|seguimiento"
                          rf"|(?:envio|paquete|expedicion|guia){_NO}"),
        (7, r"envio|paquete|guia")),
    carrier=((9, r"transportista|empresa de transporte|mensajeria|enviado (?:por|con|a traves de)"
                 r"|agencia(?: de transporte)?|entregado por|paqueteria|courier|transportadora|compania de envios"),
        (5, r"metodo de envio|servicio")),
    total=(
        (10, r"(?:importe|monto|total) (?:del reembolso|reembolsado|devuelto)|(?:importe|monto|precio|valor"
             r"|pago|costo|coste) total|total (?:del pedido|de tu pedido"
             r"|de la compra|pagado|a pagar|general|de la orden|\(iva incl[^)\n]{0,12}\)|con iva|factura|cobrado"
             r"|iva incluido)|importe (?:pagado|cobrado|del pedido)"),
        (9, r"total"),
        (8, r"importe|monto|pagado|cobrado"),
        (7, r"pago de|importe de|por (?:un )?(?:importe|valor|monto) de|la cantidad de"),
    ),
    subtotal=((9, r"sub-?total|total parcial|total (?:de )?(?:productos|articulos)|base imponible"),),
    shipping=((9, r"(?:gastos|costes?|costos?) de (?:envio|transporte|entrega)|envio|transporte"),),
    tax=((9, r"(?:iva|impuestos?)(?: \(?\d{1,2} ?%\)?)?|igv|i\.v\.a\."),),
    discount=((9, r"descuento|cupon|codigo promocional|promocion|vale"),),
    delivery=(
        (10, r"(?:fecha (?:de )?)?(?:entrega|llegada) (?:prevista|estimada|programada)(?: para| el| entre)*"
             r"|fecha (?:de|prevista de|estimada de) (?:entrega|llegada)|llega(?:ra)?(?: el| entre)?|(?:sera"
             r"|se) entregad[oa](?: el)?|recibiras (?:tu pedido )?(?:el|entre|antes del?)|(?:volveremos"
             r"|intentarlo)(?: de nuevo)?(?: el)?|prevista para(?: el)?"
             r"|entrega (?:el|entre)|estimad[oa]"),
        (7, r"entrega"),
    ),
    merchant=((9, r"vendedor|vendido por|remitente|tienda|comercio"),),
    decoys=(
        r"total (?:antes|sin|ahorrado|descuentos?|parcial sin)[^\n\t]{0,20}|ahorr(?:o|as|aste)|fecha (?:del "
        r"|de )?(?:pedido|compra|factura|orden)|pedido (?:realizado|el)|resumen (?:del|de)[^\n\t]{0,12}"
        r"|detalles? (?:del|de)[^\n\t]{0,12}|direccion de (?:envio|entrega|facturacion)|metodo de (?:pago"
        r"|entrega)|forma de pago|estado del pedido",
        r"(?:numero|n ?[°º]|codigo) (?:de )?(?:cliente|telefono|tarjeta|cuenta|articulo|producto)|nif|cif|rfc"
        r"|codigo (?:postal|de recogida|de verificacion|de descuento|de seguridad)|contrasena",
    ),
    statuses=(
        (S.PARTIALLY_CANCELLED, 3, r"(?:algunos|\d{1,2}) (?:articulos|productos)[^.\n]{0,40} cancelad|parte de (?:tu"
                                   r"|su) (?:pedido|compra)[^.\n]{0,30} cancelad"
                                   r"|cancelad[oa] parcialmente|parcialmente cancelad|cancelacion parcial"),
        (S.CANCEL_REQUESTED, 3, r"solicitud de cancelacion|cancelacion solicitada"),
        (S.CANCELLED, 3, r"(?:ha|han|hemos|fue|sido|esta) (?:sido )?(?:cancelad|anulad)|cancelacion (?:de tu"
                         r"|de su|del pedido|confirmada)|(?:pedido|orden|reserva) [^.\n]{0,40}(?:cancelad"
                         r"|anulad)[oa]|confirmacion de (?:la )?cancelacion"),
        (S.REFUNDED, 3, r"reembolso (?:ha sido|realizado|emitido|de|procesado|confirmado|completado)|(?:ha|han"
                        r"|hemos|fue|sido) reembolsad|tu reembolso|su reembolso|devolucion del (?:importe"
                        r"|dinero)"),
        (S.RETURN_STARTED, 3, r"(?:solicitud de|tu|su|confirmacion de) devolucion|devolucion (?:recibida"
                              r"|aceptada|iniciada|confirmada)|etiqueta de devolucion"),
        (S.DELAYED, 3, r"retras(?:o|ad[oa]|a\b)|demora|(?:no (?:hemos podido|se pudo|pudimos)) entregar"
                       r"|entrega (?:fallida|reprogramada)|intento de entrega|nueva fecha de entrega"),
        (S.READY_FOR_PICKUP, 3, r"list[oa] para (?:recoger|ser recogid|retirar|la recogida|que lo recojas)"
                                r"|disponible para (?:recoger|recogida|retirar|su recogida)|(?:puedes"
                                r"|puede) (?:recoger|pasar a recoger)|te espera en|recoge tu (?:pedido|paquete)"),
        (S.OUT_FOR_DELIVERY, 3, r"en reparto|(?:sale|salio|esta) (?:a|en) (?:reparto|entrega)|(?:llega|entrega"
                                r"|entregaremos|llegara|recibiras)[^.\n]{0,20} hoy|hoy (?:llega|recibes"
                                r"|entregamos|es el dia)|en camino para entrega|repartidor esta"),
        (S.DELIVERED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:ha|han|fue|fueron|esta) (?:sido )?(?:entregad"
                         rf"|llegado)|(?:ha|han) sido entregad|(?:fue|fueron) entregad"
                         rf"|entregad[oa](?: con exito)?[:!]|entrega (?:realizada|completada|exitosa|confirmada)"
                         rf"|hemos entregado|tu (?:pedido|paquete) ha llegado|ya (?:llego|esta aqui)"),
        (S.SHIPPED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:ha|han|fue|fueron|esta|va|ya) (?:sido )?(?:enviad"
                       rf"|salido|en camino|en transito|despachad|de camino)|(?:ha|han) sido (?:enviad"
                       rf"|despachad)|(?:esta|va) (?:en|de) camino|confirmacion de envio|enviad[oa][:!]"
                       rf"|despachad[oa][:!]|hemos enviado|en (?:camino|transito)|de camino"),
        (S.SHIPPED, 1, r"(?:llega|llegara|entregaremos|recibiras) [^.\n]{0,40}(?:manana|el (?:lunes|martes|miercoles"
            r"|jueves|viernes|sabado))|manana[^.\n]{0,30} (?:entregaremos|recibiras)"),
        (S.SHIPPED, 2, r"entrega esta (?:programada|prevista) para|(?:paquete|compra|pedido"
                       r"|envio) llega(?:ra)? (?:manana|el|entre|pasado)"),
        (S.CONFIRMED, 2, r"confirmacion de (?:tu |su |la |el |del )?(?:pedido|reserva|compra|pago|orden)"
                         r"|gracias por (?:tu|su|realizar|hacer|la) (?:pedido|compra|reserva|orden|pago"
                         r"|un pedido)|gracias por (?:comprar|tu confianza)|(?:pedido|reserva|compra|pago"
                         r"|orden) [^.\n]{0,40}(?:confirmad|recibid|realizad|registrad)[oa]|hemos recibido (?:tu"
                         r"|su) (?:pedido|pago|orden)|pedido[:!]|has enviado un pago|compraste\b|(?:has comprado"
                         r"|felicitaciones por tu compra)|recibimos tu (?:compra|pedido"
                         r"|orden|pago)|confirmacion de venta"),
        (S.CONFIRMED, 1, r"(?:tu|su) [^\n]{0,30}(?:pedido|compra|factura|recibo|reserva|orden)|tu viaje"
                         r"|por viajar con|factura|recibo"),
    ),
    whens=(r"cuando", r"una vez", r"si", r"despues", r"antes", r"en cuanto"),
    conditions=(r"hasta", r"sera", r"seran", r"puede", r"no", r"como"),
    shops=(
        r"(?:paquete|pedido|envio)(?: (?:numero|n[°o]\.?|nro\.?))?(?: [\w-]{8,30})? (?:de|en|(?:enviado|remitido) por"
        r"|procedente de) "
        r"(?P<shop>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]| (?:ha"
        r"|esta|fue|sera|va|con|por|llega|llegara|entre|hoy|manana|ya|se|y|el)\b)",
        r"pago de[^\n]{0,40}? a (?P<shop2>[^\n\t(@]{2,60}?)(?: ?\(|$|[\n\t])",
    ),
    receipts=(r"pedido", r"factura", r"recibo", r"reserva", r"compra", r"pago", r"orden\b", r"envio", r"viaje"),
    not_orders=(
        ("promotion", r"(?:en|para) (?:tu|su) (?:proxim|primer)[oa]? (?:pedido|compra|reserva|viaje)"),
        ("review_request", r"opinion|valora|resena|encuesta|que te (?:ha )?parec|que te parecio|como (?:fue"
                           r"|ha ido)|cuentanos|califica"),
        ("abandoned_cart", r"carrito|cesta|te espera\b(?! en)|olvidaste|olvidado|(?:completa|finaliza|termina) (?:tu"
                           r"|la)"
                           r" (?:compra|pedido)|sigue interesad"),
        ("wish_list", r"lista de deseos|de nuevo disponible|recomendad[oa]s? para"),
        ("marketing", r"\d{1,2} ?% (?:de )?(?:descuento|dto)|rebajas|newsletter|ofertas?\b|promocion(?:es)?\b"
                      r"|hasta (?:un )?\d{1,2} ?%|solo hoy"),
        ("one_time_code", r"codigo de (?:verificacion|seguridad|confirmacion|acceso)|contrasena|verifica (?:tu"
                          r"|su)|confirma (?:tu|su) (?:correo|cuenta|email)|inicio de sesion"),
        ("account_notice", r"bienvenid|tu cuenta|su cuenta|privacidad|pago rechazado"),
        ("bank_notice", r"estado de cuenta|transferencia|deposito|retiro|saldo|banca|spei|pago de servicio|tarjeta"),
    ),
)  # fmt: skip
