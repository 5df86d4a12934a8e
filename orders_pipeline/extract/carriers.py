"""The carriers: how they are named, where their mail and links come from, how their numbers look.

Belongs here: public facts about carriers, as data. Not here: deciding what in a mail is a tracking number.
``sure`` patterns occur in no other use; ``usual`` ones are plain digits which need a label or a link beside them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from orders_pipeline.extract.alternation import alternation
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.text import fold


@dataclass(frozen=True, slots=True)
class Carrier:
    """One carrier. ``names`` are matched as whole words in folded text; the first is reported for Latin scripts."""

    name: str
    names: tuple[str, ...]
    domains: tuple[str, ...]
    sure: str = ""
    usual: str = ""


CARRIERS = (
    Carrier("UPS", ("ups", "united parcel service"), ("ups.com",), r"1z[0-9a-z]{16}", r"\d{9}|\d{12}"),
    Carrier("USPS", ("usps", "u.s. postal service", "us postal service"), ("usps.com", "usps.gov"),
            r"(?:9[1-5]\d{2}(?: ?\d{4}){4,5}(?: ?\d{2}){0,2}|420\d{5,9}9[1-5]\d{20})", r"\d{20,30}"),
    Carrier("FedEx", ("fedex", "fed ex", "federal express"), ("fedex.com",), "", r"\d{12}|\d{15}|\d{20}|\d{22}"),
    Carrier("DHL", ("dhl", "dhl express", "dhl paket"), ("dhl.de", "dhl.com", "dhl.co.uk", "dhlparcel.nl", "dhl.nl",
            "dhlecommerce.nl", "dhl.fr", "dhl.it", "dhl.pl", "dhl.es", "dhl-news.com",
            "dhl.at", "dhl.be", "dhl.se", "dhlecommerce.be", "dhlecommerce.pl", "dhlecommerce.co.uk"),
            r"(?:jjd|jd|jvgl)\d{16,20}|gm\d{16,20}",
            r"\d{10}|\d{12}|\d{16}|\d{20}"),
    Carrier("DPD", ("dpd",), ("dpd.de", "dpd.co.uk", "dpd.com", "dpd.fr", "dpd.pl", "dpd.es",
            "dpdgroup.co.uk", "dpd.ie", "dpd.nl", "dpd.at",
            "dpd.ch", "dpdlocal.co.uk", "dpd.com.pl", "dpd.be", "dpd.lu", "dpd.pt", "dpdgroup.com"), "",
            r"\d{14}[0-9a-z]?|\d{13}[a-z]|\d{10}"),
    Carrier("GLS", ("gls",), ("gls-group.eu", "gls-group.com", "gls-germany.com", "gls-us.com",
            "gls-pakete.de", "gls-italy.com", "gls-spain.es",
            "gls-netherlands.com", "gls-austria.com", "gls-poland.com", "gls-group.net"), "",
            r"\d{11}|\d{12}|[a-z0-9]{8}|\d{14}"),
    Carrier("Evri", ("evri",), ("evri.com",), r"h0[0-9a-z]{14}|t00[0-9a-z]{13}|c00[0-9a-z]{13}", r"\d{16}"),
    Carrier("Hermes", ("hermes", "myhermes"), ("hermesworld.com", "myhermes.co.uk",
            "hermes-europe.co.uk", "hermesworld.de", "myhermes.de"),
            r"h[1-9]\d{18}", r"\d{14}|\d{16}|\d{20}"),
    Carrier("Royal Mail", ("royal mail",), ("royalmail.com", "royalmail.co.uk"),
            r"[a-z]{2}\d{9}gb", r"[0-9a-z]{13,21}"),
    Carrier("Parcelforce", ("parcelforce",), ("parcelforce.net", "parcelforce.com", "parcelforce.co.uk")),
    Carrier("Yodel", ("yodel",), ("yodel.co.uk",), r"jd\d{16}|jj\d{16}"),
    Carrier("InPost", ("inpost", "paczkomat", "paczkomaty"), ("inpost.pl", "paczkomaty.pl",
            "inpost.co.uk", "inpost.it"), "", r"\d{24}"),
    Carrier("Poczta Polska", ("poczta polska", "pocztex"), ("poczta-polska.pl", "pocztex.pl")),
    Carrier("Australia Post", ("australia post", "auspost"), ("auspost.com.au",), "", r"[0-9a-z]{10,23}"),
    Carrier("Canada Post", ("canada post", "postes canada"), ("canadapost.ca", "canadapost.postescanada.ca",
            "postescanada.ca", "canadapost-postescanada.ca"), "", r"\d{16}|[a-z]{2}\d{9}ca"),
    Carrier("Purolator", ("purolator",), ("purolator.com",), "", r"[a-z]{3}\d{9}|\d{12}"),
    Carrier("Canpar", ("canpar",), ("canpar.com", "canpar.ca"), r"d\d{21}"),
    Carrier("Intelcom", ("intelcom", "dragonfly"), ("intelcom.ca", "intelcomexpress.com"), r"intlcm[0-9a-z]{6,20}"),
    Carrier("OnTrac", ("ontrac", "lasership"), ("ontrac.com", "lasership.com"), r"(?:c|d)1\d{13}|1ls[0-9a-z]{10,16}"),
    Carrier("Amazon Logistics", ("amazon logistics", "amzl"), (), r"tb[abcmf]\d{12}"),
    Carrier("Deutsche Post", ("deutsche post",), ("deutschepost.de", "deutschepost.com")),
    Carrier("Österreichische Post", ("österreichische post", "austrian post"), ("post.at",), "", r"\d{22}"),
    Carrier("Die Post", ("schweizerische post", "die schweizerische post", "swiss post", "la poste suisse"),
            ("post.ch", "swisspost.ch"), r"99\.\d{2}\.\d{6}\.\d{8}", r"\d{18}"),
    Carrier("Colissimo", ("colissimo",), ("colissimo.fr", "notif-colissimo-laposte.info"), "",
            r"[0-9][a-z0-9]{1}\d{11}"),
    Carrier("La Poste", ("la poste",), ("laposte.fr", "laposte.info")),
    Carrier("Chronopost", ("chronopost",), ("chronopost.fr", "network1.pickup.fr", "chronopost.com")),
    Carrier("Mondial Relay", ("mondial relay",), ("mondialrelay.fr", "mondialrelay.com")),
    Carrier("Relais Colis", ("relais colis",), ("relaiscolis.com",)),
    Carrier("Nacex", ("nacex",), ("nacex.es", "nacex.com")),
    Carrier("Celeritas", ("celeritas",), ("celeritastransporte.com",)),
    Carrier("Colis Privé", ("colis prive", "colis privé"), ("colisprive.com", "colisprive.fr")),
    Carrier("Correos", ("correos", "correos express"), ("correos.es", "correos.com", "correosexpress.com"), "",
            r"[a-z]{2}[0-9a-z]{18,21}|\d{16}|\d{23}"),
    Carrier("SEUR", ("seur",), ("seur.com", "seur.net"), "", r"\d{12,15}"),
    Carrier("MRW", ("mrw",), ("mrw.es",)),
    Carrier("Poste Italiane", ("poste italiane",), ("poste.it", "posteitaliane.it")),
    Carrier("BRT", ("brt", "bartolini"), ("brt.it", "bartolini.it")),
    Carrier("SDA", ("sda",), ("sda.it",)),
    Carrier("PostNL", ("postnl",), ("postnl.nl", "postnl.be", "postnl.com"), r"3s[a-z0-9]{11,15}"),
    Carrier("bpost", ("bpost",), ("bpost.be",), r"3232\d{20}"),
    Carrier("PostNord", ("postnord",), ("postnord.se", "postnord.dk", "postnord.com", "postnord.no")),
    Carrier("Budbee", ("budbee",), ("budbee.com",)),
    Carrier("Instabox", ("instabox",), ("instabox.se", "instabox.io", "instabee.com")),
    Carrier("Trunkrs", ("trunkrs",), ("trunkrs.nl", "trunkrs.com")),
    Carrier("Helthjem", ("helthjem",), ("helthjem.no",)),
    Carrier("Posti", (), ("posti.fi", "posti.com")),
    Carrier("Bring", ("bring",), ("bring.com", "bring.no", "posten.no")),
    Carrier("An Post", ("an post",), ("anpost.com", "anpost.ie")),
    Carrier("CTT", ("ctt expresso", "ctt correios", "ctt express"), ("ctt.pt", "cttexpresso.pt", "cttexpress.com")),
    Carrier("Correios", ("correios",), ("correios.com.br",)),
    Carrier("Jadlog", ("jadlog",), ("jadlog.com.br",)),
    Carrier("Loggi", ("loggi",), ("loggi.com",)),
    Carrier("Estafeta", ("estafeta",), ("estafeta.com",)),
    Carrier("Andreani", ("andreani",), ("andreani.com",)),
    Carrier("Chilexpress", ("chilexpress",), ("chilexpress.cl",)),
    Carrier("Servientrega", ("servientrega",), ("servientrega.com",)),
    Carrier("Packeta", ("packeta", "zasilkovna", "zásilkovna"), ("packeta.com", "zasilkovna.cz")),
    Carrier("Aramex", ("aramex",), ("aramex.com",)),
    Carrier("TNT", ("tnt",), ("tnt.com", "tnt.it")),
    Carrier("StarTrack", ("startrack",), ("startrack.com.au",)),
    Carrier("NZ Post", ("nz post", "new zealand post"), ("nzpost.co.nz",)),
    Carrier("Cainiao", ("cainiao",), ("cainiao.com",)),
    Carrier("YunExpress", ("yunexpress", "yun express"), ("yuntrack.com",), r"yt\d{16}"),
    Carrier("4PX", ("4px",), ("4px.com",)),
    Carrier("ヤマト運輸", ("ヤマト運輸", "クロネコヤマト", "宅急便", "yamato"), ("kuronekoyamato.co.jp",), "",
            r"\d{12}|\d{4}-\d{4}-\d{4}"),
    Carrier("佐川急便", ("佐川急便", "飛脚", "sagawa"), ("sagawa-exp.co.jp",), "", r"\d{12}|\d{4}-\d{4}-\d{4}"),
    Carrier("日本郵便", ("日本郵便", "ゆうパック", "ゆうパケット", "japan post", "郵便局"),
            ("japanpost.jp", "post.japanpost.jp"), "",
            r"\d{11,12}|\d{4}-\d{4}-\d{4}"),
    Carrier("西濃運輸", ("西濃運輸", "seino"), ("seino.co.jp",), "", r"\d{10}"),
    Carrier("福山通運", ("福山通運",), ("fukutsu.co.jp",), "", r"\d{10,12}"),
)  # fmt: skip

# Universal Postal Union S10: two letters, nine digits, a country. Any post, so it names no carrier.
UPU = Finder(
    r"(?<![^\W_])[a-z]{2}\d{9}(?:gb|de|fr|us|cn|hk|sg|jp|kr|ca|au|nl|be|ch|at|es|it|pl|se|no|dk|fi|ie|nz|tw|my"
    r"|th|in|cz|pt|lt|lv|ee|br|mx|ar|cl|co|pe|uy|lu|gr|hu|ro|sk|si|hr|bg|cy|mt|il|tr|ua|ae|vn|id|za|mo|is"
    r")(?![^\W_])"
)


Numbered = tuple[Finder, tuple[Carrier, ...]]  # a pattern, and whose each of its groups is


@cache
def _sure() -> Numbered:
    carriers = [c for c in CARRIERS if c.sure]
    joined, owners = alternation([c.sure for c in carriers])
    return Finder(rf"(?<![^\W_]){joined}(?![^\W_])"), tuple(carriers[i] for i in owners)


@cache
def _named() -> Numbered:
    names = sorted(((fold(n), c) for c in CARRIERS for n in c.names), key=lambda pair: -len(pair[0]))
    joined, owners = alternation([re.escape(name) for name, _ in names])
    return Finder(rf"(?<![a-z0-9]){joined}(?![a-z0-9])"), tuple(names[i][1] for i in owners)


def sure_pattern() -> Finder:
    """All numbers that cannot be anything else, for folded text."""
    return _sure()[0]


def name_pattern() -> Finder:
    """All carrier names, for folded text."""
    return _named()[0]


def carrier_in_match(match: re.Match[str]) -> Carrier:
    """The carrier that a match of either pattern stands for."""
    _, carriers = _sure() if match.re is sure_pattern().pattern else _named()
    return carriers[(match.lastindex or 1) - 1]


def carrier_of_domain(domain: str) -> Carrier | None:
    """The carrier that a host or mail domain belongs to."""
    domain = domain.lower()
    return _by_domain(domain)


@cache
def _domains() -> dict[str, Carrier]:
    return {d: c for c in CARRIERS for d in c.domains}


def _by_domain(domain: str) -> Carrier | None:
    table = _domains()
    labels = domain.split(".")[-6:]
    return next((table[d] for n in range(len(labels) - 1) if (d := ".".join(labels[n:])) in table), None)


def carrier_named(text: str) -> Carrier | None:
    """The first carrier named in a short text."""
    match = name_pattern().search(fold(text))
    return carrier_in_match(match) if match else None


def is_number_of(carrier: Carrier | None, value: object) -> bool:
    """Whether a value has the shape of this carrier's numbers, and ten digits or more where that is a plain one."""
    if carrier is None or not isinstance(value, str):
        return False
    if is_sure_number(carrier, value):
        return True
    plain = bool(carrier.usual) and sum(c.isdigit() for c in value) >= 10
    return plain and bool(re.fullmatch(carrier.usual, value.lower()))


def is_sure_number(carrier: Carrier | None, value: object) -> bool:
    """Whether a value has a shape that only this carrier's numbers have."""
    if carrier is None or not carrier.sure or not isinstance(value, str):
        return False
    return bool(re.fullmatch(carrier.sure, value.lower()))
