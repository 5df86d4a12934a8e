"""Domain names and the brands behind them.

Belongs here: what a domain's registered name says of who sends: anyone's mailbox, a service that sends for shops, a
marketplace, a brand that deceivers borrow. Not here: the decision what a mail is.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from orders_pipeline.domains import parts_of
from orders_pipeline.extract.carriers import CARRIERS
from orders_pipeline.extract.text import fold


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Where anyone can have a mailbox: such a name says nothing of the shop.
MAIL_HOSTS = _names(
    "gmail googlemail outlook hotmail live yahoo icloud aol gmx web proton protonmail mail me msn yandex qq 163 orange "
    "wanadoo free laposte libero t-online mac ymail zoho fastmail comcast"
)
# Services that send for shops.
SENDING_SERVICES = _names(
    "shopifyemail shopify sendgrid mailgun mailchimp mandrillapp amazonses sparkpostmail klaviyomail klaviyo narvar "
    "aftership parcelpanel parcellab sendcloud shipstation squarespace wix woocommerce bigcommerce stripe square "
    "messaging-squareup sendinblue brevo postmarkapp mailjet rsgsv mcsv exacttarget example"
)
# Where people work and talk: what they pass on is somebody's words.
NOTIFIERS = _names(
    "slack trello asana atlassian notion basecamp discord github gitlab bitbucket getsentry linkedin facebookmail"
    " twitter reddit redditmail nextdoor evernote pagerduty airtable clickup monday figma zendesk telegram"
    " pinterest quora"
)
# Where others sell, or are paid: the shop is named in the mail.
MARKETPLACES = _names("etsy paypal klarna allegromail rakuten route shop paddle fastspring")

# Brands that deceivers borrow most, beside the carriers: the name shown, and the domains that the brand really uses.
_BORROWED = {
    "amazon": "amazon amazonses primevideo audible",
    "paypal": "paypal",
    "ebay": "ebay",
    "apple": "apple icloud itunes",
    "walmart": "walmart",
    "netflix": "netflix",
    "costco": "costco",
    "microsoft": "microsoft xbox",
    "norton": "norton nortonlifelock",
    "mcafee": "mcafee",
    "geek squad": "geeksquad bestbuy",
    "best buy": "bestbuy",
    "aliexpress": "aliexpress alibaba",
    "zalando": "zalando",
    "klarna": "klarna",
    "steam": "steampowered valvesoftware",
    "spotify": "spotify",
    "home depot": "homedepot",
    "target": "target",
}
# Words of other names too: only the whole name poses as the brand.
_OFFICES = (" support", " id", " billing", " service", " store", " inc", " inc.", " account", " security")
_ORDINARY = _names("target apple steam hermes bring dragonfly sagawa")


@lru_cache(4096)
def brand_of(domain: str) -> str:
    """The registered name in a domain, folded: "mail.shop.example.co.uk" gives "example"."""
    if not domain or domain[0] == "[":  # nothing, or an address literal
        return domain
    parts = parts_of(domain)
    if not parts.suffix and parts.subdomain:  # a top level that is in no list, such as a company's own
        return parts.subdomain.rpartition(".")[2].lower()
    return parts.domain.lower()


def borrowed_brand(display_name: str, domain: str) -> tuple[str, ...]:
    """The domain names of a brand that a display name poses as while the address is not the brand's; else empty."""
    name, own = fold(display_name), brand_of(domain)
    for brand, domains in _known_brands():
        if brand in name and _poses_as(name, brand):
            return () if own in domains or own == brand else domains
    return ()


def is_known_brand(brand: str) -> bool:
    """Whether a registered name is one of the brands that this module knows."""
    return any(brand in domains for _, domains in _known_brands())


def _poses_as(name: str, brand: str) -> bool:
    """It is the brand, or begins with it and says little more."""
    if brand in _ORDINARY:
        return name == brand or name.removeprefix(brand) in _OFFICES
    begins = re.match(rf"(?:the |team )?{re.escape(brand)}(?![^\W_])", name)
    return begins is not None and len(name.split()) <= len(brand.split()) + 4


@cache
def _known_brands() -> tuple[tuple[str, tuple[str, ...]], ...]:
    carriers = [
        (fold(name), tuple(brand_of(domain) for domain in carrier.domains))
        for carrier in CARRIERS
        for name in carrier.names
        if carrier.domains and len(name) > 2
    ]
    return (*((brand, tuple(domains.split())) for brand, domains in _BORROWED.items()), *carriers)
