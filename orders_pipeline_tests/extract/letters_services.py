"""Letters of services and of shops that leave shipping to others, written for these tests: the forms are those in use,
the words and values are ours.

Belongs here: data. Not here: assertions.
"""

from __future__ import annotations

from orders_pipeline_tests.extract.letters import Letter

SERVICE_LETTERS: tuple[Letter, ...] = (
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
    (
        "aliexpress",
        "AliExpress <transaction@notice.aliexpress.com>",
        "Order 8123456789012345: payment confirmed",
        "2026-05-11",
        "Your payment has been confirmed\nHi Sam, we have received your payment for order "
        "8123456789012345.\nOrder total: US $12.34",
        {
            "merchant": "AliExpress",
            "order_number": "8123456789012345",
            "status": "confirmed",
            "total": "12.34",
            "currency": "USD",
            "tracking_numbers": [],
        },
    ),
    (
        "booking",
        "Staywell.com <noreply@staywell.com>",
        "Thanks! Your booking is confirmed at Hotel Miramar",
        "2026-05-11",
        "Thanks Sam! Your booking in Lisbon is confirmed.\nConfirmation number: 1234.567.890\nPIN code: "
        "1234\nCheck-in\tFriday, 12 June 2026\nTotal price\t€ 312",
        {
            "merchant": "Staywell.com",
            "order_number": "1234.567.890",
            "status": "confirmed",
            "total": "312",
            "currency": "EUR",
            "tracking_numbers": [],
        },
    ),
    (
        "airline",
        "SkyJet <booking@skyjet.com>",
        "Your booking ABC12D is confirmed",
        "2026-05-11",
        "Booking reference: ABC12D\nLondon to Rome\nTotal paid: 89.98 GBP",
        {
            "merchant": "SkyJet",
            "order_number": "ABC12D",
            "status": "confirmed",
            "total": "89.98",
            "currency": "GBP",
            "tracking_numbers": [],
        },
    ),
    (
        "etsy_conf",
        "Etsy Transactions <transaction@etsy.com>",
        "Your Etsy Purchase from WoolWorks (3210987654)",
        "2026-05-11",
        "Congratulations on your Etsy order from WoolWorks!\nOrder number: 3210987654\nItem total: $20.00\n"
        "Shipping: $5.00\nOrder total: $25.00",
        {
            "merchant": "WoolWorks",
            "order_number": "3210987654",
            "status": "confirmed",
            "total": "25.00",
            "currency": "USD",
            "tracking_numbers": [],
        },
    ),
    (
        "refund_en",
        "Lens & Light <orders@lenslight.com>",
        "Refund notification",
        "2026-05-11",
        "Hi Sam,\nWe've issued a refund of $45.00 for order LL-5521.\nRefund total: $45.00",
        {
            "merchant": "Lens & Light",
            "order_number": "LL-5521",
            "status": "refunded",
            "total": "45.00",
            "currency": "USD",
            "tracking_numbers": [],
        },
    ),
    (
        "two_pkgs",
        "Lens & Light <orders@lenslight.com>",
        "Your order LL-5521 is on its way in 2 packages",
        "2026-05-11",
        "Your order is on its way!\nOrder LL-5521\nPackage 1\nTracking number: 1Z12345E0205271688\nPackage "
        "2\nTracking number: 1Z12345E6605272234",
        {
            "merchant": "Lens & Light",
            "order_number": "LL-5521",
            "tracking_numbers": ["1Z12345E0205271688", "1Z12345E6605272234"],
            "carrier": "UPS",
            "status": "shipped",
            "total": None,
        },
    ),
    (
        "fr_annul",
        "La Maison Verte <commande@maisonverte.fr>",
        "Annulation de votre commande FR-88231",
        "2026-05-11",
        "Votre commande n° FR-88231 a été annulée. Vous serez remboursé de 49,00 €.",
        {
            "merchant": "La Maison Verte",
            "order_number": "FR-88231",
            "status": "cancelled",
            "tracking_numbers": [],
            "total": None,
        },
    ),
    (
        "chf_confirmed",
        "Alpenladen <bestellung@alpenladen.ch>",
        "Ihre Bestellbestätigung 300-4455",
        "2026-05-11",
        "Besten Dank für Ihre Bestellung.\nBestellnummer: 300-4455\nTotal inkl. MwSt.\tCHF 1'234.50",
        {
            "merchant": "Alpenladen",
            "order_number": "300-4455",
            "status": "confirmed",
            "total": "1234.50",
            "currency": "CHF",
        },
    ),
    (
        "paypal_receipt",
        "service@paypal.com <service@paypal.com>",
        "Receipt for your payment to Harbour Books",
        "2026-05-11",
        "You paid $32.50 USD to Harbour Books\nTransaction ID\n7AB12345CD678901E\nTransaction date\nMay 11, "
        "2026\nMerchant\nHarbour Books\nTotal\t$32.50 USD",
        {
            "merchant": "Harbour Books",
            "order_number": "7AB12345CD678901E",
            "total": "32.50",
            "currency": "USD",
            "status": "confirmed",
        },
    ),
    (
        "ebay_two_orders",
        "eBay <ebay@ebay.com>",
        "Order confirmed",
        "2026-05-11",
        "Your order is confirmed\nBrass Key Ring\nItem price: $4.00\nOrder number: 12-34567-89012\nTin Soldier\n"
        "Item price: $6.00\nOrder number: 12-34567-89013\nOrder total:\nPrice\t$10.00\nTotal charged to Visa "
        "x-1234\t$10.00",
        {
            "merchant": "eBay",
            "order_numbers": ["12-34567-89012", "12-34567-89013"],
            "totals": ["10.00", None],
            "status": "confirmed",
        },
    ),
    (
        "airbnb_like",
        "Staywell <automated@staywell.example>",
        "Reservation confirmed for Lisbon",
        "2026-05-11",
        "Your reservation is confirmed\nConfirmation code\nHMABCDEF12\nTotal (EUR)\t€412.00",
        {
            "merchant": "Staywell",
            "order_number": "HMABCDEF12",
            "total": "412.00",
            "currency": "EUR",
            "status": "confirmed",
        },
    ),
)
