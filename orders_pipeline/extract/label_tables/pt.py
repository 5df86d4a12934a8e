"""Portuguese labels and phrases."""

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?: ?(?:n ?[°º]|n[.]º|no\b\.?|nr\b\.?|num\b\.?|numero|#|id\b))"
_PARCEL = r"(?:encomenda|pedido|pacote|envio|entrega|compra)"

TABLE = LabelTable(
    language="pt",
    hints=(
        "pedido", "encomenda", "entrega", "pacote", "fatura", "recibo", "enviad", "envio", "objeto",
        "viagem", "corrida", "rastre", "compra",
        "reembolso", "pagamento", "reserva",
    ),
    order_number=(
        (10, rf"(?:pedido|encomenda|compra){_NO}|(?:numero|n ?[°º]|codigo|referencia|no\b\.?) (?:d[oae] )?(?:seu |sua "
             rf"|tua |teu )?(?:pedido|encomenda|compra)"),
        (8, rf"(?:numero|codigo|n ?[°º]|referencia) (?:d[ae] )?(?:sua )?reserva|reserva{_NO}|localizador"),
        (5, rf"(?:numero|n ?[°º]) (?:d[ae] )?(?:fatura|nota fiscal|recibo)|fatura{_NO}|nota fiscal{_NO}"),
        (5, r"(?:numero|codigo|id) (?:d[aeo] )?(?:transacao|pagamento)"),
    ),
    order_word=((8, r"pedido|encomenda"),
        (7, r"compra"),
        (5, r"fatura")),
    tracking_number=((10, rf"(?:numero|codigo|n ?[°º]) (?:de )?(?:rastreio|rastreamento|seguimento|tracking|envio"
                          rf"|objeto)|rastreio|rastreamento|codigo do objeto|(?:objeto|pacote|envio){_NO}"),
        (7, r"envio|pacote")),
    carrier=((9, r"transportadora|enviado (?:por|via|pelos?|pela)|entregue por|empresa de transporte"),
        (5, r"metodo de envio|forma de envio|forma de entrega")),
    total=(
        (10, r"(?:valor|montante|total) (?:do reembolso|reembolsado|devolvido|estornado)|(?:valor|montante"
             r"|preco) total|total (?:do pedido|da encomenda|da compra|pago|a pagar|geral"
             r"|com iva|cobrado)|valor (?:pago|cobrado|do pedido)"),
        (9, r"total"),
        (8, r"valor|montante|pago"),
        (7, r"pagamento de|no valor de"),
    ),
    subtotal=((9, r"sub-?total|total (?:dos )?(?:produtos|artigos|itens)"),),
    shipping=((9, r"(?:custos?|portes|taxa|despesas) de (?:envio|entrega)|frete|portes|envio|entrega"),),
    tax=((9, r"iva(?: \(?\d{1,2} ?%\)?)?|impostos?"),),
    discount=((9, r"descontos?|cupom|cupao|vale|codigo promocional"),),
    delivery=((10, r"(?:data |previsao )?(?:de )?entrega (?:prevista|estimada)(?: para)?|previsao de (?:entrega"
                   r"|chegada)|data (?:de|prevista de|estimada de) entrega|chega(?:ra)?(?: em| no dia| ate)?"
                   r"|(?:sera) entregue(?: em| no dia| ate)?|previst[oa] para|entrega (?:ate|em|no dia)"),
        (7, r"entrega")),
    merchant=((9, r"vendedor|vendido por|remetente|loja|comerciante"),),
    decoys=(r"total (?:antes|sem|economizado|poupado)[^\n\t]{0,20}|data (?:d[oa] )?(?:pedido|encomenda|compra"
            r"|fatura)|resumo (?:d[oa])[^\n\t]{0,12}|endereco de (?:entrega|cobranca|envio)|morada"
            r"|forma de pagamento|metodo de pagamento|nif|cpf|cnpj|codigo (?:postal|de verificacao"
            r"|de levantamento|de seguranca)|senha|palavra-passe|(?:numero|n ?[°º]) (?:de )?(?:cliente|telefone"
            r"|cartao|conta)",),
    statuses=(
        (S.PARTIALLY_CANCELLED, 3, r"(?:alguns|\d{1,2}) (?:artigos|itens|produtos)[^.\n]{0,40} cancelad"
                                   r"|parte d[oa] (?:seu|sua) (?:pedido|encomenda)[^.\n]{0,30} cancelad"
                                   r"|parcialmente cancelad|cancelamento parcial"),
        (S.CANCEL_REQUESTED, 3, r"(?:pedido|solicitacao) de cancelamento"),
        (S.CANCELLED, 3, r"(?:foi|foram|esta) cancelad|cancelamento (?:do|da|confirmado)|(?:pedido|encomenda"
                         r"|reserva) [^.\n]{0,40}cancelad[oa]"),
        (S.REFUNDED, 3, r"reembolso (?:foi|efetuado|emitido|de|processado|confirmado)|(?:foi|foram) reembolsad"
                        r"|seu reembolso|estorno"),
        (S.RETURN_STARTED, 3, r"(?:pedido|solicitacao|confirmacao) de devolucao|devolucao (?:recebida|aceite"
                              r"|iniciada|confirmada)|sua devolucao"),
        (S.DELAYED, 3, r"atras(?:o|ad[oa])|nao (?:foi possivel|conseguimos) entregar|tentativa de entrega"
                       r"|nova data de entrega"),
        (S.READY_FOR_PICKUP, 3, r"pront[oa] (?:para (?:levantamento|retirada|recolha|ser)|a levantar)"
                                r"|disponivel para (?:levantamento|retirada|recolha)|aguarda (?:levantamento"
                                r"|retirada)"),
        (S.OUT_FOR_DELIVERY, 3, r"saiu para entrega|em distribuicao|(?:sera|vai ser) entregue (?:hoje|ainda hoje)"
                                r"|(?:chega|entrega|entregue)[^.\n]{0,20} hoje"
                                r"|a caminho para entrega|em rota de entrega"),
        (S.DELIVERED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:foi|foram) (?:entregue|chegou)|(?:foi"
                         rf"|foram) entregues?|entregue(?: com sucesso)?[:!]|entrega (?:realizada|concluida"
                         rf"|efetuada)|(?:chegou|entregamos)"),
        (S.SHIPPED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:foi|foram|esta) (?:enviad|expedid|despachad"
                       rf"|a caminho|em transito|postad)|(?:foi|foram) (?:enviad|expedid|despachad|postad)"
                       rf"|a caminho|confirmacao de envio|enviad[oa][:!]|em transito"),
        (S.SHIPPED, 2, r"entrega esta (?:agendada|prevista) para|(?:encomenda|pacote|pedido) chega amanha"),
        (S.CONFIRMED, 2, r"confirmacao (?:d[oae] )?(?:seu |sua )?(?:pedido|encomenda|compra|reserva|pagamento)"
                         r"|obrigad[oa] (?:por|pel[oa]) (?:seu |sua |tua )?(?:pedido|encomenda|compra|comprar"
                         r"|reserva|encomendar)|(?:pedido|encomenda|pagamento|reserva) [^.\n]{0,40}(?:confirmad"
                         r"|recebid|realizad|aprovad|registad)[oa]|recebemos (?:o )?(?:seu|sua|teu"
                         r"|tua) (?:pedido|encomenda|pagamento)"),
        (S.CONFIRMED, 1, r"(?:seu|sua|teu|tua) [^\n]{0,30}(?:pedido|encomenda|compra|fatura|recibo|viagem|corrida)"
                         r"|por viajar com|fatura"
                         r"|recibo|nota fiscal"),
    ),
    whens=(r"quando", r"assim que", r"se", r"depois", r"apos", r"antes", r"logo que"),
    conditions=(r"sera", r"serao", r"pode", r"nao", r"ate", r"logo que"),
    shops=(r"(?:encomenda|pedido|pacote|envio)(?: [a-z]{0,4}\d[\w-]{4,28})?,? (?:da|do|de|na|no"
           r"|(?:enviad|remetid|expedid)[oa] (?:por|pela|pelo)) (?P<shop>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]"
           r"| (?:foi|esta|sera|chega|com|para|hoje|amanha|vai|e)\b)",),
    receipts=(r"pedido", r"encomenda", r"fatura", r"recibo", r"reserva", r"compra", r"pagamento", r"viagem",
              r"corrida"),
    not_orders=(
        ("promotion", r"(?:na|no|em) (?:sua|seu|tua|teu) (?:proxim|primeir)[oa] (?:compra|pedido|encomenda|reserva)"),
        ("review_request", r"avali|opiniao|inquerito|pesquisa|o que achou"),
        ("abandoned_cart", r"carrinho|cesto|esquec|(?:finalize|complete|conclua) (?:sua|seu|a sua|o seu)"),
        ("wish_list", r"lista de desejos|de volta ao estoque|recomendad"),
        ("marketing", r"\d{1,2} ?% (?:de )?(?:desconto|off)|saldos|newsletter|ofertas?\b|promoc|so hoje"
                      r"|ate \d{1,2} ?%"),
        ("one_time_code", r"codigo de (?:verificacao|seguranca|confirmacao|acesso)|senha|palavra-passe"
                          r"|confirme (?:seu|sua|o seu)"),
        ("account_notice", r"bem-vind|sua conta|privacidade"),
        ("bank_notice", r"extrato|transferencia|saldo|pix"),
    ),
)  # fmt: skip
