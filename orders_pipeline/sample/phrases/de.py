"""German order and parcel mail. Only sentences belong here."""

from orders_pipeline.models import OrderStatus as S
from orders_pipeline.sample.phrases.base import Labels, Phrases, Telling

GERMAN = Phrases(
    language="de",
    colon=":",
    hello=("Guten Tag {name},", "Hallo {name},"),
    bye=("Mit freundlichen Grüßen, Ihr Team von {shop}", "Herzliche Grüße von {shop}"),
    small_print="Fragen? Antworten Sie einfach auf diese Nachricht. Sie erhalten sie wegen Ihrer Bestellung bei uns.",
    parcel_of="Dies ist Paket {n} von {count}; der Rest reist getrennt.",
    pickup_point="Abholort: Kiosk an der Alten Mühle, geöffnet bis 20:00 Uhr. Bitte einen Ausweis mitbringen.",
    sender="Absender",
    labels=(
        Labels(
            order_number="Bestellnummer",
            order_date="Bestelldatum",
            item="Artikel",
            quantity="Menge",
            price="Preis",
            subtotal="Zwischensumme",
            shipping="Versandkosten",
            free="kostenlos",
            discount="Rabatt",
            tax_included="enthaltene MwSt. ({rate} %)",
            tax_added="zzgl. MwSt. ({rate} %)",
            total="Gesamtbetrag",
            refund="Erstattungsbetrag",
            tracking="Sendungsnummer",
            carrier="Versanddienst",
            expected="Voraussichtliche Lieferung",
            address="Lieferadresse",
            payment="Zahlungsart",
            paid_by="Karte, Endziffern 0042",
            view="Bestellung ansehen",
            track="Sendung verfolgen",
        ),
        Labels(
            order_number="Bestell-Nr.",
            order_date="Bestellt am",
            item="Bezeichnung",
            quantity="Anzahl",
            price="Betrag",
            subtotal="Warenwert",
            shipping="Versand",
            free="gratis",
            discount="Gutschein",
            tax_included="inkl. MWST {rate} %",
            tax_added="MWST {rate} %",
            total="Gesamtsumme",
            refund="Rückerstattung",
            tracking="Paketnummer",
            carrier="Versand mit",
            expected="Zustellung voraussichtlich",
            address="Lieferung an",
            payment="Bezahlt mit",
            paid_by="Karte, Endziffern 0042",
            view="Zur Bestellung",
            track="Paket verfolgen",
        ),
    ),
    shop={
        S.CONFIRMED: (
            Telling(
                "Ihre Bestellung {number} bei {shop}",
                "vielen Dank für Ihre Bestellung. Wir haben sie erhalten und bereiten sie vor. Die Übersicht:",
            ),
            Telling("Bestellbestätigung {number}", "wir haben Ihre Bestellung erhalten und packen sie bald."),
        ),
        S.SHIPPED: (
            Telling("Ihre Bestellung {number} wurde versandt", "Ihre Bestellung hat unser Lager verlassen."),
            Telling("Ihr Paket ist unterwegs", "wir haben Ihre Ware verschickt. So verfolgen Sie Ihr Paket:"),
        ),
        S.CANCELLED: (
            Telling(
                "Stornierung Ihrer Bestellung {number}",
                "Ihre Bestellung wurde storniert. Es wird nichts abgebucht.",
            ),
            Telling("Bestellung {number} storniert", "wir haben Ihre Bestellung wie gewünscht storniert."),
        ),
        S.REFUNDED: (
            Telling(
                "Erstattung zu Ihrer Bestellung {number}",
                "Ihre Rücksendung ist eingetroffen und wir haben Ihnen den Betrag erstattet.",
            ),
            Telling("Rückerstattung zu {number}", "wir haben Ihnen den Kaufpreis zurückerstattet."),
        ),
    },
    carrier={
        S.OUT_FOR_DELIVERY: Telling(
            "Ihr Paket von {shop} kommt heute", "Ihr Paket ist in Zustellung und kommt heute bei Ihnen an."
        ),
        S.READY_FOR_PICKUP: Telling(
            "Ihr Paket {tracking} liegt zur Abholung bereit", "Ihr Paket liegt sieben Tage zur Abholung bereit."
        ),
        S.DELAYED: Telling(
            "Ihr Paket {tracking} verspätet sich", "Ihr Paket verspätet sich. Wir liefern es nun am {day}."
        ),
        S.DELIVERED: Telling("Ihr Paket wurde zugestellt", "wir haben Ihr Paket von {shop} zugestellt."),
    },
)
