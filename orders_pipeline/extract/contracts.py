"""Bills of contracts, trades of shares, and appointments: mail with numbers and amounts that no shop sent.

Belongs here: the words by which energy, water, telephone and insurance bills, trades and appointments show. Not here:
deciding what a mail is (classify). Any of these words also occurs in honest mail about an order, so an order's own
number, a parcel or markup outweighs them (trades: a parcel alone, since brokers number their orders too).
"""

from __future__ import annotations

from collections.abc import Sequence

from orders_pipeline.extract.alternation import alternation
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.text import fold
from orders_pipeline.extract.view import View

_READ = 3_000
PARCEL = 0.7
OWN_NUMBER = 0.84  # the strength of a number that its label calls one of an order; a booking's is less
_MONTH = (
    r"(?:januari?|februari?|maerz|marz|maart|mars|april|mai|mei|maj|juni|juli|august(?:us|i)?|september"
    r"|oktober|november|de[zc]ember)"
)
_ROMANCE = (
    r"janvier|fevrier|avril|juin|juillet|aout|septembre|octobre|novembre|decembre|enero|febrero|marzo|abril|mayo|junio"
    r"|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre"
    r"|ottobre|dicembre|janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro"
)
_BILLS = (
    r"jahresabrechnung|verbrauchsabrechnung|abschlag(?:s(?:zahlung|plan|betrag))?|verbrauchsstelle"
    r"|zahler(?:stand|nummer)"
    r"|(?:strom|gas|wasser|energie|mobilfunk|telefon|internet|festnetz|handy|beitrags)rechnung|versicherungsschein"
    r"|policen?-?(?:nummer|nr)|versicherungsbeitrag|rundfunkbeitrag|nebenkosten(?:abrechnung)?|vertragsnummer|behandlung|honorar(?:rechnung)?"
    rf"|(?:rechnung|factuur|faktura|regning) (?:fur|voor|van|vom|for|avser) (?:den monat |de maand )?{_MONTH}"
    r"|automatisch (?:afgeschreven|geincasseerd)|von (?:ihrem|deinem) konto (?:abgebucht|eingezogen)",
    r"termijnbedrag|jaarafrekening|jaarnota|energierekening|meterstand(?:en)?|polisnummer|zorgpremie|maandpremie"
    r"|zorgverzekering|contractnummer|vervaldatum",
    r"energi[aeę] elektryczn[aą]|energii elektrycznej|za (?:prad|gaz|wode)|stan licznika"
    r"|numer (?:licznika|polisy|umowy)"
    r"|nr (?:licznika|polisy|umowy)|składka|termin płatnosci"
    r"|faktur[aey] za (?:styczen|luty|marzec|kwiecien|maj|czerwiec|lipiec|sierpien"
    r"|wrzesien|pazdziernik|listopad|grudzien)",
    r"elrakning|elfaktura|elnat(?:savgift)?|elforbrukning|matarstallning|forsakringsbrev|forsakringsnummer|autogiro"
    r"|stromfaktura|elregning|forfallsdato|forfallodatum|forfallodag|avtalegiro|ocr-?nummer",
    r"meter reading|(?:electricity|gas|water|energy|utility|phone|mobile|broadband|internet) bill|council tax"
    r"|insurance premium|policy number"
    r"|payment (?:of [^ \n]{2,12} )?(?:on|to|for|towards?) your (?:[a-z]{2,12} ){0,2}(?:account|loan|mortgage|card)"
    r"|auto-?pay(?:ment)?|account (?:number|no\.?)[:#\t\n ]{1,3}[*x0-9-]{2,24}"
    r"|co-?pay|ballot|loan (?:request|application|offer)|dear homeowner|patient (?:name|id|balance)"
    r"|(?:credit card|loan|mortgage) payment|statement balance|minimum (?:payment|amount) due",
    rf"fac?tura (?:de |do mes de |del mes de )(?:{_ROMANCE})|fattura di (?:{_ROMANCE})"
    rf"|facture (?:de |d['’]|du mois de |du mois d['’])(?:{_ROMANCE})|fecha de cargo|data limite de pagamento",
    r"facture d['’](?:electricite|energie|eau)|releve de compteur|index de consommation|mutuelle|numero de contrat"
    r"|cotisation|facture mobile|votre facture (?:internet|mobile)",
    r"factura de (?:la )?(?:luz|gas|agua|electricidad)|punto de suministro|cups|lectura del contador|numero de poliza",
    r"bolletta|fornitura (?:di )?(?:luce|gas|energia)|numero (?:cliente|utenza|polizza)|lettura del contatore",
    r"conta de (?:luz|agua|energia)|fatura de (?:energia|eletricidade)|numero da apolice|leitura do contador",
    r"電気料金|ガス料金|水道料金|検針|保険料|口座振替",
)
# What a library lends is ordered too, and lies ready.
_LIBRARY = Finder(r"(?<![^\W_])(?:stadt)?(?:bibliothek|bibliothe[ek]|bucherei|library|biblioteka|bibliotek)(?![^\W_])")
_APPOINTMENTS = (
    r"(?:your )?appointments?|genius bar|table for \d+|terminbestatigung|terminerinnerung|(?:ihr|dein|neuer) termin"
    r"|arzttermin|rendez-vous|(?:tu|su|proxima) cita|appuntamento|(?:la (?:sua|tua)|prenotazione) visita"
    r"|visita (?:medica|specialistica)|(?:je|uw) afspraak|afspraakbevestiging"
    r"|(?:twoja|termin) wizyt[ay]|wizyta|din tid|tidsbokning|sua consulta|consulta marcada",
    r"診察|来店予約|来店日時|お席のご予約",
)

