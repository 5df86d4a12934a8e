"""French labels and phrases."""

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?: ?(?:n ?[°º]|no\b\.?|nº|numero|num\b\.?|ref(?:erence)?\b\.?|#|id\b))"
_PARCEL = r"(?:colis|commande|livraison|article|articles|paquet|envoi|achat)"

TABLE = LabelTable(
    language="fr",
    hints=(
        "commande", "colis", "livraison", "facture", "expedi", "suivi", "recu", "achat", "reservation",
        "rembours", "montant", "annul", "retour", "livre", "transaction", "paiement", "panier", "envoi",
        "billet", "trajet", "course",
    ),
    order_number=(
        (10, rf"(?:votre |ta |la )?commande{_NO}|(?:numero|n ?[°º]|no\b\.?|reference|ref\b\.?) (?:de )?(?:la "
             rf"|votre |ta )?commande"),
        (8, rf"(?:numero|n ?[°º]|reference|code|ref\b\.?) (?:de )?(?:la |votre )?(?:reservation|dossier|voyage"
            rf")|reservation{_NO}|dossier{_NO}"),
        (6, rf"(?:numero|n ?[°º]) (?:de |du )?(?:recu|ticket|confirmation)|recu{_NO}"),
        (5, rf"(?:numero|n ?[°º]|reference) (?:de )?(?:la |votre )?facture|facture{_NO}"),
        (5, rf"(?:numero|n ?[°º]|identifiant|code) (?:de )?(?:la |votre )?(?:transaction|paiement)|transaction{_NO}"),
        (3, r"reference|ref\b\.?"),
    ),
    order_word=((8, r"commande"),
        (5, r"facture"),
        (4, r"reservation")),
    tracking_number=(
        (10, rf"(?:numero|n ?[°º]|code|no\b\.?) (?:de )?(?:suivi|reperage|tracking|colis|colissimo|bordereau|expedition"
             rf"|l'envoi|envoi)|suivi{_NO}|colis{_NO}|envoi{_NO}|(?:colis"
             rf"|envoi) [a-z]{{3,12}}(?: [a-z]{{3,12}})? n ?[°º]|colissimo{_NO}|chronopost{_NO}"
             rf"|(?:numero|n ?[°º]) de lettre de transport"),
        (8, r"suivi|colis"),
    ),
    carrier=((9, r"transporteur|livre par|expedie par|expedie via|livraison par|remis a|confie a"),
        (5, r"mode de livraison|mode d'expedition|service")),
    total=(
        (10, r"montant (?:du remboursement|rembourse|credite)|total rembourse|(?:montant )?total (?:ttc|a payer"
             r"|paye|regle|general|de la commande|de votre commande|commande"
             r"|\(ttc\)|tva incluse|t\.t\.c\.?|facture|du paiement)|montant (?:total|paye|regle|debite|facture"
             r"|ttc|de la commande|de votre commande|du paiement)|total de (?:la|votre) commande|net a payer"
             r"|prix total|somme totale|coût total|cout total|total final"),
        (9, r"total"),
        (8, r"montant|paye|regle|debite|a payer"),
        (7, r"paiement (?:de|d'un montant de)|d'un montant de|montant de|la somme de|debite de"),
    ),
    subtotal=((9, r"sous-? ?total|total (?:des )?(?:articles|produits)|total ht|montant ht|total hors (?:taxes?"
                  r"|livraison)"),),
    shipping=((9, r"frais (?:de |d')?(?:livraison|port|expedition|envoi|transport)|livraison|port|expedition"
                  r"|transport"),),
    tax=((9, r"(?:dont )?(?:tva|t\.v\.a\.?|taxes?)(?: \(?\d{1,2}(?:[.,]\d{1,2})? ?%\)?)?|dont tva"),),
    discount=((9, r"remise|reduction|code promo|bon de reduction|bon d'achat|promotion|rabais|avoir"),),
    delivery=(
        (10, r"(?:date de )?livraison (?:prevue|estimee|souhaitee|programmee)(?: (?:le|pour le|entre le|:"
             r"|date))*|date (?:de|d'arrivee) (?:livraison )?(?:prevue|estimee)?|livraison (?:le|avant le"
             r"|entre le|au plus tard le)|arrivee (?:prevue|estimee)(?: le)?|arrive(?:ra)?(?: le)?|(?:sera"
             r"|seront) livre(?:e|s|es)?(?: le| avant le| entre le)?|prevue? (?:le|pour le|entre le)"
             r"|date de livraison|recevrez (?:votre [a-z]+ )?(?:le|entre le)|livre(?:e|s|es)? (?:le|entre le"
             r"|avant le)"),
        (8, r"arrivee (?=(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|demain|aujourd|le \d|entre le))"),
        (8, r"(?:re)?presenterons|nouvelle (?:tentative|presentation)"),
        (7, r"livraison"),
    ),
    merchant=((9, r"vendeur|vendu par|marchand|expediteur|boutique|commercant|magasin"),),
    decoys=(
        r"total (?:avant|sans|economise|remise|hors)[^\n\t]{0,20}|vous (?:economisez|avez economise)|economies",
        r"hors taxes?|hors tva|(?:numero|n ?[°º]) (?:de )?billet|date de (?:la |votre )?commande|commande (?:passee"
        r"|effectuee|du)|commande le|detail de (?:la"
        r"|votre) commande|recapitulatif|statut de (?:la|votre) commande|adresse de (?:livraison|facturation)"
        r"|date de (?:la )?facture|mode de paiement|moyen de paiement|date de paiement",
        r"(?:numero|n ?[°º]) (?:de )?(?:client|telephone|siret|tva|compte|carte|fidelite|l'article|article"
        r"|serie)|siren|siret|tva (?:intracommunautaire|intra)|code (?:de )?(?:retrait|verification|securite"
        r"|postal|promo|confirmation)|mot de passe",
    ),
    statuses=(
        (S.PARTIALLY_CANCELLED, 3, r"annulation partielle|partiellement annul|partie de (?:la|votre"
                                   r"|ta) commande[^.\n]{0,30} annule"
                                   r"|(?:un|certains"
                                   r"|des) articles? [^.\n]{0,50}annule"),
        (S.CANCEL_REQUESTED, 3, r"demande d['’]annulation|annulation demandee"),
        (S.CANCELLED, 3, r"(?:a|ont) (?:bien )?ete annule|annulation de (?:la|votre|ta) (?:commande|reservation)"
                         r"|commande [^.\n]{0,40}annulee|est annulee|avons (?:du )?annule"
                         r"|confirmation d['’]annulation"),
        (S.REFUNDED, 3, r"(?:a|ont|avons|avez) (?:bien )?(?:ete )?rembourse|remboursement (?:a ete|effectue"
                        r"|de votre|confirme|en cours|emis|valide|d'un montant)|votre remboursement"
                        r"|vous (?:avons|a) rembourse|confirmation de remboursement"),
        (S.RETURN_STARTED, 3, r"(?:demande de|votre|confirmation de) retour|retour (?:enregistre|accepte|valide"
                              r"|recu)|etiquette de retour|bien recu votre retour"),
        (S.DELAYED, 3, r"retard|retarde|plus de temps que prevu|report(?:e|ee) (?:de|la|votre)?|(?:livraison"
                       r"|colis) [^.\n]{0,30}(?:repoussee|reportee|retardee)|n['’]a (?:pas )?pu etre livre"
                       r"|n'avons pas pu (?:vous )?livrer|absent|nouvelle date de livraison"
                       r"|echec de (?:la )?livraison"),
        (S.READY_FOR_PICKUP, 3, r"(?:disponible|pret(?:e)?|vous attend|a retirer|a disposition"
                                r"|mis a disposition)[^.\n]{0,40} (?:point|relais|magasin|bureau|consigne|locker"
                                r"|retrait|agence|boutique)|(?:colis"
                                r"|commande) [^.\n]{0,30}(?:est )?arrivee? (?:en|au|dans votre"
                                r"|dans un) (?:point|relais|bureau|agence|consigne|magasin)"
                                r"|pret(?:e)? (?:a|pour) (?:etre )?(?:retire|enleve|le retrait"
                                r"|l['’]enlevement|retirer)|est (?:disponible|arrive) (?:en|dans|au"
                                r"|chez) (?!votre (?:espace|compte)"
                                r"|ligne)|vous attend"
                                r"|venez (?:le |la )?(?:retirer|recuperer)|a retirer"),
        (S.OUT_FOR_DELIVERY, 3, r"en cours de livraison|en livraison|(?:sera|seront|est) livre(?:e|s"
                                r"|es)? (?:aujourd['’]hui|ce jour)|livraison (?:aujourd['’]hui|ce jour"
                                r"|prevue aujourd['’]hui)|arrive(?:ra)? aujourd['’]hui"
                                r"|livreur (?:est )?(?:en route|arrive|bientot)|en tournee|(?:confie|remis) (?:a"
                                r"|au) (?:notre |votre |un )?livreur|livre(?:e|s)? aujourd"),
        (S.DELIVERED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:a|ont|est|sont) (?:bien )?(?:ete )?(?:livre"
                         rf"|remis|arrive|distribue|depose)|(?:a|ont) (?:bien )?ete (?:livre|remis|distribue"
                         rf"|depose)|est (?:bien )?(?:livre|arrive)|livre(?:e|s|es)? ?[:!]|livraison (?:effectuee"
                         rf"|reussie|terminee|confirmee)|confirmation de livraison|dans votre boite aux lettres"),
        (S.SHIPPED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:a|ont|est|sont) (?:bien )?(?:ete )?(?:expedie"
                       rf"|envoye|parti|en route|en chemin|en transit|en cours d['’]acheminement"
                       rf"|remis au transporteur|pris en charge)|(?:a|ont) (?:bien )?ete (?:expedie|envoye"
                       rf"|remis au transporteur|pris en charge|confie)|(?:est|sont) (?:en route|en chemin"
                       rf"|en cours d['’]acheminement|parti)|confirmation d['’](?:expedition|envoi)|expedie(?:e"
                       rf"|s|es)? ?[:!]|avis d['’]expedition|avons (?:bien )?expedie|en cours d['’](?:acheminement"
                       rf"|expedition)|vient d['’]etre (?:expedie|envoye)"),
        (S.SHIPPED, 2, r"livraison est (?:prevue|programmee) (?:le|pour|demain|entre)"),
        (S.SHIPPED, 1, r"(?:arrive(?:ra)?|(?:sera|seront) livre(?:e|s|es)?) (?:demain|le |lundi|mardi|mercredi|jeudi"
            r"|vendredi|samedi)|bientot (?:chez vous|livre)|votre (?:colis|envoi) arrive"),
        (S.CONFIRMED, 2, r"confirmation de (?:la |votre |ta )?(?:commande|reservation|paiement|achat)"
                         r"|merci (?:beaucoup )?(?:pour|de) (?:votre|ta) (?:commande|achat|reservation|paiement)"
                         r"|merci d['’]avoir (?:commande|reserve|achete)|(?:commande|reservation"
                         r"|paiement) [^.\n]{0,40}(?:confirmee?|enregistree?|validee?|recue?|acceptee?)"
                         r"|avons (?:bien )?(?:recu|enregistre) votre (?:commande|paiement|reservation)"
                         r"|commande ?[:!]|vous avez (?:envoye|effectue) un paiement|recapitulatif de (?:la"
                         r"|votre) commande"),
        (S.CONFIRMED, 1, r"votre (?:course|trajet)|d['’]avoir voyage|(?:votre|ta|vos) [^\n]{0,30}(?:commande|facture"
                         r"|recu|reservation|achat)|facture|recu de"),
    ),
    whens=(r"lorsque", r"quand", r"des que", r"si", r"apres", r"avant", r"une fois"),
    conditions=(r"jusqu", r"sera", r"seront", r"peut", r"n'a pas", r"comment", r"pas", r"afin"),
    shops=(
        r"(?:colis|commande|livraison|envoi|transport)(?:(?: n ?[°º])? ?[a-z]{0,4}\d[\w-]{4,28})? (?:de|chez"
        r"|provenant de|sur) "
        r"(?:la part de )?(?P<shop>[^\n\t.,:;!(]{2,50}?)(?:$"
        r"|[.,:;!(\n\t]| (?:est|a (?:ete|bien)|sera|arrive|ont|en|pour|avec|vous|n['’]a|va|au)\b)",
        r"(?:expedie|envoye|remis|confie)(?:e|s|es)? par (?P<shop4>[^\n\t.,:;!(]{2,50}?)(?:$"
        r"|[.,:;!(\n\t]| (?:est|a (?:ete|bien)|sera|vous|le|arrive|et)\b)",
        r"votre colis (?P<shop5>(?!est\b|sera\b|a\b|n|[^\n]{3,25} n[°o])[^\n\t.,:;!(]{2,40}?) (?:sera|est|a ete"
        r"|arrive)\b",
        r"pour le compte de (?P<shop2>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t])",
        r"paiement de[^\n]{0,40}? a (?P<shop3>[^\n\t(@]{2,60}?)(?: ?\(|$|[\n\t])",
    ),
    receipts=(r"commande", r"facture", r"recu", r"reservation", r"achat", r"paiement", r"billet", r"course", r"trajet"),
    not_orders=(
        ("promotion", r"(?:sur|pour) (?:votre|ta|la) (?:prochaine|premiere) (?:commande|course|reservation)"),
        ("review_request", r"(?:votre|ton|donnez|laissez)[^\n]{0,12} avis|evaluez|notez|enquete|satisfaction"
                           r"|comment s['’]est passe|qu['’]avez-vous pense|commentaire"),
        ("abandoned_cart", r"(?:oublie|attend|encore)[^\n]{0,30}panier|(?:votre|ton) panier|finalise[zr]|(?:vous"
                           r"|tu) (?:avez|as) oublie"
                           r"|terminez votre commande"),
        ("wish_list", r"liste d['’]envies|de nouveau (?:disponible|en stock)|de retour en stock|baisse de prix"
                      r"|recommandations? pour"),
        ("marketing", r"\d{1,2} ?% (?:de|sur)|soldes|newsletter|\boffres?\b|promo(?:s|tions)?\b|profitez"
                      r"|vente privee|jusqu['’]a -?\d{1,2} ?%|bon plan|black friday|code promo"),
        ("one_time_code", r"code (?:de |d['’])(?:verification|securite|confirmation|acces|connexion)"
                          r"|mot de passe|(?:verifiez|confirmez) votre (?:adresse|e-?mail|compte)"
                          r"|nouvelle connexion"),
        ("account_notice", r"bienvenue (?:chez|sur)|votre compte|conditions generales|confidentialite"
                           r"|paiement refuse"),
        ("bank_notice", r"releve de compte|virement (?:recu|effectue)|solde de"),
    ),
)  # fmt: skip
