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
    (
        "ups_tomorrow",
        "UPS <mcinfo@ups.com>",
        "UPS Update: Package Scheduled for Delivery Tomorrow",
        "2026-05-11",
        "Your package is arriving tomorrow.\nEstimated Delivery Tuesday 05/12/2026 between 9:00 AM and 1:00 "
        "PM\nFrom NORTHWIND TOOLS\nTracking Number:\t1Z12345E0205271688\nUPS Service:\tUPS GROUND",
        {
            "tracking_numbers": ["1Z12345E0205271688"],
            "carrier": "UPS",
            "status": "shipped",
            "expected_delivery": "2026-05-12",
            "order_number": None,
            "total": None,
        },
    ),
    (
        "usps_sched",
        "auto-reply@usps.com",
        "USPS® Expected Delivery on Tuesday, May 12, 2026 by 9:00pm 9400111899223100001234",
        "2026-05-11",
        "Your item is expected to be delivered on Tuesday, May 12, 2026 by 9:00pm.\nTracking Number: "
        "9400111899223100001234\nIn Transit, Arriving On Time",
        {
            "tracking_numbers": ["9400111899223100001234"],
            "carrier": "USPS",
            "status": "shipped",
            "expected_delivery": "2026-05-12",
            "order_number": None,
            "total": None,
        },
    ),
    (
        "canadapost",
        "Canada Post Notification <donotreply-nepasrepondre@notifications.canadapost-postescanada.ca>",
        "Your parcel from HARBOUR BOOKS is out for delivery",
        "2026-05-11",
        "Your parcel is out for delivery today.\nTracking number: 7012345678901234\nExpected delivery: "
        "Today\nVotre colis est en cours de livraison",
        {
            "merchant": "HARBOUR BOOKS",
            "tracking_numbers": ["7012345678901234"],
            "carrier": "Canada Post",
            "status": "out_for_delivery",
            "expected_delivery": "2026-05-11",
            "order_number": None,
            "total": None,
        },
    ),
    (
        "yamato",
        "ヤマト運輸 <mail@kuronekoyamato.co.jp>",
        "お荷物お届けのお知らせ【受取日時変更可能】",
        "2026-05-11",
        "サム様\n5月12日 お荷物をお届けします。\n■お届け予定日時:5月12日 14時-16時\n"
        "■品名:書籍\n■ご依頼主:山桜堂様\n■送り状番号:123456789012",
        {
            "merchant": "山桜堂",
            "tracking_numbers": ["123456789012"],
            "carrier": "ヤマト運輸",
            "status": "shipped",
            "expected_delivery": "2026-05-12",
            "order_number": None,
            "total": None,
        },
    ),
    (
        "laposte",
        "La Poste - Colissimo <noreply@notif-colissimo-laposte.info>",
        "Votre Colissimo arrive demain",
        "2026-05-11",
        "Bonjour,\nVotre colis n°6A12345678901 expédié par LIBRAIRIE DU CANAL sera livré demain, mardi 12 mai.",
        {
            "tracking_numbers": ["6A12345678901"],
            "carrier": "Colissimo",
            "status": "shipped",
            "expected_delivery": "2026-05-12",
            "order_number": None,
            "total": None,
        },
    ),
    (
        "it_brt",
        "BRT <noreply@brt.it>",
        "La tua spedizione è in consegna oggi",
        "2026-05-11",
        "Gentile cliente, la spedizione n. 123456789012 da BOTTEGA BLU verrà consegnata oggi tra le 10:00 e le 12:00.",
        {
            "tracking_numbers": ["123456789012"],
            "carrier": "BRT",
            "status": "out_for_delivery",
            "expected_delivery": "2026-05-11",
            "order_number": None,
            "total": None,
        },
    ),
    (
        "gls_de",
        "GLS Paket-Info <noreply@gls-pakete.de>",
        "Ihr Paket von Stoffkiste kommt morgen",
        "2026-05-11",
        "Paketnummer: 12345678901\nVoraussichtliche Zustellung: morgen, 12.05.2026, 10:00 - 13:00 Uhr",
        {
            "merchant": "Stoffkiste",
            "tracking_numbers": ["12345678901"],
            "carrier": "GLS",
            "status": "shipped",
            "expected_delivery": "2026-05-12",
            "order_number": None,
            "total": None,
        },
    ),
    (
        "dhl_uk",
        "DHL eCommerce UK <noreply@dhl.co.uk>",
        "Your parcel from Harbour Books will be delivered tomorrow",
        "2026-05-11",
        "Your parcel JJD00012345678901234 will be delivered tomorrow between 10:00 and 12:00",
        {
            "merchant": "Harbour Books",
            "tracking_numbers": ["JJD00012345678901234"],
            "carrier": "DHL",
            "status": "shipped",
            "expected_delivery": "2026-05-12",
            "order_number": None,
            "total": None,
        },
    ),
    (
        "dpd_uk",
        "DPD <noreply@dpd.co.uk>",
        "Your DPD parcel from Harbour Books is due today",
        "2026-05-11",
        "Your driver Ann will deliver your parcel today between 14:05 - 15:05.\nParcel number: 15501234567890",
        {
            "merchant": "Harbour Books",
            "tracking_numbers": ["15501234567890"],
            "carrier": "DPD",
            "status": "out_for_delivery",
            "expected_delivery": "2026-05-11",
            "order_number": None,
            "total": None,
        },
    ),
)
