"""Deceit that imitates shops and parcel services.

Belongs here: weighing signs of imitation: a borrowed name, links that lead elsewhere, pressure, failed authentication,
dangerous attachments. Not here: the words (pressure), the brands (brands).
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from orders_pipeline.extract.brands import MAIL_HOSTS, borrowed_brand, brand_of, is_known_brand
from orders_pipeline.extract.carriers import carrier_of_domain
from orders_pipeline.extract.pressure import STRONG, WEAK
from orders_pipeline.extract.text import fold
from orders_pipeline.extract.view import View

_READ = 4_000  # characters of a body: who presses does not wait for the small print
# Invoices for things never bought, with a telephone number to call: the brands that they borrow in the text.
_CALLBACK = re.compile(
    r"(?<![^\W_])(?:norton|mcafee|geek squad|lifelock|windows defender|microsoft defender|bitcoin|btc|crypto"
    r"|best buy|paypal)(?![^\W_])"
)
_TOLL_FREE = re.compile(r"\+?1?[ .-]?\(?8\d\d\)?[ .-]{0,3}\d{3}[ .-]{1,3}\d{4}|toll[- ]free")
# "If it was not you, call ...", in several languages.
_PHONE = re.compile(
    r"(?:call|contact|rufen|anruf|telefon|appel|llam|chiam|telefona|bel(?:len)?\b|zadzwon|ligue|ring\b)[^\n]{0,60}?"
    r"(?:\+|0)\d[\d ().-]{7,16}\d"
)
_CALL_US = re.compile(
    r"cancel|charge|refund|renew|subscription|support team|help ?(?:desk|line)|autoris"
    r"|autoriz|abonnement|abo\b"
    r"|verlanger|suscripcion|abbonamento|rinnov"
)
_CLAIMED = re.compile(
    r"your (?P<brand>amazon|paypal|netflix|walmart|ebay|costco|apple id|icloud)(?:\.[a-z.]{2,6})? (?:prime )?"
    r"(?:order|package|parcel|account|payment|purchase|delivery|subscription|membership)"
    r"|(?:receipt|invoice) from (?P<from>amazon|paypal|netflix|walmart|ebay|costco|apple|icloud)(?![^\W_])"
)
_DANGEROUS = re.compile(
    r"\.(?:exe|scr|js|jse|vbs|wsf|hta|jar|bat|cmd|com|lnk|iso|img|ace|rar|7z|zip|docm|xlsm|html?|shtml)$"
)
_SPF_FAILS = re.compile(r"spf=(?:soft)?fail")
_NUMERIC_HOST = re.compile(r"https?://\d{1,3}(?:\.\d{1,3}){3}(?:[:/]|$)")


def imitates(view: View) -> bool:
    """Whether a mail that looks like one about an order poses as someone else's."""
    own = brand_of(view.sender_domain)
    honest = carrier_of_domain(view.sender_domain) is not None or is_known_brand(own)
    text = "\n".join([view.subject.folded, *(b.folded[:_READ] for b in view.bodies)])
    strong, weak = bool(STRONG.search(text)), bool(WEAK.search(text))
    if _borrows(view, strong or weak or own in MAIL_HOSTS):
        return True
    if honest:
        return False
    pressing = strong or (weak and (own in MAIL_HOSTS or _fails_authentication(view)))
    return pressing or _dangerous(view) or _callback(f"{fold(view.email.sender.name)}\n{text}", own)


def poses(view: View) -> bool:
    """Whether a mail bears the name of a brand or carrier that neither its address nor its links belong to."""
    borrowed = borrowed_brand(view.email.sender.name, view.sender_domain)
    return bool(borrowed) and not _links_to(view, borrowed)


def spoofed(view: View) -> bool:
    """Whether the receiving server found the sender to be another: DMARC failed, or neither SPF nor DKIM held.

    A list or a forwarding host breaks both for honest mail; such a host's own seal (arc=pass) then speaks for it.
    """
    found = (view.email.header("Authentication-Results") or "").lower()
    if "arc=pass" in found or ("dkim=pass" in found and "dmarc=fail" not in found):
        return False
    return "dmarc=fail" in found or bool(_SPF_FAILS.search(found) and "dkim=fail" in found)


def _borrows(view: View, doubtful: bool) -> bool:
    """A brand in the name shown, or in "your ... order", that neither the address nor any link belongs to."""
    borrowed = borrowed_brand(view.email.sender.name, view.sender_domain)
    if borrowed and not _links_to(view, borrowed):
        return doubtful or bool(view.links)
    claimed = _CLAIMED.search(view.subject.folded)
    own = brand_of(view.sender_domain)
    if claimed is None or doubtful is False:
        return False
    brand = (claimed["brand"] or claimed["from"]).split()[0]
    return brand not in own and not _links_to(view, (brand,))


def _dangerous(view: View) -> bool:
    attached = any(_DANGEROUS.search(a.filename.strip().lower()) for a in view.email.attachments)
    return attached or any(_NUMERIC_HOST.match(link) for link in view.links[:100])


def _fails_authentication(view: View) -> bool:
    """What the receiving server (whose header stands first) found out about the sender."""
    found = (view.email.header("Authentication-Results") or "").lower()
    return "dmarc=fail" in found or ("spf=fail" in found and "dkim=pass" not in found)


def _callback(text: str, own: str) -> bool:
    named = {m.group().replace(" ", "") for m in _CALLBACK.finditer(text)}
    if not named or any(brand in own or own in brand for brand in named if own):
        return False
    return bool(_TOLL_FREE.search(text) or _PHONE.search(text)) and bool(_CALL_US.search(text))


def _links_to(view: View, domains: tuple[str, ...]) -> bool:
    hosts = {brand_of(_host(link)) for link in view.links[:100] if link.startswith("http")}
    return bool(hosts & set(domains))


def _host(link: str) -> str:
    try:
        return urlsplit(link).hostname or ""
    except ValueError:  # brackets that are no IPv6 address
        return ""
