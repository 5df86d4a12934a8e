"""What is personal in order mail: addresses, numbers of people and accounts, the blocks and greetings that hold names.

Belongs here: patterns, each linear or bounded. Not here: what is put in their place (redact.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

_ADDRESS = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}\.[A-Za-z]{2,24}")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_CARD = re.compile(r"(?<![\w.,-])\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,7}(?![\w-])")
_PHONE = re.compile(
    r"(?<![\w.,/-])(?!\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b)"  # no day
    r"(?:\+\d{1,3}|\(?0\d{1,5}\)?)[ ./()-]{0,3}\d[\d ./()-]{5,16}\d(?![\w-])"
    r"|(?<![\w.,/-])\(\d{3}\) ?\d{3}-\d{4}(?![\w-])"
)
_STREET_EN = re.compile(
    r"\b\d{1,5}[a-z]? (?:[A-Z][\w'.-]{1,30} ){1,4}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Way|Close|Place|Boulevard|Blvd)\b\.?"
)
_STREET_DE = re.compile(
    r"\b(?:[A-ZÄÖÜ][\wäöüß.-]{1,30}[ -]){0,3}[A-ZÄÖÜ][\wäöüß-]{0,30}"
    r"(?:straße|strasse|str\.|weg|gasse|platz|allee|laan|straat|gatan|vägen) ?\d{1,4} ?[a-zA-Z]?\b"
)
_STREET_FR = re.compile(r"\b\d{1,4},? (?:bis |ter )?(?:rue|avenue|boulevard|place|chemin|allée|impasse) [^\n,<>]{3,60}")
_STREET_SOUTH = re.compile(
    r"\b(?:[Cc]alle|[Aa]venida|[Pp]laza|[Vv]ia|[Vv]iale|[Pp]iazza|[Rr]ua|[Uu]l\.|[Aa]l\.) "
    r"[^\n,<>\d]{2,50},? ?(?:n\.?º? ?)?\d{1,4}\b"
)
_LINK_TOKEN = re.compile(r"(?<=[=/&?._-])(?=[\w%-]{0,19}\d)[\w%-]{20,400}")
VALUES = (_ADDRESS, _IBAN, _CARD, _PHONE, _STREET_EN, _STREET_DE, _STREET_FR, _STREET_SOUTH, _LINK_TOKEN)

_GREETING = re.compile(
    r"(?m)^[ \t>]{0,20}(?:Hi|Hello|Hey|Dear|Hallo|Liebe[rs]?|Guten Tag|Sehr geehrte[rs]?(?: Frau| Herr)?|Bonjour|Cher"
    r"|Chère|Hola|Estimad[oa]|Ciao|Gentile|Buongiorno|Olá|Beste|Geachte(?: heer| mevrouw)?|Hej|Cześć|Witaj|Dzień dobry"
    r"|Mr\.?|Mrs\.?|Ms\.?)[ ,]{1,3}"
    r"([^\W\d_][\w'’-]{1,30}(?: [^\W\d_][\w'’-]{1,30}){0,2})(?=[ \t]{0,3}[,!.:;\n]|$)"
)
_GREETING_JA = re.compile(r"(?m)^[ \t　]{0,20}([^\s\d<>]{1,12}(?:[ 　][^\s\d<>]{1,12})?)[ 　]?(?:様|さま)")
_BLOCK = re.compile(
    r"(?im)^[ \t>*]{0,20}(?:ship(?:ping|ped)? (?:to|address)|deliver(?:y|ed)? (?:to|address)|billing address|bill to"
    r"|(?:liefer|rechnungs|versand)(?:adresse|anschrift)|adresse de (?:livraison|facturation)"
    r"|direcci[oó]n de (?:env[ií]o|entrega|facturaci[oó]n)|indirizzo di (?:spedizione|consegna|fatturazione)"
    r"|endere[cç]o de entrega|(?:bezorg|aflever|factuur)adres|adres (?:dostawy|wysyłki)|leveransadress"
    r"|お届け先|配送先|ご請求先)[^\n]{0,40}\n((?:[ \t]{0,20}\S[^\n]{0,120}\n){1,6})"
)

# Who writes from here writes as a person.
PERSONAL_HOSTS = frozenset(
    {"gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com", "yahoo.co.uk",
     "yahoo.fr", "yahoo.de", "yahoo.co.jp", "ymail.com", "icloud.com", "me.com", "mac.com", "aol.com", "proton.me",
     "protonmail.com", "gmx.de", "gmx.net", "gmx.at", "gmx.ch", "web.de", "t-online.de", "freenet.de", "mailbox.org",
     "posteo.de", "orange.fr", "free.fr", "laposte.net", "wanadoo.fr", "libero.it", "virgilio.it", "hotmail.it",
     "hotmail.fr", "hotmail.es", "outlook.de", "outlook.fr", "outlook.es", "ziggo.nl", "kpnmail.nl", "wp.pl", "o2.pl",
     "onet.pl", "interia.pl", "uol.com.br", "bol.com.br", "terra.com.br", "sapo.pt", "telia.com", "qq.com", "163.com",
     "docomo.ne.jp", "ezweb.ne.jp", "softbank.ne.jp"}
)  # fmt: skip

_OF_PERSON = re.compile(
    r"(?i)^[ \t>*]{0,20}(?:(?:full )?name|nombre|nom|nome|naam|namn|imię i nazwisko|recipient|empfänger|attn|company"
    r"|firma|street|straße|address|adresse|city|ort|country|land|phone|mobile|tel(?:[.]|efon)?|お名前|氏名|住所)"
    r"[ \t]{0,5}[:：]"
)
_AMOUNT = re.compile(r"\d[.,]\d{2}(?!\d)|[€$£¥]")

# Words in a name's place that are nobody's name.
COMMON_WORDS = frozenset(
    {"the", "and", "customer", "kunde", "kundin", "client", "cliente", "there", "all", "mail", "info", "team", "sir",
     "madam", "friend", "member", "user", "order", "shop", "orders", "me", "you", "kund", "klient",
     "kundenservice", "service", "example", "com", "org", "net", "www"}
)  # fmt: skip


def blocks(text: str) -> Iterator[str]:
    """The lines below "Ship to" and its like, up to one that is no part of an address.

    Rendered HTML has no blank line between the address and the sums: their labels are nobody's name.
    """
    for match in _BLOCK.finditer(text):
        lines = (_OF_PERSON.sub("", line, count=1) for line in match[1].splitlines())
        yield "\n".join(takewhile(_of_address, lines))


def _of_address(line: str) -> bool:
    # Three cells are the head or a row of a table.
    return ":" not in line and line.count("\t") < 2 and len(line) <= 120 and not _AMOUNT.search(line)


def greeted_names(text: str) -> Iterator[str]:
    """The names in greetings at the start of a line."""
    for pattern in (_GREETING, _GREETING_JA):
        for match in pattern.finditer(text):
            yield match[1]
