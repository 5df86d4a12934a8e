"""Names of months and days in the languages that mails are read in.

Belongs here: the names as CLDR has them, and words for today and tomorrow. Not here: reading dates.
"""

from __future__ import annotations

from functools import cache

LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "nl", "pt", "sv", "da")

RELATIVE = {
    "today": 0, "tonight": 0, "tomorrow": 1, "heute": 0, "morgen": 1, "uebermorgen": 2, "ubermorgen": 2,
    "overmorgen": 2, "apres-demain": 2, "dopodomani": 2, "pojutrze": 2,
    "aujourd'hui": 0, "aujourd’hui": 0, "demain": 1, "hoy": 0, "manana": 1, "oggi": 0, "domani": 1, "dzis": 0,
    "dzisiaj": 0, "jutro": 1, "vandaag": 0, "vanavond": 0, "hoje": 0, "amanha": 1, "idag": 0, "i dag": 0, "imorgon": 1,
    "i morgon": 1, "i morgen": 1, "本日": 0, "明日": 1, "今日": 0,
}  # fmt: skip


# CLDR's names and abbreviations of three letters or more, folded, without final dots, and some that mail adds. Written
# out, because reading them from the ten locales takes longer than all else that is read before the first mail.
_MONTHS = {
    1: "january jan januar janvier janv enero ene gennaio gen stycznia sty styczen januari janeiro",
    2: "february feb februar fevrier fevr febrero febbraio lutego lut luty februari fevereiro fev",
    3: "march mar marz mars marzo marca marzec maart mrt marco marts mrz",
    4: "april apr avril avr abril abr aprile kwietnia kwi kwiecien",
    5: "may mai mayo maggio mag maja maj mei maio",
    6: "june jun juni juin junio giugno giu czerwca cze czerwiec junho",
    7: "july jul juli juillet juil julio luglio lug lipca lip lipiec julho",
    8: "august aug aout agosto ago sierpnia sie sierpien augustus augusti",
    9: "september sep sept septembre septiembre settembre set wrzesnia wrz wrzesien setembro",
    10: "october oct oktober okt octobre octubre ottobre ott pazdziernika paz pazdziernik outubro out",
    11: "november nov novembre noviembre listopada lis listopad novembro",
    12: "december dec dezember dez decembre diciembre dic dicembre grudnia gru grudzien dezembro",
}  # fmt: skip
_DAYS = {
    0: "monday mon montag lundi lun lunes lunedi poniedziałek pon maandag segunda-feira seg mandag man",
    1: "tuesday tue dienstag mardi mar martes martedi wtorek dinsdag terca-feira ter tisdag tis tirsdag tirs"
    " tues",
    2: "wednesday wed mittwoch mercredi mer miercoles mie mercoledi sroda woensdag quarta-feira qua onsdag"
    " ons",
    3: "thursday thu donnerstag jeudi jeu jueves jue giovedi gio czwartek czw donderdag quinta-feira qui"
    " torsdag tors thur thurs",
    4: "friday fri freitag vendredi ven viernes vie venerdi piatek vrijdag sexta-feira sex fredag fre",
    5: "saturday sat samstag samedi sam sabado sab sabato sobota sob zaterdag lordag lor lørdag lør",
    6: "sunday sun sonntag dimanche dim domingo dom domenica niedziela niedz zondag sondag son søndag søn",
}  # fmt: skip


@cache
def months() -> dict[str, int]:
    """Folded month names and abbreviations of all languages, without final dots, to 1..12."""
    return {name: number for number, names in _MONTHS.items() for name in names.split()}


@cache
def weekdays() -> dict[str, int]:
    """Folded day names and abbreviations of three letters or more to 0 (Monday) .. 6."""
    return {name: number for number, names in _DAYS.items() for name in names.split()}
