"""The gap checks, gathered.

Belongs here: the tuple of checks and running them. Not here: the checks, which have one file a subject. A new check is
one function and one line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from orders_pipeline.quality import archive_checks, day_checks, message_checks, source_checks
from orders_pipeline.quality.facts import StoreFacts
from orders_pipeline.quality.findings import Finding, Missing, Severity, finding


@dataclass(frozen=True, slots=True)
class Check:
    """A check and the asset whose data it looks at. Its name is its function's name, its description the docstring."""

    asset: str
    find: Callable[[StoreFacts], Finding]

    @property
    def name(self) -> str:
        """Stable: ``missing_days``."""
        return self.find.__name__

    @property
    def description(self) -> str:
        """One sentence, true when the check is ok."""
        return " ".join((self.find.__doc__ or "").split())


FETCHED, PARSED, PROPOSED = "fetched_emails", "parsed_orders", "proposed_eval_cases"

CHECKS: tuple[Check, ...] = (
    Check(FETCHED, day_checks.missing_days),
    Check(PROPOSED, day_checks.stages_out_of_step),
    Check(FETCHED, message_checks.listed_not_fetched),
    Check(PARSED, message_checks.fetched_without_outcome),
    Check(PROPOSED, message_checks.parsed_not_judged),
    Check(PROPOSED, message_checks.counts_add_up),
    Check(PROPOSED, day_checks.cursor_ahead_of_proof),
    Check(PARSED, source_checks.sender_yield_fell),
    Check(FETCHED, source_checks.late_mail),
    Check(FETCHED, source_checks.unplaced_mail),
    Check(FETCHED, source_checks.shrunk_mailbox),
    Check(FETCHED, message_checks.exhausted_units),
    Check(FETCHED, source_checks.failed_relisting),
    Check(PARSED, day_checks.outdated_parser),
    Check(FETCHED, archive_checks.archive_files_missing),
)


def run_checks(facts: StoreFacts) -> tuple[Finding, ...]:
    """One finding a check, in the order of ``CHECKS``. A check that raises is itself a finding: it hides no other."""
    return tuple(run_check(check, facts) for check in CHECKS)


def run_check(check: Check, facts: StoreFacts) -> Finding:
    """The check's finding; when it raises, a finding that is not ok and says so."""
    try:
        return check.find(facts)
    except Exception as error:  # a check must never fail the run whose data is already saved
        return finding(
            check.name,
            Severity.ERROR,
            Missing(count=1),
            good="",
            bad=f"The check itself failed ({type(error).__name__}): what it looks for is unknown.",
            todo="Please report this with the text of the error.",
        )
