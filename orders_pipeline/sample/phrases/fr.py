"""French order and parcel mail. Only sentences belong here."""

from orders_pipeline.models import OrderStatus as S
from orders_pipeline.sample.phrases.base import Labels, Phrases, Telling

FRENCH = Phrases(
    language="fr",
    colon="\u00a0:",
    hello=("Bonjour {name},", "Bonjour {name} !"),
    bye=("Merci de votre confiance. L'équipe {shop}", "À bientôt chez {shop}"),
    small_print="Une question ? Répondez à ce message. Vous le recevez à la suite de votre commande.",
    parcel_of="Ceci est le colis {n} sur {count} ; le reste voyage séparément.",
    pickup_point="Point relais : Kiosque du Vieux Moulin, ouvert jusqu'à 20 h. Munissez-vous d'une pièce d'identité.",
    sender="Expéditeur",
    labels=(
        Labels(
            order_number="Numéro de commande",
            order_date="Date de commande",
            item="Article",
            quantity="Qté",
            price="Prix",
            subtotal="Sous-total",
            shipping="Frais de port",
            free="offerts",
            discount="Remise",
            tax_included="dont TVA ({rate} %)",
            tax_added="TVA ({rate} %)",
            total="Total TTC",
            refund="Montant remboursé",
            tracking="Numéro de suivi",
            carrier="Transporteur",
            expected="Livraison prévue",
            address="Adresse de livraison",
            payment="Mode de paiement",
            paid_by="Carte se terminant par 0042",
            view="Voir ma commande",
            track="Suivre mon colis",
        ),
        Labels(
            order_number="Commande n°",
            order_date="Passée le",
            item="Désignation",
            quantity="Quantité",
            price="Montant",
            subtotal="Total articles",
            shipping="Livraison",
            free="offerte",
            discount="Code promo",
            tax_included="TVA incluse ({rate} %)",
            tax_added="TVA ({rate} %)",
            total="Total de la commande",
            refund="Montant du remboursement",
            tracking="N° de suivi",
            carrier="Expédié par",
            expected="Date de livraison estimée",
            address="Livré à",
            payment="Réglé par",
            paid_by="Carte se terminant par 0042",
            view="Détails de la commande",
            track="Suivi du colis",
        ),
    ),
    shop={
        S.CONFIRMED: (
            Telling(
                "Confirmation de votre commande {number}",
                "nous vous remercions de votre commande. Nous la préparons avec soin. En voici le récapitulatif.",
            ),
            Telling("Merci pour votre commande {number}", "Nous avons bien reçu votre commande."),
        ),
        S.SHIPPED: (
            Telling("Votre commande {number} a été expédiée", "votre commande vient de quitter notre atelier."),
            Telling("Votre colis est en route", "Votre commande est expédiée. Suivez-la ci-dessous."),
        ),
        S.CANCELLED: (
            Telling(
                "Votre commande {number} a été annulée",
                "votre commande a été annulée. Aucun montant ne sera débité.",
            ),
            Telling("Annulation de la commande {number}", "Votre commande est annulée comme demandé."),
        ),
        S.REFUNDED: (
            Telling(
                "Remboursement de votre commande {number}",
                "votre retour nous est parvenu et nous vous avons remboursé.",
            ),
            Telling("Remboursement effectué ({number})", "Nous vous avons remboursé sur votre carte."),
        ),
    },
    carrier={
        S.OUT_FOR_DELIVERY: Telling(
            "Votre colis {shop} arrive aujourd'hui", "votre colis est en cours de livraison et arrive aujourd'hui."
        ),
        S.READY_FOR_PICKUP: Telling(
            "Votre colis {tracking} est disponible", "votre colis est disponible en point relais pendant sept jours."
        ),
        S.DELAYED: Telling(
            "Retard de votre colis {tracking}", "votre colis est retardé. Nouvelle date de livraison : {day}."
        ),
        S.DELIVERED: Telling("Votre colis a été livré", "nous avons livré votre colis de {shop}."),
    },
)
