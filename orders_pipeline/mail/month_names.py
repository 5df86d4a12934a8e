"""Month names and their usual short forms, lower case, to the number of the month.

Belongs here: the table alone, for the languages that mail clients write dates in.
"""

from __future__ import annotations

_NAMES = (
    "jan january januar jänner janvier janv enero ene gennaio gen januari janeiro styczeń"
    " stycznia sty januára leden ledna ocak",
    "feb february februar feber février févr fevr febrero febbraio februari fevereiro fev luty"
    " lutego lut únor února şubat",
    "mar march märz mär mrz mars marzo maart mrt março marzec marca březen března mart",
    "apr april avril avr abril abr aprile kwiecień kwietnia kwi duben dubna nisan",
    "may mai mayo maggio mag mei maio maj maja květen května mayıs",
    "jun june juni juin junio giugno giu junho czerwiec czerwca cze červen června haziran",
    "jul july juli juillet juil julio luglio lug julho lipiec lipca lip červenec července temmuz",
    "aug august août aout agosto ago augustus augusti sierpień sierpnia sie srpen srpna ağustos",
    "sep sept september septembre septiembre settembre set setembro wrzesień września wrz září eylül",
    "oct october oktober okt octobre octubre ottobre ott outubro out październik października paź říjen října ekim",
    "nov november novembre noviembre novembro listopad listopada lis kasım",
    "dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro grudzień"
    " grudnia gru prosinec prosince aralık",
)

MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
