"""What is registered in a domain name, by the public suffix list that comes with the library.

Belongs here: taking a name apart. Nothing is downloaded and nothing is written. Not here: whose name it is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import ExtractResult, TLDExtract


def parts_of(domain: str) -> ExtractResult:
    """``subdomain``, ``domain`` and ``suffix``: "mail.shop.example.co.uk" has "example" before "co.uk"."""
    return _extract()(domain)


@cache
def _extract() -> TLDExtract:
    import tldextract  # 0.1 s, for the HTTP library that it would load a newer list with

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