# Shares are ordered too: two signs, since "order filled" alone can be a shop's.
_TRADE = (
    r"order (?:to (?:buy|sell)|(?:was |has been |is )?(?:fully |partially )?(?:executed|filled))|(?:market|limit|stop)"
    r" order|trade confirmation|wertpapier(?:order|abrechnung|auftrag)|orden? (?:de compra )?ejecutada"
    r"|ordre (?:de bourse )?execute|ordine (?:di borsa )?eseguito"
)
_SECURITY = r"shares?|isin|ticker|symbol|etf|aktien?|stucke?|acciones|actions|azioni|fondsanteile"

_SPACED, _JOINED = r"(?<![^\W_])", r"(?![^\W_])"
_BILL = Finder(_SPACED + alternation([fold(p) for p in _BILLS[:-1]])[0] + _JOINED + "|" + _BILLS[-1])
_APPOINTMENT = Finder(
    _SPACED + alternation([fold(p) for p in _APPOINTMENTS[:-1]])[0] + _JOINED + "|" + _APPOINTMENTS[-1]
)

_TRAVEL = Finder(rf"{_SPACED}(?:flights?|airfare|fare|hotel|check-in|itinerary|passengers?|travell?ers?){_JOINED}")
_TRADES = Finder(f"{_SPACED}(?:{_TRADE}){_JOINED}")
_SECURITIES = Finder(f"{_SPACED}(?:{_SECURITY}){_JOINED}")


def other_business(view: View, readings: Sequence[Reading]) -> str | None:
    """``contract_bill``, ``library_notice`` or ``appointment`` when a mail shows that and no order of its own.

    ``securities_trade`` when it shows that.
    """
    text = "\n".join([view.subject.folded, *(b.folded[:_READ] for b in view.bodies)])
    parcel = any(r.field == "tracking_number" and r.strength >= PARCEL for r in readings)
    if not parcel and _TRADES.search(text) and _SECURITIES.search(text):
        return "securities_trade"
    if any(_shows_order(r) for r in readings):
        return None
    if _BILL.search(text) and not _TRAVEL.search(text):  # airlines too give accounts numbers
        return "contract_bill"
    if any(r.field == "total" and r.value for r in readings):
        return None
    if _LIBRARY.search(fold(view.email.sender.name)) or _LIBRARY.search(text):
        return "library_notice"
    if _APPOINTMENT.search(text):
        return "appointment"
    return None


def _shows_order(reading: Reading) -> bool:
    if reading.source == "markup" or (reading.field == "tracking_number" and reading.strength >= PARCEL):
        return True
    return reading.field == "order_number" and bool(reading.value) and reading.strength >= OWN_NUMBER
