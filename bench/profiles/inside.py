"""What runs under the profiler: ``python -m bench.profiles.inside SCENE FOLDER``, in a folder that ``scenes`` set up.

Belongs here: the work of each scene, in a function whose name the choice of samples looks for. Imports are its own,
so that each scene loads what its process would.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable
from pathlib import Path


def parsing(folder: Path) -> None:
    """Every message of ``mail/``, from bytes to orders, as the run's own process does it for most mail."""
    from orders_pipeline.config import load_config
    from orders_pipeline.extract.parser import parse_message
    from orders_pipeline.mail.mime import parse_email

    config = load_config()
    raws = [path.read_bytes() for path in sorted((folder / "mail").rglob("*")) if path.parent.name in {"cur", "new"}]

    def work() -> None:
        for raw in raws:
            parse_message(parse_email(raw), config.parse, zone=config.zone, owner=config.owner)

    work()


def run(folder: Path) -> None:
    """The days of ``days.txt`` as one Dagster run, in this process from its start."""
    from orders_pipeline.defs.launch import prepare_instance, run_days
    from orders_pipeline.store.folder import DataFolder

    first, last = map(dt.date.fromisoformat, (folder / "days.txt").read_text(encoding="ascii").split())

    def work() -> None:
        with prepare_instance(DataFolder(folder / "home").open()) as instance:
            assert run_days(instance, first, last)

    work()


def tick(folder: Path) -> None:
    """Twenty evaluations of the sensor, one after the other, in a process that stays."""
    import dagster as dg

    from orders_pipeline.config import load_config
    from orders_pipeline.defs import sensor
    from orders_pipeline.defs.launch import prepare_instance
    from orders_pipeline.store.store import open_store

    config = load_config()
    store = open_store(folder / "home", config)
    with prepare_instance(store.folder) as instance:
        cursor: str | None = None
        # The first one moves the cursor over all days, which happens once.
        for place in range(21):
            with dg.build_sensor_context(instance=instance, cursor=cursor) as context:

                def work(context: dg.SensorEvaluationContext = context) -> str | None:
                    return sensor.tick(context, store, config).cursor

                cursor = work() if place else sensor.tick(context, store, config).cursor


def asset_page(folder: Path) -> None:
    """The UI without its daemon; a browser opens an asset's pages five times over."""
    from bench.asset_pages import ASSET, asset_pages, overview

    with asset_pages(folder / "home", folder) as pages:
        for _ in range(5):
            pages.partitions(ASSET)
            overview(pages)


SCENES: dict[str, Callable[[Path], None]] = {f.__name__: f for f in (parsing, run, tick, asset_page)}

if __name__ == "__main__":
    SCENES[sys.argv[1]](Path(sys.argv[2]))
