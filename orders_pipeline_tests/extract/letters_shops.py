"""Letters of shops, written for these tests: the forms are those in use, the words and values are ours.

Belongs here: data. Not here: assertions.
"""

from __future__ import annotations

from orders_pipeline_tests.extract.letters import Letter

SHOP_LETTERS: tuple[Letter, ...] = (
    (
        "amazon_de_confirmed",
        "Amazon.de <bestellbestaetigung@amazon.de>",
        "Bestellt: „Teekanne aus Glas...“",
        "2026-05-11",
        "Vielen Dank für deine Bestellung!\nBestellt\nVersandt\nIn Zustellung\nZugestellt\nZustellung: "
        "Mittwoch\nBestellnr.\n302-1234567-7654321\nTeekanne aus Glas, 1,2 l\nMenge: 1\nGesamtsumme\t23,98 €",
        {
            "merchant": "Amazon",
            "order_number": "302-1234567-7654321",
            "status": "confirmed",
            "total": "23.98",
            "currency": "EUR",
            "expected_delivery": "2026-05-13",
        },
    ),
    (
        "amazon_fr_shipped",
        "Amazon.fr <confirmation-commande@amazon.fr>",
        "Votre commande Amazon.fr n° 402-1234567-7654321 a été expédiée",
        "2026-05-11",
        "Bonjour,\nVotre colis est en route.\nLivraison prévue :\njeudi 14 mai\nMontant total TTC :\tEUR 41,20",
        {
            "merchant": "Amazon",
            "order_number": "402-1234567-7654321",
            "status": "shipped",
            "total": "41.20",
            "currency": "EUR",
            "expected_delivery": "2026-05-14",
        },
    ),
    (
        "amazon_es_delivered",
        "Amazon.es <actualizacion-pedido@amazon.es>",
        "Entregado: tu pedido de Amazon.es n.º 404-1234567-7654321",
        "2026-05-11",
        "Hola:\nTu paquete ha sido entregado.\nPedido n.º 404-1234567-7654321",
        {"merchant": "Amazon", "order_number": "404-1234567-7654321", "status": "delivered"},
    ),
    (
        "shopify_confirmed",
        "Fjordwool <store+1234@t.shopifyemail.com>",
        "Order #FW1042 confirmed",
        "2026-05-11",
        "Fjordwool\tORDER #FW1042\nThank you for your purchase!\nWe're getting your order ready to be shipped. "
        "We will notify you when it has been sent.\nView your order\nOrder summary\nMerino Scarf × 2\t$58.00\n"
        "Wool Care Kit × 1\t$12.50\nSubtotal\t$70.50\nShipping\t$8.00\nTaxes\t$5.30\nTotal\t$83.80 CAD\n"
        "Customer information",
        {
            "merchant": "Fjordwool",
            "order_number": "FW1042",
            "status": "confirmed",
            "total": "83.80",
            "currency": "CAD",
            "subtotal": "70.50",
            "shipping": "8.00",
            "tax": "5.30",
            "items": 2,
        },
    ),
    (
        "shopify_shipped",
        "Fjordwool <store+1234@t.shopifyemail.com>",
        "A shipment from order #FW1042 is on the way",
        "2026-05-13",
        "ORDER #FW1042\nYour order is on the way\nYour order is on the way to you. Track your shipment to see "
        "the delivery status.\nUPS tracking number: 1Z12345E0205271688\nItems in this shipment\nMerino Scarf × 2",
        {
            "merchant": "Fjordwool",
            "order_number": "FW1042",
            "status": "shipped",
            "tracking_numbers": ["1Z12345E0205271688"],
            "carrier": "UPS",
        },
    ),
    (
        "zalando_like_confirmed",
        "Kleiderwelt Kundenservice <info@kleiderwelt.example>",
        "Vielen Dank für Ihre Bestellung",
        "2026-05-11",
        "Hallo,\nIhre Bestellung ist bei uns eingegangen.\nBestellnummer: 10104567890123\nVoraussichtliche "
        "Lieferung: 14.05. - 16.05.\nZwischensumme\t79,90 €\nVersandkosten\t0,00 €\nGesamtsumme (inkl. MwSt.)\t"
        "79,90 €",
        {
            "merchant": "Kleiderwelt",
            "order_number": "10104567890123",
            "status": "confirmed",
            "total": "79.90",
            "currency": "EUR",
            "expected_delivery": "2026-05-16",
        },
    ),
    (
        "de_cancelled",
        "Radladen Süd <shop@radladen.example>",
        "Stornierung Ihrer Bestellung 4711-0815",
        "2026-05-11",
        "Guten Tag,\nIhre Bestellung Nr. 4711-0815 wurde storniert. Der Betrag von 129,00 € wird Ihnen erstattet.",
        {"merchant": "Radladen Süd", "order_number": "4711-0815", "status": "cancelled"},
    ),
    (
        "de_refund",
        "Radladen Süd <shop@radladen.example>",
        "Ihre Erstattung ist veranlasst",
        "2026-05-11",
        "Wir haben Ihnen 129,00 EUR erstattet.\nBestellnummer: 4711-0815",
        {"merchant": "Radladen Süd", "order_number": "4711-0815", "status": "refunded"},
    ),
    (
        "fr_shop_confirmed",
        "La Maison Verte <commande@maisonverte.example>",
        "Confirmation de votre commande n°FR-88231",
        "2026-05-11",
        "Merci pour votre commande !\nNuméro de commande : FR-88231\nSous-total\t1 249,00 €\nFrais de "
        "livraison\tOfferts\nTotal TTC\t1 249,00 €",
        {
            "merchant": "La Maison Verte",
            "order_number": "FR-88231",
            "status": "confirmed",
            "total": "1249.00",
            "currency": "EUR",
        },
    ),
    (
        "es_shipped",
        "Tienda Sol <pedidos@tiendasol.example>",
        "Tu pedido 556677 ha sido enviado",
        "2026-05-11",
        "¡Hola!\nTu pedido está en camino.\nNúmero de pedido: 556677\nTransportista: SEUR\nNúmero de "
        "seguimiento: 12345678901234\nFecha estimada de entrega: 15/05/2026",
        {
            "merchant": "Tienda Sol",
            "order_number": "556677",
            "status": "shipped",
            "tracking_numbers": ["12345678901234"],
            "carrier": "SEUR",
            "expected_delivery": "2026-05-15",
        },
    ),
    (
        "it_confirmed",
        "Bottega Blu <ordini@bottegablu.example>",
        "Conferma ordine n. 20260511-7",
        "2026-05-11",
        "Grazie per il tuo ordine!\nNumero d'ordine: BB-20417\nSubtotale\t€ 45,00\nSpedizione\t€ 5,90\nTotale\t€ 50,90",
        {"merchant": "Bottega Blu", "status": "confirmed", "total": "50.90", "currency": "EUR"},
    ),
    (
        "sv_confirmed",
        "Norrsken Hem <order@norrskenhem.se>",
        "Orderbekräftelse 7001234",
        "2026-05-11",
        "Tack för din beställning!\nOrdernummer: 7001234\nFrakt\t49 kr\nTotalt\t1 048 kr",
        {
            "merchant": "Norrsken Hem",
            "order_number": "7001234",
            "status": "confirmed",
            "total": "1048",
            "currency": "SEK",
        },
    ),
    (
        "pt_br_shipped",
        "Loja Azul <contato@lojaazul.com.br>",
        "Seu pedido foi enviado",
        "2026-05-11",
        "Olá! Seu pedido nº 9988776 foi enviado.\nTransportadora: Correios\nCódigo de rastreio: AB123456789BR\n"
        "Total: R$ 1.234,50",
        {
            "merchant": "Loja Azul",
            "order_number": "9988776",
            "status": "shipped",
            "tracking_numbers": ["AB123456789BR"],
            "total": "1234.50",
            "currency": "BRL",
        },
    ),
    (
        "ja_shipped",
        "山桜堂 <shop@yamazakura.example>",
        "【山桜堂】商品発送のお知らせ",
        "2026-05-11",
        "この度は山桜堂をご利用いただき誠にありがとうございます。\n本日商品を発送いたしました。\n"
        "ご注文番号:YZ-100200\n配送会社:ヤマト運輸\n"
        "お問い合わせ伝票番号:1234-5678-9012\nお届け予定日:2026年5月13日\n"
        "お支払い合計:3,280円",
        {
            "merchant": "山桜堂",
            "order_number": "YZ-100200",
            "status": "shipped",
            "tracking_numbers": ["1234-5678-9012"],
            "carrier": "ヤマト運輸",
            "total": "3280",
            "currency": "JPY",
            "expected_delivery": "2026-05-13",
        },
    ),
    (
        "walmart_like_delivered",
        "Homegoods Plus <help@homegoodsplus.example>",
        "Delivered: your package from order #2000456-78901234",
        "2026-05-11",
        "Your package has arrived.\nOrder number: 2000456-78901234\nOrder date: Thu, May 7, 2026",
        {"merchant": "Homegoods Plus", "order_number": "2000456-78901234", "status": "delivered"},
    ),
    (
        "uber_like_receipt",
        "Quickride Receipts <noreply@quickride.example>",
        "Your Monday morning trip with Quickride",
        "2026-05-11",
        "Thanks for riding, Sam\nTotal\t$23.45\nTrip fare\t$18.00\nBooking fee\t$5.45\nPayments\nVisa ••••1234\t$23.45",
        {"merchant": "Quickride", "total": "23.45", "currency": "USD", "status": "confirmed"},
    ),
    (
        "google_play_like",
        "Appstore <appstore-noreply@appstore.example>",
        "Your Appstore order receipt from May 11, 2026",
        "2026-05-11",
        "Thank you. You've made a purchase.\nOrder number: GPB.1234-5678-9012-34567\nOrder date: May 11, 2026\n"
        "Item\tPrice\nPuzzle Game Pro\t$4.99\nTax:\t$0.40\nTotal:\t$5.39",
        {
            "order_number": "GPB.1234-5678-9012-34567",
            "status": "confirmed",
            "total": "5.39",
            "currency": "USD",
            "items": 0,
        },
    ),
    (
        "backordered_delayed",
        "Lens & Light <orders@lenslight.example>",
        "Your order is delayed",
        "2026-05-11",
        "We're sorry, your order #LL-5521 has been delayed.\nNew estimated delivery date: May 20 - May 22",
        {"merchant": "Lens & Light", "order_number": "LL-5521", "status": "delayed", "expected_delivery": "2026-05-22"},
    ),
    (
        "return_started",
        "Lens & Light <orders@lenslight.example>",
        "Your return request has been received",
        "2026-05-11",
        "We have received your return request for order #LL-5521. Once we receive the item, a refund will be issued.",
        {"merchant": "Lens & Light", "order_number": "LL-5521", "status": "return_started"},
    ),
    (
        "partial_cancel",
        "Lens & Light <orders@lenslight.example>",
        "One item in your order was cancelled",
        "2026-05-11",
        "Order number: LL-5521\nOne or more items in your order have been cancelled. The rest will ship as planned.",
        {"merchant": "Lens & Light", "order_number": "LL-5521", "status": "partially_cancelled"},
    ),
    (
        "pickup_store",
        "Garden Depot <orders@gardendepot.example>",
        "Your order is ready for pickup",
        "2026-05-11",
        "Order #W123456789 is ready for pickup at our Elm Street store.\nBring your pickup code: 4821",
        {"merchant": "Garden Depot", "order_number": "W123456789", "status": "ready_for_pickup"},
    ),
)
