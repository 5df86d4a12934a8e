"""Which currency a sign or a code means.

Belongs here: the table of codes and signs, and what a bare "$" or "kr" means for a sender. Not here: amounts.
"""

from __future__ import annotations

import re

CODES = frozenset(
    [
        "AED",
        "ARS",
        "AUD",
        "BGN",
        "BHD",
        "BRL",
        "CAD",
        "CHF",
        "CLP",
        "CNY",
        "COP",
        "CZK",
        "DKK",
        "EGP",
        "EUR",
        "GBP",
        "HKD",
        "HRK",
        "HUF",
        "IDR",
        "ILS",
        "INR",
        "ISK",
        "JOD",
        "JPY",
        "KRW",
        "KWD",
        "LKR",
        "MAD",
        "MXN",
        "MYR",
        "NGN",
        "NOK",
        "NZD",
        "OMR",
        "PEN",
        "PHP",
        "PKR",
        "PLN",
        "QAR",
        "RON",
        "RSD",
        "RUB",
        "SAR",
        "SEK",
        "SGD",
        "THB",
        "TND",
        "TRY",
        "TWD",
        "UAH",
        "USD",
        "UYU",
        "VND",
        "ZAR",
    ]
)

NO_DECIMALS = frozenset(["CLP", "HUF", "IDR", "ISK", "JPY", "KRW", "VND"])
THREE_DECIMALS = frozenset(["BHD", "JOD", "KWD", "OMR", "TND"])

# Signs that mean one currency, longest first where one begins another.
SIGNS = {
    "us$": "USD", "usd$": "USD", "ca$": "CAD", "c$": "CAD", "cdn$": "CAD", "au$": "AUD", "a$": "AUD", "nz$": "NZD",
    "hk$": "HKD", "nt$": "TWD", "s$": "SGD", "sg$": "SGD", "mx$": "MXN", "r$": "BRL", "€": "EUR", "£": "GBP",
    "円": "JPY", "zł": "PLN", "zl": "PLN", "kč": "CZK", "kc": "CZK", "ft": "HUF", "₹": "INR", "rs.": "INR",
    "rs": "INR", "₩": "KRW", "원": "KRW", "元": "CNY", "₽": "RUB", "руб": "RUB", "₴": "UAH", "грн": "UAH",
    "₺": "TRY", "tl": "TRY", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "lei": "RON", "лв": "BGN",
    "sfr.": "CHF", "fr.": "CHF", "euro": "EUR", "euros": "EUR", "yen": "JPY",
}  # fmt: skip

# Signs that several currencies share.
SHARED = frozenset({"$", "kr", "kr.", "¥", "\\"})

_DOLLARS = {
    "ca": "CAD", "au": "AUD", "nz": "NZD", "hk": "HKD", "sg": "SGD", "mx": "MXN", "tw": "TWD", "ar": "ARS",
    "cl": "CLP", "co": "COP", "uy": "UYU", "us": "USD",
}  # fmt: skip
_CROWNS = {"se": "SEK", "no": "NOK", "dk": "DKK", "is": "ISK"}
_CROWN_LANGUAGES = {"sv": "SEK", "no": "NOK", "nb": "NOK", "da": "DKK", "is": "ISK"}


def currency_of(sign: str, *, domain: str = "", language: str | None = None) -> str | None:
    """The ISO 4217 code for a sign or code as written; None when it is not one, or shared and undecidable.

    ``domain`` is the sender's: its country decides what a bare "$" or "kr" is.
    """
    sign = sign.strip().lower()
    if sign.upper() in CODES:
        return sign.upper()
    if sign in SIGNS:
        return SIGNS[sign]
    country = domain.rpartition(".")[2].lower()
    if sign == "$":
        return _DOLLARS.get(country, None if language == "es" else "USD")  # pesos of seven countries
    if sign in ("kr", "kr."):
        return _CROWNS.get(country) or _CROWN_LANGUAGES.get(language or "")
    if sign in ("¥", "¥", "\\"):
        return "CNY" if country == "cn" or language == "zh" else "JPY"
    return None


_COUNTRIES = {
    "mx": ("mexico", "mxn", "cdmx"), "cl": ("chile", "clp"), "co": ("colombia", "cop", "bogota"),
    "ar": ("argentina", "ars", "buenos aires"), "uy": ("uruguay", "uyu", "montevideo"),
    "us": ("usd", "ecuador", "estados unidos", "puerto rico"),
}  # fmt: skip
_COUNTRY = re.compile(r"(?<![^\W_])(?:" + "|".join(f"({'|'.join(names)})" for names in _COUNTRIES.values()) + r")\b")


def country_named(folded: str) -> str | None:
    """The one country whose dollars or pesos a folded Spanish text speaks of, as the end of its domain; else None."""
    named = {match.lastindex for match in _COUNTRY.finditer(folded)}
    return list(_COUNTRIES)[(named.pop() or 1) - 1] if len(named) == 1 else None
