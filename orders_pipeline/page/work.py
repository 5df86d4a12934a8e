"""The store as the page works on it: short waits, and the copy for readers renewed in the background.

Belongs here: what differs from a run of the pipeline. Not here: what is read or decided.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from orders_pipeline.config import Config, StoreSettings
from orders_pipeline.stages.work import Work

WAIT_SECONDS = 10.0  # for the store's lock: a person waits
_QUIET_SECONDS = 2.0


def patient_config(config: Config) -> Config:
    """The configuration with a wait for the store that a person at a page bears."""
    wait = min(WAIT_SECONDS, config.store.lock_timeout_seconds)
    return config.model_copy(update={"store": StoreSettings(lock_timeout_seconds=wait)})


@dataclass(slots=True)
class PageWork(Work):
    """A ``Work`` whose ``publish`` returns at once: the copy takes as long as the store is large, and a person who
    decides twenty cases a minute must not wait for it. ``close`` renews it at last."""

    _behind: threading.Event = field(default_factory=threading.Event)
    _closing: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def publish(self) -> None:
        """Ask for the copy to be renewed once nothing was decided for a moment."""
        self._behind.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._keep_renewing, name="publish", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Renew the copy if it is behind, and close as a ``Work`` does."""
        self._closing.set()
        self._behind.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            Work.publish(self)
        Work.close(self)

    def _keep_renewing(self) -> None:
        while not self._closing.is_set():
            self._behind.wait()
            while self._behind.is_set() and not self._closing.is_set():
                self._behind.clear()
                self._closing.wait(_QUIET_SECONDS)
            if not self._closing.is_set():
                Work.publish(self)
