"""The mail between the orders: newsletters, codes, notices, people, fraud. Only texts belong here.

``{code}``, ``{amount}``, ``{number}``, ``{day}``, ``{product}``, ``{price}``, ``{shop}`` and ``{issue}`` are filled in.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One mail of a fixed sender; ``html`` tells whether it comes with an HTML version."""

    name: str
    address: str
    language: str
    subject: str
    text: str
    html: bool = False


NEWSLETTERS: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (
            "The weekend letter, no. {issue}",
            "New in this week: {product}, now {price}. Free shipping over the weekend.",
        ),
        ("Last chance: up to 40% off at {shop}", "Our sale ends on Sunday. {product} for only {price}. Shop now."),
    ),
    "de": (
        (
            "Neues aus dem Lager, Ausgabe {issue}",
            "Frisch eingetroffen: {product} für {price}. Versandkostenfrei bis Sonntag.",
        ),
        ("Nur heute: 20 % auf alles bei {shop}", "Jetzt bestellen und sparen: {product} statt teuer nur {price}."),
    ),
    "fr": (
        ("La lettre du dimanche n° {issue}", "Nouveauté : {product} à {price}. Livraison offerte ce week-end."),
        ("Derniers jours : -30 % chez {shop}", "Commandez avant dimanche : {product} à {price} seulement."),
    ),
    "es": (
        ("Novedades de la semana {issue}", "Recién llegado: {product} por {price}. Envío gratis hasta el domingo."),
        ("Últimas horas: 25 % en {shop}", "Haz tu pedido hoy: {product} por solo {price}."),
    ),
    "nl": (
        (
            "Nieuwsbrief {issue}: vers van het land",
            "Nieuw binnen: {product} voor {price}. Gratis verzending dit weekend.",
        ),
        ("Alleen vandaag: 20% korting bij {shop}", "Bestel nu {product} voor maar {price}."),
    ),
}

CODES: tuple[Note, ...] = (
    Note(
        name="Tessel Bank",
        address="security@tesselbank.example",
        language="en",
        subject="Your one-time code",
        text="Your one-time code is {code}. It is valid for 10 minutes. We never ask for it by telephone.",
    ),
    Note(
        name="Wolkenfach",
        address="konto@wolkenfach.example",
        language="de",
        subject="{code} ist Ihr Bestätigungscode",
        text="Geben Sie diesen Code ein, um sich anzumelden: {code}. Waren Sie das nicht, tun Sie nichts.",
        html=True,
    ),
    Note(
        name="Passerelle",
        address="ne-pas-repondre@passerelle.example",
        language="fr",
        subject="Code de vérification {code}",
        text="Voici votre code de vérification : {code}. Il expire dans quinze minutes.",
    ),
)

NOTICES: tuple[Note, ...] = (
    Note(
        name="Tessel Bank",
        address="notices@tesselbank.example",
        language="en",
        subject="Card payment of {amount}",
        text="A payment of {amount} to {shop} was made with your card ending 0042 on {day}. Balance: 1,204.11.",
    ),
    Note(
        name="Stadtbücherei Musterau",
        address="ausleihe@buecherei-musterau.example",
        language="de",
        subject="Ihre Leihfrist endet am {day}",
        text="bitte geben Sie zwei Medien bis zum {day} zurück oder verlängern Sie sie. Ausweisnummer: {number}.",
    ),
    Note(
        name="Météo Rivage",
        address="bulletin@meteo-rivage.example",
        language="fr",
        subject="Bulletin du {day}",
        text="Pluie le matin, éclaircies l'après-midi, vent d'ouest modéré. Température maximale : 9 degrés.",
    ),
    Note(
        name="Ringpost Community",
        address="notify@ringpost.example",
        language="en",
        subject="3 new replies in “Bread ovens, part {issue}”",
        text="Mara and two others replied to a topic that you follow. Open the discussion to read ticket #{number}.",
        html=True,
    ),
    Note(
        name="Alta Luz",
        address="facturas@altaluz.example",
        language="es",
        subject="Tu lectura del contador",
        text="hemos registrado tu lectura del {day}: {number} kWh. No tienes que hacer nada.",
    ),
)

