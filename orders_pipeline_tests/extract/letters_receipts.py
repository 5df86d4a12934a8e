"""Receipts and confirmations of services, written for these tests: the forms are in use, words and values are ours.

Belongs here: data. Not here: assertions.
"""

from __future__ import annotations

from orders_pipeline_tests.extract.letters import Letter

RECEIPT_LETTERS: tuple[Letter, ...] = (
    (
        "stripe",
        "Pixelhost <receipts+acct_12@stripe.com>",
        "Your receipt from Pixelhost Inc. #2345-6789",
        "2026-05-11",
        "Receipt from Pixelhost Inc.\nReceipt #2345-6789\nAMOUNT PAID\tDATE PAID\tPAYMENT METHOD\n$20.00\t"
        "May 11, 2026\tVisa - 4242\nSUMMARY\nStarter Plan × 1\t$20.00\nAmount charged\t$20.00\nIf you have "
        "any questions, visit our support site.",
        {
            "merchant": "Pixelhost",
            "order_number": "2345-6789",
            "status": "confirmed",
            "total": "20.00",
            "currency": "USD",
            "tracking_numbers": [],
        },
    ),
    (
        "github",
        "GitHub <noreply@github.com>",
        "[GitHub] Payment Receipt for octo",
        "2026-05-11",
        "We received payment for your GitHub subscription. Thanks for your business!\nGitHub Pro - month: "
        "$4.00 USD\nTax: $0.00 USD\nTotal: $4.00 USD*\nCharged to: Visa (4*** **** **** 1234)\nTransaction "
        "ID: 1B2C3D4E\nDate: 11 May 2026 04:42AM PDT",
        {
            "merchant": "GitHub",
            "order_number": "1B2C3D4E",
            "status": "confirmed",
            "total": "4.00",
            "currency": "USD",
            "tracking_numbers": [],
        },
    ),
    (
        "homedepot",
        "Garden Depot <HomeOrder@order.gardendepot.com>",
        "Your Garden Depot Order Confirmation",
        "2026-05-11",
        "Thanks for your order, SAM\nOrder Number\tOrder Date\nWG12345678\tMay 11, 2026\nShip to Home\n"
        "Estimated Arrival: May 14 - May 16\nCedar Planter\tUnit Price $39.97\tQty 2\t$79.94\nSubtotal\t"
        "$79.94\nShipping\tFREE\nSales Tax\t$6.60\nORDER TOTAL\t$86.54",
        {
            "merchant": "Garden Depot",
            "order_number": "WG12345678",
            "status": "confirmed",
            "total": "86.54",
            "currency": "USD",
            "expected_delivery": "2026-05-16",
            "tracking_numbers": [],
        },
    ),
    (
        "target",
        "Bullseye <orders@oe.bullseye.com>",
        "Good news! Item(s) from order 912000123456789 have shipped.",
        "2026-05-11",
        "Your items are on the way!\nOrder #912000123456789\nEstimated arrival: Wed, May 13\nCarrier: "
        "FedEx\nTracking # 771234567890",
        {
            "merchant": "Bullseye",
            "order_number": "912000123456789",
            "tracking_numbers": ["771234567890"],
            "carrier": "FedEx",
            "status": "shipped",
            "expected_delivery": "2026-05-13",
            "total": None,
        },
    ),
    (
        "steam",
        "Steam Support <noreply@steampowered.com>",
        "Thank you for your Steam purchase!",
        "2026-05-11",
        "Thank you for your purchase.\nAccount name:\tsam\nInvoice:\t1234567890123456789\nDate issued:\t11 "
        "May, 2026 @ 9:30am UTC\nPayment method:\tVisa\nSubtotal (excl. VAT):\t16,80€\nVAT at 19%:\t3,19€\n"
        "Total:\t19,99€",
        {
            "merchant": "Steam",
            "order_number": "1234567890123456789",
            "status": "confirmed",
            "total": "19.99",
            "currency": "EUR",
            "tracking_numbers": [],
        },
    ),
    (
        "hetzner_rechnung",
        "Serverfarm Online <rechnung@serverfarm.de>",
        "Serverfarm Online GmbH - Rechnung R0012345678 (K1234567890)",
        "2026-05-11",
        "Sehr geehrter Kunde,\nim Anhang finden Sie Ihre Rechnung.\nRechnungsnummer: R0012345678\n"
        "Kundennummer: K1234567890\nRechnungsbetrag: 12,34 €\nDer Betrag wird in den nächsten Tagen "
        "abgebucht.",
        {
            "merchant": "Serverfarm",
            "order_number": "R0012345678",
            "status": "confirmed",
            "total": "12.34",
            "currency": "EUR",
            "tracking_numbers": [],
        },
    ),
    (
        "mediamarkt",
        "Technikmarkt <noreply@technikmarkt.de>",
        "Deine Bestellung 123456789 ist unterwegs",
        "2026-05-11",
        "Hallo Sam,\ndeine Bestellung wurde an DHL übergeben.\nBestellnummer\n123456789\nSendungsnummer\n"
        "00340434123456789012\nVoraussichtliche Lieferung: 13.05.2026\nGesamtbetrag\n1.299,00 €",
        {
            "merchant": "Technikmarkt",
            "order_number": "123456789",
            "tracking_numbers": ["00340434123456789012"],
            "carrier": "DHL",
            "status": "shipped",
            "total": "1299.00",
            "currency": "EUR",
            "expected_delivery": "2026-05-13",
        },
    ),
    (
        "allegro",
        "Targ <powiadomienia@targ.pl>",
        "Kupiłeś i zapłaciłeś za: Lampka biurkowa",
        "2026-05-11",
        "Dziękujemy za zakup!\nNumer zamówienia: 12345678-abcd\nSprzedawca: Lampomania\nDostawa: InPost "
        "Paczkomaty\nKwota do zapłaty\t89,99 zł",
        {
            "merchant": "Targ",
            "order_number": "12345678-abcd",
            "carrier": "InPost",
            "status": "confirmed",
            "total": "89.99",
            "currency": "PLN",
            "tracking_numbers": [],
        },
    ),
    (
        "amazon_jp",
        "Amazon.co.jp <auto-confirm@amazon.co.jp>",
        "Amazon.co.jpでのご注文 503-1234567-7654321",
        "2026-05-11",
        "サム様\nAmazon.co.jpをご利用いただき、ありがとうございます。\n"
        "ご注文を承りました。\n注文番号: 503-1234567-7654321\nお届け予定日: "
        "5月13日\n商品の小計: ￥ 2,480\n配送料・手数料: ￥ 0\n注文合計: ￥ "
        "2,480",
        {
            "merchant": "Amazon",
            "order_number": "503-1234567-7654321",
            "status": "confirmed",
            "total": "2480",
            "currency": "JPY",
            "expected_delivery": "2026-05-13",
            "tracking_numbers": [],
        },
    ),
    (
        "vinted",
        "Team Kleiderkreis <no-reply@kleiderkreis.de>",
        "Deine Sendung wurde zugestellt",
        "2026-05-11",
        "Hallo sam,\ndein Paket mit Wollpullover wurde zugestellt.\nSendungsnummer H1001234567890123456",
        {
            "merchant": "Kleiderkreis",
            "tracking_numbers": ["H1001234567890123456"],
            "carrier": "Hermes",
            "status": "delivered",
            "order_number": None,
            "total": None,
        },
    ),
)
