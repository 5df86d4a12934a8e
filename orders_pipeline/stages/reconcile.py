"""Archive and tables, brought together before anybody is told how things stand.

Belongs here: when it happens (status, checks, after a restore). Not here: how (store/reconcile.py).
"""

from __future__ import annotations

from orders_pipeline.stages.work import Work
from orders_pipeline.store import reconcile as store_reconcile
from orders_pipeline.store.reconcile import Reconciled


def reconcile(work: Work) -> Reconciled:
    """Adopt archive files that no table knows, and hold the days of those that are missing. Cheap when all is well."""
    found = store_reconcile.reconcile(work.store, now=work.now())
    if found.adopted:
        work.warn(
            f"took {found.adopted} archive files into the tables that were saved and not known there"
            + (f"; {len(found.reopened)} days reopened" if found.reopened else "")
        )
    return found
