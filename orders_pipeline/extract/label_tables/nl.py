"""Dutch labels and phrases."""

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?:-?(?:nummer|nr\b\.?|id\b|#)| ?(?:nummer|nr\b\.?|id\b|#))"
_PARCEL = r"(?:pakket(?:je)?|bestelling|zending|order|artikel(?:en)?|levering|pakjes?)"

TABLE = LabelTable(
    language="nl",
    hints=(
        "bestelling", "bezorg", "pakket", "factuur", "levering", "verzonden", "verzend", "betaling",
        "reservering", "bestelnummer", "zending", "totaal", "bevestiging", "bezorgd", "pakje",
        "geleverd", "winkelwagen", "retour", "terugbeta", "annuler", "geannuleerd", "teruggestort", "onderweg",
        "ophalen", "afhalen", "afhaal",
    ),
    order_number=(
        (10, rf"(?:je |uw )?(?:bestel|order|bestellings){_NO}|(?:bestelling|order){_NO}|bestelcode"
             rf"|(?:bestelling|order) met (?:het )?nummer"),
        (8, rf"(?:reserverings|boekings){_NO}|reserveringscode|boekingscode"),
        (5, rf"factuur{_NO}"),
        (5, rf"(?:transactie|betalings){_NO}|transactie-id"),
    ),
    order_word=((8, r"bestelling|order"),
        (5, r"factuur")),
    tracking_number=((10, r"(?:track (?:&|and|en) trace|tracking)(?:[- ]?(?:code|nummer))?|(?:zendings?|pakket"
                          r"|barcode|verzend)(?:nummer|code)|volgnummer|volgcode|trace?ringsnummer|barcode"
                          r"|(?:zending|pakket|pakje) met (?:het )?nummer"),
        (7, r"zending|pakket")),
    carrier=((9, r"transporteur|koerier|bezorger|vervoerder|bezorgd door|verzonden (?:met|via|door)"
                 r"|bezorgdienst|pakketdienst"
                 r"|verzendpartner"),
        (5, r"verzendmethode|verzendwijze|bezorgmethode")),
    total=(
        (10, r"(?:terugbetaald|teruggestort) bedrag|terugbetaling(?:sbedrag)?|totaal ?bedrag|totaalbedrag"
             r"|totaal (?:incl[^\n\t\d€]{0,14}|betaald|te betalen|bestelling"
             r"|van je bestelling|prijs)|eindtotaal|eindbedrag|te betalen|totaalprijs|orderbedrag|orderwaarde"
             r"|betaald bedrag|factuurbedrag|bestelbedrag"),
        (9, r"totaal"),
        (8, r"bedrag|betaald"),
        (7, r"betaling van|bedrag van"),
    ),
    subtotal=((9, r"subtotaal|tussentotaal|artikelen|totaal artikelen|(?:sub)?totaal excl[^\n\t\d€]{0,14}"),),
    shipping=((9, r"verzendkosten|bezorgkosten|verzending|bezorging|leveringskosten"),),
    tax=((9, r"(?:waarvan )?btw(?: \(?\d{1,2} ?%\)?)?"),),
    discount=((9, r"korting|kortingscode|actiekorting|voucher|tegoed|cadeaukaart"),),
    delivery=((10, r"(?:verwachte|geplande|geschatte) (?:bezorging|levering|bezorgdatum|leverdatum|bezorgdag"
                   r"|leverdag|levertijd|bezorgmoment)|bezorgdatum|leverdatum|bezorgmoment|bezorgdag|(?:wordt"
                   r"|komt)(?: [^\n\t.]{1,30})? (?:bezorgd|geleverd|aan)(?: op)?|bezorgd op|geleverd op"
                   r"|verwacht(?: op)?|we bezorgen(?: [^\n\t.]{1,30})? op"),
        (8, r"(?:je|u|jij) (?:ontvangt|krijgt) (?:het|hem|(?:je|uw) (?:pakket|bestelling))"
            r"|bezorging|levering|morgen bezorgen we|komt(?: op)?|bezorg(?:t|en we) (?:je|uw)(?= (?:pakket"
            r"|bestelling|zending))")),
    merchant=((9, r"verkoper|verkocht door|afzender|winkel|webshop"),),
    decoys=(r"besteldatum|factuurdatum|bezorgadres|factuuradres|afleveradres|betaalmethode|betaalwijze"
            r"|orderstatus|klantnummer|telefoonnummer|artikelnummer|btw-?nummer|kvk(?:-?nummer)?|ophaalcode"
            r"|kortingscode|wachtwoord|besteloverzicht|je bespaart|verificatiecode",),
    statuses=(
        (S.PARTIALLY_CANCELLED, 3, r"gedeeltelijk geannuleerd|deels geannuleerd|(?:een|enkele"
                                   r"|sommige) artikel(?:en)? [^.\n]{0,50}(?:geannuleerd|niet (?:meer )?leverbaar"
                                   r"|uitverkocht)|uit je bestelling (?:gehaald|verwijderd)"),
        (S.CANCEL_REQUESTED, 3, r"annuleringsverzoek|verzoek tot annulering"),
        (S.CANCELLED, 3, r"(?:is|zijn|hebben|werd) [^.\n]{0,60}geannuleerd|annulering (?:van je|van uw"
                         r"|bevestigd)|geannuleerd[:!]|bevestiging (?:van )?annulering"),
        (S.REFUNDED, 3, r"terugbetaling (?:is|van|verwerkt|bevestigd)|terugbetaald|je (?:geld|terugbetaling)"
                        r"|teruggestort|je (?:krijgt|ontvangt) [^.\n]{0,30}terug\b"),
        (S.RETURN_STARTED, 3, r"(?:je|uw) retour|retour(?: [^.\n]{1,40})? (?:aangemeld|ontvangen|bevestigd"
                              r"|verwerkt)|retourlabel"
                              r"|retourbevestiging"),
        (S.DELAYED, 3, r"(?:wordt|worden) [^.\n]{0,50}(?:later|vertraagd)|vertraag|vertraging"
                       r"|later (?:bezorgd|geleverd|dan (?:verwacht|gepland))|langer op zich wachten"
                       r"|duurt (?:iets |wat )?langer|niet (?:kunnen bezorgen|thuis"
                       r"|bezorgd)|nieuwe (?:bezorgdatum|leverdatum)|bezorgpoging"),
        (S.READY_FOR_PICKUP, 3, r"(?:ligt|staat) (?:klaar|voor je klaar)|klaar (?:om (?:op te halen|opgehaald)"
                                r"|voor afhalen)|kun(?:t| je) [^.\n]{0,40}ophalen|op te halen|afhaalbericht"
                                r"|afhalen bij"),
        (S.OUT_FOR_DELIVERY, 3, r"(?:wordt|komt|bezorgen|bezorgt) [^.\n]{0,50}(?:vandaag|vanavond)|(?:vandaag"
                                r"|vanavond) (?:bezorg(?:d"
                                r"|en|t)|leveren|bij je"
                                r"|geleverd|komt|wordt)|(?:we|wij) (?:staan|komen) vandaag"
                                r"|bezorger is onderweg|onderweg naar je toe|in bezorging"
                                r"|bezorgmoment vandaag"),
        (S.DELIVERED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:is|zijn|werd)(?: [^.\n]{{1,40}})? (?:bezorgd"
                         rf"|afgeleverd|geleverd|aangekomen)|(?:is|zijn) (?:succesvol )?(?:bezorgd|afgeleverd"
                         rf"|geleverd)|bezorgd[:!]|hebben [^.\n]{{0,60}}(?:bezorgd|afgeleverd)|bezorgbevestiging"
                         rf"|in (?:je|de) brievenbus"),
        (S.SHIPPED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:is|zijn|werd)(?: [^.\n]{{1,40}})? (?:verzonden"
                       rf"|verstuurd|onderweg|op weg)|(?:is|zijn) (?:nu |al )?(?:verzonden|verstuurd|onderweg)"
                       rf"|verzendbevestiging|verzonden[:!]|hebben [^.\n]{{0,60}}(?:verzonden|verstuurd)"
                       rf"|onderweg"),
        (S.SHIPPED, 1, r"(?:komt|wordt|bezorgen|bezorgd|geleverd) [^.\n]{0,40}(?:morgen|(?:maan|dins|woens"
                       r"|donder|vrij|zater|zon)dag)"
            r"|morgen (?:bezorgen|bezorgd|komt|bij je)|wordt [^.\n]{0,40}(?:bezorgd|geleverd) op"),
        (S.CONFIRMED, 2, r"(?:order|bestel|boekings|reserverings|betalings|aankoop)bevestiging"
                         r"|bevestiging van (?:je|uw|de) (?:bestelling|order|reservering|boeking|aankoop"
                         r"|betaling)|bedankt voor (?:je|uw|het plaatsen van je) (?:bestelling|aankoop|order"
                         r"|reservering|betaling)|(?:bestelling|order|betaling) [^.\n]{0,40}(?:ontvangen"
                         r"|bevestigd|geplaatst)|bedankt dat je [^.\n]{0,40}(?:besteld|winkelt)"
                         r"|hebben je bestelling ontvangen|besteld[:!]"),
        (S.CONFIRMED, 1, r"(?:je|uw|jouw) [^\n]{0,30}(?:bestelling|factuur|aankoop|order|rit\b)|factuur|bon\b"),
    ),
    whens=(r"zodra", r"wanneer", r"als", r"nadat", r"voordat", r"indien"),
    conditions=(r"wordt", r"worden", r"kan", r"kunnen", r"niet", r"nog niet", r"indien"),
    shops=(r"(?:pakket(?:je)?|pakje|zending|bestelling)(?: [a-z]{0,4}\d[\w-]{4,28})? (?:van"
           r"|bij) (?P<shop>[^\n\t.,:;!(]{2,50}?)(?:$"
           r"|[.,:;!(\n\t]| (?:is"
           r"|wordt|komt|ligt|niet|kon|kan|en|met|op|morgen|vandaag|staat|heeft|bezorgd|verzonden|onderweg|geleverd)\b)",
           r"betaling van[^\n]{0,40}? aan (?P<shop2>[^\n\t(@]{2,60}?)(?: ?\(|$|[\n\t])"),
    receipts=(r"bestel", r"factuur", r"order", r"reservering", r"boeking", r"aankoop", r"betaling", r"pakket",
              r"(?:je|uw) rit\b"),
    not_orders=(
        ("promotion", r"(?:op|bij) (?:je|uw) (?:volgende|eerste) (?:bestelling|boeking|rit)"),
        ("money_received", r"nieuwe bestelling ontvangen|je hebt (?:iets |een artikel )?verkocht|(?:is"
                           r"|artikel) verkocht"),
        ("review_request", r"beoordeel|beoordeling|review|mening|enquete|wat (?:vond|vind) je|hoe (?:was|bevalt)"),
        ("abandoned_cart", r"winkelwagen|winkelmand"),
        ("wish_list", r"verlanglijst|weer op voorraad|aanbevolen"),
        ("marketing", r"\d{1,2} ?% korting|\bsale\b|nieuwsbrief|aanbieding|acties?\b|alleen vandaag|tot \d{1,2} ?%"),
        ("one_time_code", r"(?:verificatie|beveiligings|inlog|bevestigings)code|wachtwoord"
                          r"|bevestig je (?:e-?mail|account)|nieuwe inlog"),
        ("account_notice", r"welkom|je account|privacy|betaling mislukt"),
        ("bank_notice", r"rekeningoverzicht|overschrijving|saldo"),
    ),
)  # fmt: skip
