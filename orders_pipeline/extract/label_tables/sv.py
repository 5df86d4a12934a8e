"""Swedish labels and phrases."""

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?:-?(?:nummer|nr\b\.?|id\b|#)| ?(?:nummer|nr\b\.?|id\b|#))"

TABLE = LabelTable(
    language="sv",
    hints=(
        "bestallning", "leverans", "paket", "faktura", "kvitto", "ordernummer", "skickat", "frakt",
        "forsandelse", "betalning", "totalt", "bokning", "aterbetal", "kolli", "hamta", "retur",
        "avbrut", "avbestall", "annuller", "levererad",
    ),
    order_number=(
        (10, rf"(?:order|bestallnings|kop){_NO}|bestallning{_NO}"),
        (8, rf"boknings{_NO}|bokningsreferens|bokningskod"),
        (6, rf"kvitto{_NO}"),
        (5, rf"faktura{_NO}"),
        (5, rf"transaktions{_NO}"),
    ),
    order_word=((8, r"bestallning|order"),
        (5, r"faktura")),
    tracking_number=((10, r"(?:kolli|forsandelse|paket|sparnings|sandnings|frakt)(?:-?(?:id|nummer|nr|kod))"
                          r"|sparningsnummer|kolli-?id"),
        (7, r"forsandelse|paket")),
    carrier=((9, r"transportor|fraktbolag|skickas med|skickat med|leverans med|levereras av|speditor"),
        (5, r"leveranssatt|fraktsatt")),
    total=(
        (10, r"aterbetal(?:at|t) belopp|aterbetalningsbelopp|total(?:t)? ?(?:summa|belopp|pris|att betala)"
             r"|totalsumma|totalbelopp|ordersumma|att betala"
             r"|summa att betala|ordervarde|slutsumma|tota(?:lt|l|lsumma) inkl[^\n\t\d:]{0,14}"),
        (9, r"totalt|summa|total"),
        (8, r"belopp|betalt"),
        (7, r"betalning pa"),
    ),
    subtotal=((9, r"delsumma|varuvarde|summa varor"),),
    shipping=((9, r"frakt(?:kostnad|avgift)?|leveranskostnad|leverans"),),
    tax=((9, r"(?:varav )?moms(?: \(?\d{1,2} ?%\)?)?"),),
    discount=((9, r"rabatt|rabattkod|presentkort"),),
    delivery=((10, r"(?:beraknad|forvantad|planerad|preliminar(?:t)?) (?:leverans|ankomst|leveransdag"
                   r"|leveransdatum|leveranstid)|leveransdatum|leveransdag|levereras(?: den)?"
                   r"|ankommer(?: den)?|anlander(?: den)?|beraknas (?:anlanda|levereras|komma)(?: den)?"),
        (7, r"leverans")),
    merchant=((9, r"saljare|saljs av|avsandare|butik"),),
    decoys=(r"orderdatum|bestallningsdatum|fakturadatum|leveransadress|fakturaadress|betalningssatt|orderstatus"
            r"|kundnummer|telefonnummer|artikelnummer|organisationsnummer|hamtkod|losenord|verifieringskod"
            r"|rabattkod",),
    statuses=(
        (S.CANCELLED, 3, r"har (?:avbrutits|avbrutit|avbestallts|avbestallt|annullerats|makulerats)|(?:har|ar"
                         r"|blivit) (?:blivit )?(?:avbestalld|avbruten|annullerad|makulerad)"
                         r"|avbestallning|annullering"),
        (S.REFUNDED, 3, r"aterbetalning (?:har|ar|pa|av|genomford)|aterbetalat|din aterbetalning|har aterbetalats"),
        (S.RETURN_STARTED, 3, r"din retur|retur (?:mottagen|registrerad)|returbekraftelse|returetikett"),
        (S.DELAYED, 3, r"senare an|drojer|tar (?:lite )?langre tid|kommer att (?:bli forsenad"
                       r"|levereras senare)|forsenad|forsening|nytt leveransdatum|kunde inte levereras"),
        (S.READY_FOR_PICKUP, 3, r"har (?:levererats|kommit|anlant) till (?:ditt |ett |valt )?(?:ombud|utlamningsstalle"
                                r"|paketskap|paketbox|butik)|(?:redo|klart?|finns) (?:att|for"
                                r"|for att) (?:hamtas|hamta|upphamtning"
                                r"|avhamtning)|hamta ditt paket|hamta paketet|kan (?:nu )?hamtas|avisering"
                                r"|finns nu att hamta"),
        (S.OUT_FOR_DELIVERY, 3, r"idag (?:levererar|kommer)|(?:levereras|kommer|leverans)[^.\n]{0,30} idag"
                                r"|ute for leverans"
                                r"|under utkorning|pa vag (?:till dig )?idag"),
        (S.DELIVERED, 3, r"har (?:levererats|blivit levererad|kommit fram|anlant)|ar (?:nu )?levererad|levererat"
                         r"|leverans(?:en)? (?:klar|genomford)|levererad[:!]"),
        (S.SHIPPED, 3, r"har (?:skickats|lamnat|blivit skickad)|ar (?:nu )?(?:skickad|skickat|pa vag)|pa vag"
                       r"|leveransbekraftelse|har (?:vi )?(?:nu )?skickat|skickad[:!]|skickat[:!]"),
        (S.CONFIRMED, 2, r"(?:order|boknings|kop|betalnings)bekraftelse|bekraftelse pa (?:din"
                         r"|ditt) (?:bestallning|order|kop|bokning)|tack for (?:din|ditt|att du) (?:bestallning"
                         r"|kop|order|bokning|handlade|handlat|bestallt)|vi har (?:mottagit"
                         r"|tagit emot) din (?:bestallning|order|betalning)"),
        (S.CONFIRMED, 1, r"(?:din|ditt) [^\n]{0,30}(?:bestallning|kvitto|order|kop|faktura)|kvitto|faktura"),
    ),
    whens=(r"nar", r"om", r"efter", r"innan", r"sa snart"),
    conditions=(r"kommer att", r"kan", r"inte", r"tills"),
    shops=(r"(?:paket|bestallning"
           r"|forsandelse)(?: [a-z]{0,4}\d[\w-]{4,28})? fran (?P<shop>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]"
           r"| (?:har|ar"
           r"|kommer|levereras|med|finns|ska|i|idag|imorgon|vantar)\b)",),
    receipts=(r"bestallning", r"order", r"kvitto", r"faktura", r"kop\b", r"bokning", r"betalning", r"paket"),
    not_orders=(
        ("promotion", r"pa (?:din|ditt|ert|er) (?:nasta|forsta) (?:bestallning|order|kop)"),
        ("money_received", r"du har salt|ny order fran kund|ar sald\b"),
        ("review_request", r"recension|betygsatt|vad tyck(?:er|te) du|omdome|undersokning|hur var"),
        ("abandoned_cart", r"varukorg|kundvagn"),
        ("wish_list", r"onskelista|ater i lager"),
        ("marketing", r"\d{1,2} ?% rabatt|\brea\b|nyhetsbrev|erbjudande|kampanj|bara idag"),
        ("one_time_code", r"(?:verifierings|sakerhets|engangs)kod|losenord|bekrafta din e-?post"),
        ("account_notice", r"valkommen|ditt konto|integritet"),
        ("bank_notice", r"kontoutdrag|overforing"),
    ),
)  # fmt: skip
