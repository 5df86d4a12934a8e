"""Polish labels and phrases."""

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?: ?(?:nr\b\.?|numer|#|id\b))"
_PARCEL = r"(?:paczka|przesyłka|zamowienie|paczke|przesyłke|dostawa|produkty?)"

TABLE = LabelTable(
    language="pl",
    hints=(
        "zamowieni", "paczk", "przesył", "dostaw", "faktur", "płatnoś", "kurier", "zakup", "numer", "nadaw",
        "odbior", "płatnos",
    ),
    order_number=(
        (10, rf"zamowieni[ea]{_NO}|(?:nr|numer|id)\.? (?:twojego |panstwa )?zamowienia|(?:numer|nr)\.? (?:oferty"
             rf"|zakupu)"),
        (8, rf"(?:nr|numer)\.? rezerwacji|rezerwacj[aei]{_NO}"),
        (5, rf"(?:nr|numer)\.? (?:faktury|rachunku|paragonu)|faktur[aey]{_NO}"),
        (5, r"(?:nr|numer|id)\.? (?:transakcji|płatnosci)"),
    ),
    order_word=((8, r"zamowieni(?:e|a|u|em)"),
        (5, r"faktura")),
    tracking_number=((10, r"(?:nr|numer)\.? (?:przesyłki|paczki|listu przewozowego|sledzenia|nadania)|(?:paczka"
                          r"|przesyłka|paczki|przesyłki) (?:o )?(?:numerze|nr|numer)\.?|list przewozowy"),
        (7, r"paczka|przesyłka")),
    carrier=((9, r"kurier(?:em)?|firma spedycyjna|przewoznik|firma kurierska|dostawca|dostarcza"
                 r"|wysłan[ae] (?:przez|kurierem)"),
        (5, r"sposob dostawy|metoda dostawy|forma dostawy")),
    total=(
        (10, r"(?:kwota|suma) zwrotu|zwrocona kwota|(?:suma|kwota|wartosc) (?:zamowienia|całkowita|do zapłaty"
             r"|brutto|razem|ogołem|płatnosci)"
             r"|do zapłaty|razem do zapłaty|łaczna kwota|łacznie do zapłaty|łacznie|całkowita kwota|razem brutto"
             r"|zapłacono"),
        (9, r"razem|suma|ogołem"),
        (8, r"kwota|wartosc"),
    ),
    subtotal=((9, r"wartosc (?:produktow|koszyka|towarow|netto)|suma czesciowa|produkty|razem netto"),),
    shipping=((9, r"(?:koszt|koszty) (?:dostawy|wysyłki|przesyłki)|dostawa|wysyłka|przesyłka"),),
    tax=((9, r"(?:w tym )?(?:vat|podatek)(?: \(?\d{1,2} ?%\)?)?"),),
    discount=((9, r"rabat|znizka|kupon|kod rabatowy|bon"),),
    delivery=(
        (10, r"(?:przewidywan[aey]|planowan[aey]|szacowan[aey]|spodziewan[aey]) (?:data|termin"
             r"|dostawa)(?: (?:doreczenia|dostawy|dostarczenia))?|(?:data|termin) (?:dostawy|doreczenia"
             r"|dostarczenia)|(?:dostawa|doreczenie|dostarczymy|dotrze)(?: [^\n\t.]{1,20})? (?:w dniu|do dnia"
             r"|dnia|do)|odbierzesz"),
        (8, r"dostawa|doreczenie"),
    ),
    merchant=((9, r"sprzedawca|sprzedajacy|nadawca|sklep|paczka od|przesyłka od|nadawca paczki"
                  r"|nadawca przesyłki|od nadawcy"),),
    decoys=(r"data zamowienia|data faktury|adres (?:dostawy|doreczenia|do faktury)|metoda płatnosci"
            r"|status zamowienia|numer (?:telefonu|klienta|konta|referencyjny)|nr (?:telefonu|klienta|konta"
            r"|referencyjny)|kod (?:odbioru|rabatowy|pocztowy|weryfikacyjny)|nip|regon|oszczedzasz|hasło"
            r"|infolinia",),
    statuses=(
        (S.CANCEL_REQUESTED, 3, r"prosb[aey] o anulowanie"),
        (S.CANCELLED, 3, r"(?:zostało|zostały|jest) anulowan|anulowano|anulowanie zamowienia"
                         r"|zamowienie [^.\n]{0,30}anulowane"),
        (S.REFUNDED, 3, r"zwrot (?:pieniedzy|srodkow|płatnosci|kosztow)|zwrocilismy|zwrocono"),
        (S.RETURN_STARTED, 3, r"(?:zgłoszenie|potwierdzenie|etykieta) zwrotu|zwrot (?:przyjety|zarejestrowany"
                              r"|otrzymany)|twoj zwrot"),
        (S.DELAYED, 3, r"pozniej niz|przesunie(?:ty|ta|cie)|wydłuzy|opoznion|opoznieni|nie (?:udało"
                       r"|udalo) sie (?:doreczyc|dostarczyc)|nieudana (?:dostawa"
                       r"|proba)|nowy termin dostawy|proba doreczenia"),
        (S.READY_FOR_PICKUP, 3, r"oczekuje na odbior|awizo|(?:gotow[aey]|czeka)[^.\n]{0,40} (?:do odbioru"
                                r"|w paczkomacie|w punkcie"
                                r"|na odbior|na ciebie)|czeka (?:w|na)|do odbioru w|mozna odebrac"
                                r"|odbierz (?:paczke|przesyłke|zamowienie)|kod odbioru"),
        (S.OUT_FOR_DELIVERY, 3, r"(?:została|zostało|jest)?(?: dzis| dzisiaj)?(?: )?przekazan[aey] kurierowi"
                                r"|wydan[aey] (?:kurierowi )?do (?:doreczenia|dostarczenia)|w doreczeniu|(?:dzis"
                                r"|dzisiaj) (?:dostarczymy|doreczymy|kurier|dotrze|bedzie)"
                                r"|(?:zostanie|bedzie) (?:dostarczon|doreczon)[a-z]{1,3} (?:dzis|dzisiaj)"
                                r"|(?:zostanie|bedzie) (?:dzis|dzisiaj) (?:dostarczon|doreczon)"
                                r"|kurier (?:[a-z]{2,10} )?(?:jest (?:juz )?w drodze|juz jedzie|(?:dostarczy"
                                r"|doreczy)(?: [^.\n]{1,40})? (?:dzis|dzisiaj))|doreczenie dzis"),
        (S.DELIVERED, 3, rf"(?:{_PARCEL})?(?: [^.\n]{{1,80}})?(?:została|zostało|zostały|jest)(?: dzis"
                         rf"| dzisiaj)? (?:dostarczon|doreczon|odebran)|dostarczono|doreczono|(?:została"
                         rf"|zostało)[^.\n]{{0,20}}(?:dostarczon|doreczon)|potwierdzenie (?:dostawy|doreczenia)"
                         rf"|informacja o dostawie"),
        (S.SHIPPED, 3, rf"(?:{_PARCEL})?(?: [^.\n]{{1,80}})?(?:została|zostało|zostały|jest) (?:wysłan|nadan"
                       rf"|w drodze)|wysłano|wysłalismy|nadano|potwierdzenie wysyłki|paczka juz do ciebie"
                       rf"|została nadana|zostało wysłane|jest juz w drodze"),
        (S.SHIPPED, 2, r"w drodze"),
        (S.CONFIRMED, 2, r"potwierdzenie (?:zamowienia|zakupu|płatnosci|rezerwacji|przyjecia)"
                         r"|dziekujemy za (?:zamowienie|zakup|zakupy|złozenie|płatnosc|dokonanie)|(?:zamowienie"
                         r"|płatnosc) [^.\n]{0,40}(?:zostało przyjete|przyjete|potwierdzone|otrzymane|złozone"
                         r"|została przyjeta)|przyjelismy (?:twoje )?zamowienie"
                         r"|otrzymalismy (?:twoje )?zamowienie|kupiłes|kupujesz|zapłaciłes"),
        (S.CONFIRMED, 1, r"(?:twoje|twoj) [^\n]{0,30}(?:zamowienie|zakup)|faktura|paragon"),
    ),
    whens=(r"kiedy", r"gdy", r"jesli", r"jak tylko", r"jezeli"),
    conditions=(r"po", r"bedzie", r"nie", r"przed", r"jezeli"),
    shops=(
        r"(?:paczka|przesyłka|zamowienie|paczki)(?: (?:o )?(?:numerze"
        r"|nr))?(?: [a-z]{0,4}\d[\w-]{4,28})? (?:od|z(?! zamowieni)|ze sklepu"
        r"|nadana przez) (?P<shop>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]| (?:została|zostało|zostanie|jest"
        r"|czeka|w|do)\b)",
        r"nadan[aey] przez (?P<shop2>[^\n\t,:;!(]{2,50}?)(?:$|[,:;!(\n\t]| (?:została|zostało|jest))",
        r"od nadawcy (?P<shop4>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]| (?:została|zostało|jest|czeka|w|do)\b)",
        r"(?:zakup|zamowienie) w (?P<shop3>[^\n\t.,:;!(]{2,40}?)(?:$|[.,:;!(\n\t])",
    ),
    receipts=(r"zamowieni", r"faktur", r"paragon", r"zakup", r"płatnos", r"rezerwacj", r"paczk", r"przesył"),
    not_orders=(
        ("promotion", r"na (?:twoje |kolejne |pierwsze |nastepne ){1,2}zamowienie"),
        ("money_received", r"nowe zamowienie od|sprzedałes|sprzedano|twoj przedmiot został sprzedany"),
        ("review_request", r"opini|ocen|ankiet|jak oceniasz"),
        ("abandoned_cart", r"koszyk"),
        ("wish_list", r"ulubion|znow dostepn|polecane"),
        ("marketing", r"\d{1,2} ?% (?:taniej|rabatu|znizki)|wyprzedaz|newsletter|promocj|okazj|rabat|tylko dzis"
                      r"|do -?\d{1,2} ?%"),
        ("one_time_code", r"kod (?:weryfikacyjny|bezpieczenstwa|logowania)|hasł[oa]|potwierdz (?:adres|konto"
                          r"|e-?mail)|logowani"),
        ("account_notice", r"witamy|twoje konto|regulamin|prywatnos"),
        ("bank_notice", r"wyciag|przelew (?:przychodzacy|wychodzacy)|saldo"),
    ),
)  # fmt: skip
