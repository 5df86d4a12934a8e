"""The job that re-lists days: it compares the mailbox with the archive and reopens what differs.

Belongs here: the op and its configuration; the comparison itself is stages/relist.py.
"""

import datetime as dt

import dagster as dg

from orders_pipeline.days import days_between
from orders_pipeline.defs.names import POOL, RELIST_JOB
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.stages.relist import relist_days


class RelistConfig(dg.Config):
    """The first and the last day to re-list, ISO dates."""

    first: str
    last: str


@dg.op(name="relist_days", pool=POOL)
def relist_op(context: dg.OpExecutionContext, config: RelistConfig, pipeline: Pipeline) -> None:
    """Re-list a range of days."""
    days = days_between(dt.date.fromisoformat(config.first), dt.date.fromisoformat(config.last))
    with pipeline.work(context) as work:
        report = relist_days(work, days)
        work.publish()
    reopened = ", ".join(f"{day} ({n} new)" for day, n in sorted(report.reopened.items())) or "none"
    context.log.info(f"re-listed {report.days} days; reopened: {reopened}")
    if report.problem:
        raise dg.Failure(report.problem, allow_retries=False)


def relist_job() -> dg.JobDefinition:
    """The job around the op."""

    @dg.job(name=RELIST_JOB, description="Compares the mailboxes with the archive and reopens days that differ.")
    def relist_mail() -> None:
        relist_op()

    return relist_mail
