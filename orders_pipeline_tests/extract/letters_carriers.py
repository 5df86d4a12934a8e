"""Letters of carriers, written for these tests: the forms are those in use, the words and values are ours.

Belongs here: data. Not here: assertions.
"""

from __future__ import annotations

from orders_pipeline_tests.extract.letters import Letter

CARRIER_LETTERS: tuple[Letter, ...] = (
    (
        "fedex_delivered",
        "FedEx Delivery Manager <trackingupdates@fedex.com>",
        "Your package has been delivered",
        "2026-03-04",
        "Hi. Your package was delivered Wed, 03/04/2026 at 10:12am.\nDelivered to 12 Sample Lane, Springfield\n"
        "TRACKING NUMBER\t771234567890\nFROM\tNorthwind Tools",
        {"tracking_numbers": ["771234567890"], "carrier": "FedEx", "status": "delivered", "order_number": None},
    ),
    (
        "fedex_scheduled",
        "trackingupdates@fedex.com",
        "FedEx Shipment 771234567890: Your package is on its way",
        "2026-03-02",
        "Scheduled delivery:\nWednesday, 3/4/2026 by 8:00 pm\nTracking number: 771234567890\nService type: "
        "FedEx Ground",
        {
            "tracking_numbers": ["771234567890"],
            "carrier": "FedEx",
            "status": "shipped",
            "expected_delivery": "2026-03-04",
        },
    ),
    (
        "dhl_de_today",
        "DHL Paket <noreply@dhl.de>",
        "Ihr Paket kommt heute",
        "2026-05-11",
        "Guten Tag,\nIhre Sendung von Blumenhaus Morgentau wird heute zwischen 11:00 und 13:00 Uhr zugestellt.\n"
        "Sendungsnummer: 00340434123456789012\nSendung verfolgen",
        {
            "tracking_numbers": ["00340434123456789012"],
            "carrier": "DHL",
            "status": "out_for_delivery",
            "merchant": "Blumenhaus Morgentau",
        },
    ),
    (
        "dpd_de_delivered",
        "DPD <noreply@service.dpd.de>",
        "Ihr DPD Paket wurde zugestellt",
        "2026-05-11",
        "Ihr Paket von Kaffeekontor wurde heute um 14:05 Uhr zugestellt.\nPaketnummer\n01605012345678\n"
        "Abstellort: Garage",
        {"tracking_numbers": ["01605012345678"], "carrier": "DPD", "status": "delivered", "merchant": "Kaffeekontor"},
    ),
    (
        "hermes_de_announced",
        "Hermes <noreply@paketankuendigung.myhermes.de>",
        "Ihre Sendung von Stoffkiste ist unterwegs",
        "2026-05-11",
        "Voraussichtliche Zustellung: Mi., 13.05.2026\nSendungsnummer: H1001234567890123456",
        {
            "tracking_numbers": ["H1001234567890123456"],
            "carrier": "Hermes",
            "status": "shipped",
            "expected_delivery": "2026-05-13",
            "merchant": "Stoffkiste",
        },
    ),
    (
        "fr_colissimo_pickup",
        "Colissimo <notification@colissimo.fr>",
        "Votre colis est disponible en point de retrait",
        "2026-05-11",
        "Bonjour,\nVotre colis est arrivé dans votre bureau de poste.\nN° de colis : 6A12345678901\nExpéditeur "
        ": Librairie du Canal",
        {
            "tracking_numbers": ["6A12345678901"],
            "carrier": "Colissimo",
            "status": "ready_for_pickup",
            "merchant": "Librairie du Canal",
        },
    ),
    (
        "pl_inpost_ready",
        "InPost <powiadomienia@inpost.pl>",
        "Paczka czeka na odbiór",
        "2026-05-11",
        "Paczka od: Księgarnia Pod Lipą\nczeka w Paczkomacie ABC01M\nKod odbioru\n123456\nNumer paczki:\n"
        "620012345678901234567890",
        {
            "tracking_numbers": ["620012345678901234567890"],
            "carrier": "InPost",
            "status": "ready_for_pickup",
            "order_number": None,
            "merchant": "Księgarnia Pod Lipą",
        },
    ),
    (
        "nl_postnl_today",
        "PostNL <noreply@notificatie.edm.postnl.nl>",
        "Je pakket wordt vandaag bezorgd",
        "2026-05-11",
        "Je pakket van Fietsenhoek wordt vandaag bezorgd tussen 12:00 en 14:00.\nTrack & Trace code: 3SABCD123456789",
        {"tracking_numbers": ["3SABCD123456789"], "carrier": "PostNL", "status": "out_for_delivery"},
    ),
    (
        "royal_mail_today",
        "Royal Mail <no-reply@royalmail.com>",
        "Your Royal Mail parcel is coming today",
        "2026-05-11",
        "Good news, your parcel from Harbour Books is on its way to you.\nWe expect to deliver it today between "
        "10:15am and 2:15pm.\nTracking number\nQA123456785GB",
        {
            "tracking_numbers": ["QA123456785GB"],
            "carrier": "Royal Mail",
            "status": "out_for_delivery",
            "merchant": "Harbour Books",
        },
    ),
    (
        "evri_out",
        "Evri <do-not-reply@evri.com>",
        "Your parcel is on its way to you today",
        "2026-05-11",
        "Your Harbour Books parcel is out for delivery.\nTracking number\nC00HHA0123456789",
        {
            "tracking_numbers": ["C00HHA0123456789"],
            "carrier": "Evri",
            "status": "out_for_delivery",
            "merchant": "Harbour Books",
        },
    ),
    (
        "canada_post_delivered",
        "Canada Post <donotreply@notifications.canadapost-postescanada.ca>",
        "Your item was delivered",
        "2026-05-11",
        "Tracking number: 7012345678901234\nYour item has been delivered.\nDelivered on May 11, 2026",
        {"tracking_numbers": ["7012345678901234"], "carrier": "Canada Post", "status": "delivered"},
    ),
)
