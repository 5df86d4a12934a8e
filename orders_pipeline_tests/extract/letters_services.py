"""Letters of services and of shops that leave shipping to others, written for these tests: the forms are those in use,
the words and values are ours.

Belongs here: data. Not here: assertions.
"""

from __future__ import annotations

from orders_pipeline_tests.extract.letters import Letter

SERVICE_LETTERS: tuple[Letter, ...] = (
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
