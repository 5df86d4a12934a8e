"""The resource that every definition works with.

Belongs here: finding and opening configuration and store when a run asks for them; nothing is opened at import.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import dagster as dg

from orders_pipeline.config import Config, home, load_config
from orders_pipeline.crash_points import reach
from orders_pipeline.defs import claims
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages.work import Work
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.store import Store, open_store

# Dagster ends a tick after 60 s; it should have said before why it could do nothing.
SENSOR_PATIENCE = 20.0


class Pipeline(dg.ConfigurableResource):
    """Where configuration and data folder lie; by default as the environment says (see config.py)."""

    home: str | None = None
    config: str | None = None

    def load(self) -> Config:
        """The configuration. Raises ``ConfigError``."""
        return load_config(Path(self.config) if self.config else None)

    def open(self, *, patience: float | None = None) -> tuple[Store, Config]:
        """The store and its configuration; it waits no longer than ``patience`` seconds for the store's lock, and no
        longer than configured. Raises ``ConfigError`` or ``StoreError``."""
        config = self.load()
        if patience is not None and patience < config.store.lock_timeout_seconds:
            short = config.store.model_copy(update={"lock_timeout_seconds": patience})
            config = config.model_copy(update={"store": short})
        return open_store(Path(self.home) if self.home else home(), config), config

    @contextlib.contextmanager
    def work(self, context: dg.OpExecutionContext | dg.AssetExecutionContext) -> Iterator[Work]:
        """The work of one run, which claims its run; an error that a person can mend fails the run in one line."""
        try:
            # Claimed before the store is opened, which may wait for its lock: a run that waits is not dead.
            claims.claim_run(DataFolder(Path(self.home) if self.home else home()).open(), context.run.run_id)
            reach("run.claimed")
            store, config = self.open()
        except OrdersPipelineError as error:
            raise dg.Failure(str(error), allow_retries=False) from None
        work = Work(
            store=store, config=config, run_id=context.run.run_id, warn=context.log.warning, tell=context.log.info
        )
        try:
            yield work
        finally:
            work.close()
