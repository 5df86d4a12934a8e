"""Senders that the configuration leaves alone.

Belongs here: matching an address against the configured addresses and domains.
"""

from orders_pipeline.config import ParseSettings
from orders_pipeline.models import Email


def excluded(email: Email, settings: ParseSettings) -> bool:
    """Whether the sender is excluded: by address, by domain, or by a domain above it ("shop.example" or "@...")."""
    address = email.sender.address.strip().lower()
    domain = email.sender.domain
    for entry in settings.exclude_senders:
        entry = entry.strip().lower()
        if "@" in entry.strip("@"):
            if address == entry:
                return True
        elif (wanted := entry.lstrip("@.")) and (domain == wanted or domain.endswith("." + wanted)):
            return True
    return False