PERSONAL: tuple[Note, ...] = (
    Note(
        name="Maren Tidewell",
        address="maren@tidewell.example",
        language="en",
        subject="Dinner on Saturday?",
        text="Are you free on Saturday around seven? I would cook. Bring the atlas you ordered if it has come by then!",
    ),
    Note(
        name="Jost Eberling",
        address="jost@eberling.example",
        language="de",
        subject="Re: Wanderung",
        text="passt gut. Treffpunkt um neun am Bahnhof, ich habe das Zelt. Welche Reihenfolge nehmen wir?",
    ),
    Note(
        name="Solène Marchebois",
        address="solene@marchebois.example",
        language="fr",
        subject="Photos du jardin",
        text="voici enfin les photos. Le colis de graines est bien arrivé, merci encore ! On s'appelle dimanche ?",
    ),
    Note(
        name="Pieter Vonkelaar",
        address="pieter@vonkelaar.example",
        language="nl",
        subject="Fiets",
        text="de fiets staat weer in de schuur. Volgende week bestel ik een nieuwe ketting. Tot dinsdag!",
    ),
)

PHISHING: tuple[Note, ...] = (
    Note(
        name="Parcel Service",
        address="notice@track-parcel-update.example",
        language="en",
        subject="Your package {number} could not be delivered",
        text="Your package is held at our depot because of an unpaid customs fee of 1.99. Confirm your card within 24 "
        "hours or the package will be returned to its sender.",
        html=True,
    ),
    Note(
        name="Kundenservice",
        address="info@sicher-konto-pruefung.example",
        language="de",
        subject="Ihre Bestellung {number} wurde gesperrt",
        text="wir haben eine verdächtige Bestellung über 849,00 Euro festgestellt. Klicken Sie hier, um sie zu "
        "stornieren und Ihr Konto zu bestätigen, sonst wird es gelöscht.",
        html=True,
    ),
    Note(
        name="Billing Desk \x1b[31mURGENT\x1b[0m",
        address="invoice@renewal-desk.example",
        language="en",
        subject="\x1b]0;paid\x07Invoice {number}: 399.99 charged",
        text="Your subscription renews today for 399.99. To cancel this order call our desk and give your card number.",
    ),
)

CARTS: tuple[Note, ...] = (
    Note(
        name="Lanternwick Books",
        address="hello@lanternwick.example",
        language="en",
        subject="You left something in your basket",
        text="{product} is still waiting for you at {price}. Complete your order before it sells out.",
        html=True,
    ),
    Note(
        name="Bohnenkontor Halmgrün",
        address="neues@bohnenkontor.example",
        language="de",
        subject="Ihr Warenkorb wartet",
        text="Sie haben {product} im Warenkorb gelassen. Schließen Sie Ihre Bestellung ab, solange der Vorrat reicht.",
        html=True,
    ),
)

# Mail that is about orders and holds none that can be read: a judge should look at it.
ORDER_WORDS: tuple[Note, ...] = (
    Note(
        name="Quillmoor Outfitters",
        address="support@quillmoor.example",
        language="en",
        subject="About your recent order",
        text="Thanks for writing to us about your order. We asked the warehouse where your shipment is and will come "
        "back to you with the tracking number as soon as we have it.",
    ),
    Note(
        name="Zwirnmark Halden",
        address="kundendienst@zwirnmark.example",
        language="de",
        subject="Ihre Anfrage zu Ihrer Bestellung",
        text="leider konnten wir Ihre Bestellung unter dieser Adresse nicht finden. Nennen Sie uns bitte die "
        "Bestellnummer aus Ihrer Auftragsbestätigung, dann prüfen wir den Versand.",
    ),
    Note(
        name="Papeterie Lumerle",
        address="atelier@lumerle.example",
        language="fr",
        subject="Votre commande en magasin",
        text="votre commande passée au comptoir est presque prête. Nous vous appellerons pour la livraison ; le total "
        "reste à régler sur place.",
    ),
)

REVIEWS: dict[str, tuple[str, str]] = {
    "en": ("How was your order {number}?", "Tell others what you think of {product}. It takes a minute."),
    "de": ("Wie zufrieden sind Sie mit Bestellung {number}?", "Bewerten Sie {product} und helfen Sie anderen."),
    "fr": ("Votre avis sur la commande {number}", "Que pensez-vous de {product} ? Donnez votre avis."),
    "es": ("Valora tu pedido {number}", "¿Qué te ha parecido {product}? Deja tu opinión."),
    "nl": ("Wat vind je van bestelling {number}?", "Laat anderen weten wat je van {product} vindt."),
}
