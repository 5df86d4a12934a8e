"""Checks of the archive: is everything there that the tables were made from?

Belongs here: files. Not here: what is in them (message_checks.py).
"""

from __future__ import annotations

from orders_pipeline.quality.facts import StoreFacts
from orders_pipeline.quality.findings import Finding, Severity, finding


def archive_files_missing(facts: StoreFacts) -> Finding:
    """Every archive file that the tables name is there, or its loss is waived."""
    return finding(
        "archive_files_missing",
        Severity.ERROR,
        facts.missing_files,
        good="Every archive file is there.",
        bad="{count} archive files are missing; their days are not done without them.",
        todo="Bring them back from a backup (plain files below archive/). Without one, `orders-pipeline rebuild` takes"
        " stock, and the next run fetches again what the mailbox still has.",
    )
