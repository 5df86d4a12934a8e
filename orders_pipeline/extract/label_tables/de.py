"""German labels and phrases."""

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?:-?(?:nummer|nr\b\.?|id\b|code|#)| ?(?:nummer|nr\b\.?|no\b\.?|id\b|#))"
# What is included: "inkl. 19 % MwSt."; it must not reach into the amount.
_WITH = r"(?:\.? ?[^\n\t\d€:]{0,20}\d{1,2} ?% ?[^\n\t\d€:]{0,16}|\.?[^\n\t\d€:]{0,20})"
_PARCEL = r"(?:paket|sendung|bestellung|lieferung|artikel|ware|pakete|päckchen|auftrag|teillieferung)"

TABLE = LabelTable(
    language="de",
    hints=(
        "bestell", "sendung", "paket", "rechnung", "lieferung", "auftrag", "buchung", "gesamt", "zustell",
        "versand", "quittung", "storn", "erstatt", "retour", "rucksend", "geliefert", "zugestellt",
        "einkauf", "fahrt", "versandt", "verschickt", "beleg", "zahlung", "handler", "kassenbon", "zahlen",
    ),
    order_number=(
        (10, rf"(?:ihre |deine )?(?:bestell(?:ungs)?|auftrags|order){_NO}"),
        (10, rf"(?:bestellung|auftrag|bestellbestatigung|auftragsbestatigung){_NO}"),
        (8, rf"(?:buchungs|reservierungs|reise){_NO}|buchungscode"),
        (6, rf"(?:beleg|quittungs|bon|kassenbon){_NO}"),
        (5, rf"(?:rechnungs|rechnung ){_NO}|rechnung nr\.?"),
        (5, rf"(?:transaktions|zahlungs|vorgangs){_NO}|transaktionscode"),
        (3, rf"(?:referenz|dokument){_NO}|referenz|vorgang"),
    ),
    order_word=((8, r"bestellung|auftrag|ihre bestellung|deine bestellung|bestellbestatigung|auftragsbestatigung"),
        (5, r"rechnung"),
        (4, r"buchung")),
    tracking_number=(
        (10, rf"(?:sendungs|paket|tracking|trackings|paketverfolgungs|sendungsverfolgungs|paketschein|identcode"
             rf"|versand|frachtbrief|trackingnummer){_NO}|trackingnummer|sendungsnummer|identcode"
             rf"|sendungsverfolgung"),
        (9, r"tracking|paketnummer|sendung"),
    ),
    carrier=((9, r"versanddienst(?:leister)?|transportunternehmen|zustelldienst|kurierdienst|paketdienst"
                 r"|zusteller|versand (?:durch|mit|per|uber)|versandunternehmen"
                 r"|lieferdienst|versandpartner|transporteur|spedition|versendet (?:mit|per|durch)"
                 r"|verschickt (?:mit|per)|zustellung (?:durch|mit)"),
             (5, r"versandart|lieferart|versandmethode|versand")),
    total=(
        (10, r"(?:ruck)?erstattungs(?:betrag|summe)|gutschrifts?betrag|erstatteter betrag"
             r"|(?:ruck)?erstattung (?:gesamt|insgesamt)|bruttobetrag|rechnungssumme"
             r"|gesamtsumme|gesamtbetrag|endsumme|endbetrag|rechnungsbetrag|gesamtpreis"
             r"|(?:gesamt(?:summe)?|summe|total|betrag) (?:inkl|brutto)"
             rf"{_WITH}|bestellsumme|zahlbetrag|gesamtkosten"
             r"|bestellwert|auftragssumme|auftragswert|zu zahlen(?:der betrag)?|gesamtsumme der bestellung"
             r"|summe der bestellung"),
        (9, r"gesamt|summe|total"),
        (8, r"betrag|bezahlt|gezahlt|abgebucht|zahlung"),
        (7, r"(?:eine )?zahlung (?:uber|von|in hohe von)|in hohe von|betrag von"),
    ),
    subtotal=((9, r"zwischensumme|warenwert|summe (?:der )?artikel|artikelsumme|artikel(?:preis)? gesamt"
                  r"|nettosumme|netto(?:betrag)?|warenkorb(?:wert)?"),),
    shipping=((9, r"versandkosten|versand|lieferkosten|versandkostenpauschale|lieferung|porto"
                  r"|verpackung(?: ?(?:&|und) ?versand)?|versand ?(?:&|und) ?verpackung|zustellgebuhr"),),
    tax=((9, r"(?:enthaltene |inkl\.? |zzgl\.? )?(?:\d{1,2} ?% ?)?(?:mwst|ust|mehrwertsteuer|umsatzsteuer"
             r"|steuer)\.?(?: \(?\d{1,2}(?:[.,]\d)? ?%\)?)?"),),
    discount=((9, r"rabatt|gutschein|nachlass|aktionsrabatt|ermassigung|gutscheincode|skonto"),),
    delivery=(
        (10, r"(?:voraussichtliche[rs]?|geplante[rs]?|erwartete[rs]?|vorauss\.?|neue[rs]?) (?:liefertermin"
             r"|lieferdatum|lieferung|zustellung|zustelltermin|zustelldatum|ankunft|liefertag|lieferzeit)"
             r"|liefertermin|lieferdatum|zustelltermin|zustelldatum|ankunft|zustellung(?: am| bis)?"
             r"|wunsch(?:liefer)?termin"
             r"|lieferung (?:am|bis|zwischen)|lieferung voraussichtlich|(?:wird|kommt"
             r"|trifft)(?: [^\n\t.]{1,40})? voraussichtlich(?: am)?|zugestellt (?:wird|werden)"
             r"|voraussichtlich(?: am)?|liefertag"),
        (8, r"lieferung|kommt(?: am)?|lieferzeit(?:raum)?"),
    ),
    merchant=((9, r"handler|versendet von|verkauft von|verkaufer|absender|shop|anbieter|versender|auftraggeber"),),
    decoys=(
        r"gesamt(?:summe)? (?:netto|ohne|exkl)[^\n\t]{0,20}|summe (?:netto|ohne|exkl)[^\n\t]{0,20}|sie sparen"
        r"|ersparnis|gesamtgewicht|gesamtersparnis|gesamtmenge|gesamtanzahl",
        r"bestelldatum|bestellt am|auftragsdatum|rechnungsdatum|bestellubersicht|bestellstatus|bestelldetails"
        r"|bestellung vom|rechnung vom|lieferadresse|lieferanschrift|rechnungsadresse|lieferstatus"
        r"|versandadresse|lieferoptionen",
        r"kundennummer|kunden-?nr\.?|artikelnummer|artikel-?nr\.?|telefon(?:nummer)?|ust-?id(?:nr)?\.?-?(?:nr)?"
        r"|ust-idnr\.?|steuernummer|kontonummer|handelsregister|iban|bic|abholcode|pin|einmalpasswort"
        r"|gutscheincode|seriennummer|mitgliedsnummer|servicenummer|packstation|postnummer|zahlungsart"
        r"|zahlungsmethode|zahlungsziel",
    ),
    statuses=(
        (S.PARTIALLY_CANCELLED, 3, r"teil(?:weise)? ?storn|teilstorn|(?:ein|einige"
                                   r"|mehrere) artikel [^.\n]{0,50}(?:storniert|nicht (?:mehr )?lieferbar"
                                   r"|ausverkauft)|aus (?:ihrer|deiner) bestellung (?:entfernt|gestrichen"
                                   r"|genommen)|nur (?:teilweise|einen teil) [^.\n]{0,40}liefern"),
        (S.CANCEL_REQUESTED, 3, r"stornierungsanfrage|stornierung (?:beantragt|angefragt|angefordert)|(?:anfrage"
                                r"|wunsch)[^.\n]{0,20} (?:zur )?stornierung|stornoanfrage"),
        (S.CANCELLED, 3, r"(?:wurde|ist|haben wir|wird) [^.\n]{0,60}storniert|stornierung (?:deiner|ihrer"
                         r"|bestatigt|der bestellung)|stornobestatigung|stornierungsbestatigung|storniert[:!]"
                         r"|bestellung [^\n]{0,30}storniert|wir mussten [^.\n]{0,50}stornieren"),
        (S.REFUNDED, 3, r"(?:ruck)?erstattung (?:wurde|ist|veranlasst|erfolgt|uber|in hohe|fur|deiner|ihrer"
                        r"|bestatigt)|(?:ruck)?erstattet|ihre (?:ruck)?erstattung|deine (?:ruck)?erstattung"
                        r"|gutgeschrieben|gutschrift(?: [a-z]{0,4}[-\d][\w-]{2,20})? (?:uber|wurde|erstellt"
                        r"|fur|zu (?:deiner|ihrer))|ruckzahlung (?:uber|wurde"
                        r"|ist|veranlasst|erfolgt)|geld zuruck uberwiesen"),
        (S.RETURN_STARTED, 3, r"(?:ruck(?:sendung|gabe)|retoure) (?:wurde |ist )?(?:angemeldet|erhalten"
                              r"|eingegangen|gestartet|bestatigt|registriert|veranlasst)|(?:deine|ihre|zur"
                              r"|eure) (?:ruck(?:sendung|gabe)|retoure)|retourenlabel|rucksendeetikett"
                              r"|retourenschein|rucksendebestatigung"),
        (S.DELAYED, 3, r"wird [^.\n]{0,50}(?:verspatet|verzoger|spater (?:geliefert|zugestellt|versendet|als))"
                         r"|(?:kann|konnen) (?:leider )?erst [^.\n]{0,50}(?:geliefert|versendet|verschickt)"
                         r"|spater als (?:geplant|erwartet|gedacht)|dauert (?:leider )?(?:noch )?(?:etwas "
                         r"|ein wenig )?langer"
                         r"|verschiebt sich|verspat(?:et|ung|en)|verzoger(?:t|ung)|lieferverzug|(?:liefer"
                         r"|zustell)(?:termin|ung"
                       r"|datum) [^.\n]{0,30}(?:geandert|verschoben|verzogert)|nicht zugestellt werden"
                       r"|zustellung (?:war )?nicht (?:moglich|erfolgreich)|nicht angetroffen|zustellversuch"
                       r"|neuer? (?:liefertermin|zustelltermin)|leider nicht (?:zustellen|angetroffen)"),
        (S.READY_FOR_PICKUP, 3, r"(?:eingetroffen|angekommen) und (?:wartet|liegt|steht)|abholen bis|(?:wurde"
                                r"|haben wir)(?: [^.\n]{1,60})? (?:im|in|am"
                                r"|bei) [^.\n]{0,24}(?:paketshop|filiale"
                                r"|packstation|abholstation|shop|postpartner)[^.\n]{0,60} (?:abgegeben"
                                r"|hinterlegt)|abholbereit|(?:zur|fur die) abholung bereit|bereit (?:zur"
                                r"|fur die) abholung"
                                r"|kann (?:jetzt |nun |ab sofort )?(?:abgeholt|in [^\n.]{1,60} abgeholt) werden"
                                r"|liegt (?:fur (?:dich|sie) )?(?:zur abholung |bereit|in (?:der|ihrer"
                                r"|deiner) (?:packstation|filiale))|(?:wartet|bereit)[^.\n]{0,40} (?:in|an"
                                r"|im|hinterlegt) (?:der |einer |ihrer |deiner )?(?:packstation|filiale|paketshop"
                                r"|postfiliale|abholstation)|(?:abholstation|filiale|paketshop|packstation"
                                r"|postpartner)[^.\n]{0,60} hinterlegt"
                                r"|abholfrist|holen sie (?:ihr|ihre|es) [^.\n]{0,30} ab\b"
                                r"|(?:paket|sendung) [^.\n]{0,30}abholen"),
        (S.OUT_FOR_DELIVERY, 3, r"in zustellung|(?:wird|kommt|kommen|werden|trifft"
                                r"|sollte) [^.\n]{0,50}heute [^.\n]{0,40}(?:zugestellt|geliefert|zu (?:ihnen"
                                r"|dir)|an\b|ein\b|ausgeliefert)|heute (?:zugestellt|geliefert|bei (?:ihnen|dir)"
                                r"|ausgeliefert|zwischen)|(?:wird|kommt|kommen|werden) heute|lieferung heute"
                                r"|heute (?:liefern|kommen|bringen) wir"
                                r"|wir (?:liefern|kommen|bringen) [^.\n]{0,40}heute"
                                r"|zustellung heute|zustellfahrzeug|im zustellfahrzeug|wird ausgeliefert"
                                r"|auslieferung|(?:fahrer|zusteller|bote) ist (?:unterwegs|auf dem weg|gleich)"
                                r"|in kurze (?:bei|zugestellt)|ankunft heute"),
        (S.DELIVERED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:wurde|ist|wurden"
                         rf"|sind)(?: [^.\n]{{1,60}})? (?:zugestellt|geliefert|ausgeliefert|angekommen"
                         rf"|(?<!uns )eingetroffen|abgelegt|nachbar(?:n|in)?(?: [^.\n]{{1,30}})? ubergeben"
                         rf")|(?:erfolgreich|wurde|wurden) (?:zugestellt"
                         rf"|geliefert|ausgeliefert|abgegeben|abgelegt)|(?:ablageort|wunschort"
                         rf"|nachbar(?:n|in)?)(?: [^.\n]{{1,40}})? (?:hinterlegt|ubergeben)|zugestellt[:!]"
                         rf"|geliefert[:!]"
                         rf"|zustellung (?:erfolgreich|erfolgt|bestatigt)|zustellbestatigung|(?:ist|sind)"
                         rf" (?:angekommen|(?<!uns )eingetroffen)|(?:ihr|dein) paket ist da|wurde (?:ihr "
                         rf"|dein )?[^.\n]{{0,60}}(?:zugestellt|geliefert|abgegeben)"
                         rf"|haben wir [^.\n]{{0,60}}(?:zugestellt|abgegeben)|in (?:den|ihren"
                         rf"|deinen) briefkasten"),
        (S.SHIPPED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:wurde|ist|wurden|sind"
                       rf"|haben wir)(?: [^.\n]{{1,60}})? (?:verschickt|versendet|versandt|abgeschickt|unterwegs"
                       rf"|ubergeben|auf dem weg|losgeschickt)|(?:wurde|wurden|haben wir"
                       rf"|ist) [^.\n]{{0,80}}(?:verschickt|versendet|versandt|abgeschickt"
                       rf"|an [^\n.]{{1,30}} ubergeben|auf den weg gebracht)|(?:ist|sind)(?: nun| jetzt"
                       rf"| bereits)? (?:unterwegs|auf dem weg)|versandbestatigung|versandt[:!]|verschickt[:!]"
                       rf"|versendet[:!]|versandmitteilung|versandbenachrichtigung|(?:haben"
                       rf"|hat) [^.\n]{{0,60}} (?:verschickt|versendet|versandt)|unterwegs zu (?:ihnen|dir)"
                       rf"|bei uns eingetroffen"
                       rf"|kommt bald|versandinformation|(?:ankundigung|angekundigt)"
                       rf"|wir haben [^.\n]{{0,40}}(?:auf die reise geschickt|verschickt)"),
        (S.SHIPPED, 1, r"(?:kommt|wird|trifft) [^.\n]{0,40}(?:morgen|am (?:mon|diens|mitt|donners|frei|sams|sonn))"
            r"|wird (?:ihnen )?voraussichtlich|voraussichtliche (?:zustellung|lieferung)|zustellung morgen"
            r"|(?:ein|ihr|dein) paket (?:fur sie|fur dich|kommt)"),
        (S.CONFIRMED, 2, r"bestellbestatigung|auftragsbestatigung|eingangsbestatigung|bestatigung (?:deiner"
                         r"|ihrer|der|eurer) (?:bestellung|buchung|zahlung)|(?:vielen"
                         r"|herzlichen) dank fur (?:deine|ihre|eure|die|den) (?:bestellung|einkauf|auftrag"
                         r"|buchung|zahlung)|dank(?:e)?,? dass (?:du|sie) [^.\n]{0,40}(?:bestellt|gekauft)"
                         r"|danke fur (?:deine|ihre|eure|die|den|deinen|ihren) (?:bestellung"
                         r"|einkauf|buchung)|dank fur (?:deinen|ihren) (?:einkauf|auftrag)|(?:bestellung|buchung"
                         r"|zahlung|auftrag) [^.\n]{0,30}(?:ist )?(?:bei uns )?(?:eingegangen|erhalten|bestatigt"
                         r"|aufgenommen|angenommen)|haben (?:deine|ihre) bestellung [^.\n]{0,30}(?:erhalten"
                         r"|aufgenommen)|bestellt[:!]|buchungsbestatigung|zahlungsbestatigung|zahlungseingang"
                         r"|sie haben (?:eine zahlung|bezahlt)|du hast (?:eine zahlung|bezahlt)"),
        (S.CONFIRMED, 1, r"(?:ihre|deine) [^\n]{0,30}(?:bestellung|rechnung|quittung|buchung|zahlung|fahrt\b)|rechnung"
                         r"|quittung|beleg|kassenbon"),
    ),
    whens=(r"sobald", r"wenn", r"falls", r"sofern", r"nachdem", r"bevor"),
    conditions=(r"bis", r"wird", r"werden", r"konnen", r"kann", r"nicht", r"noch nicht", r"ob", r"wie"),
    shops=(
        r"(?:paket|sendung|lieferung|bestellung)(?: [a-z]{0,4}\d[\w-]{4,28})? (?:von"
        r"|bei) (?P<shop>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]"
        r"| (?:ist|sind|wurde|wird|kommt|mit|im|in|und|an|liegt|hat|zu|am|auf|fur|heute|morgen|trifft|steht"
        r"|unterwegs)\b)",
        r"im auftrag von (?P<shop2>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]| (?:ist|wurde|wird)\b)",
        r"zahlung (?:uber|von|in hohe von)[^\n]{0,40}? an (?P<shop3>[^\n\t(@]{2,60}?)(?: ?\(|$|[\n\t]"
        r"| (?:gesendet|geschickt|autorisiert|bezahlt))",
    ),
    receipts=(
        r"bestell", r"rechnung", r"quittung", r"buchung", r"zahlung", r"auftrag", r"beleg", r"einkauf", r"kassenbon",
        r"(?:deine|ihre) (?:fahrt|reise)\b",
    ),
    not_orders=(
        ("promotion", r"auf (?:deine|ihre|die|eure) (?:nachste|erste|kommende)n? (?:bestellung|buchung|fahrt)"),
        ("money_received", r"(?:sie haben|du hast) (?:eine )?neue bestellung|(?:artikel|ist|wurde) verkauft"
                           r"|verkauft[:!]"
                           r"|jetzt versenden|geld erhalten"),
        ("review_request", r"bewert(?:e|en|ung)|feedback|wie (?:war|zufrieden|hat|gefallt)|ihre meinung"
                           r"|deine meinung|umfrage|zufriedenheit|rezension"),
        ("abandoned_cart", r"(?:vergessen|wartet|noch)[^\n]{0,30}(?:warenkorb|einkaufswagen)|warenkorb (?:wartet"
                           r"|vergessen)|im warenkorb|bestellung abschlie"),
        ("wish_list", r"wunschzettel|wunschliste|merkzettel|wieder verfugbar|preissenkung|empfehlungen fur"),
        ("marketing", r"\d{1,2} ?% (?:rabatt|auf)|\bsale\b|newsletter|angebote?\b|gutschein(?:code)? fur"
                      r"|nur heute|nur noch|rabattaktion|black friday|schnappchen|jetzt sparen|bis zu \d{1,2} ?%"
                      r"|versandkostenfrei"),
        ("one_time_code", r"(?:bestatigungs|sicherheits|verifizierungs|anmelde|einmal)(?:code|passwort|kennwort)"
                          r"|passwort (?:zurucksetzen|geandert)|e-?mail(?:-adresse)? bestatigen|neue anmeldung"
                          r"|konto bestatigen"),
        ("account_notice", r"willkommen bei|konto (?:wurde|gesperrt|eingeschrankt|aktualisiert)|datenschutz|agb"
                           r"|nutzungsbedingungen|zahlung fehlgeschlagen"),
        ("bank_notice", r"kontoauszug|uberweisung (?:erhalten|ausgefuhrt)|kontostand|umsatzbenachrichtigung|tan\b"),
    ),
)  # fmt: skip
