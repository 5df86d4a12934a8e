"""``backup`` and ``restore``: the store elsewhere, and back, with that of the usage logs in a folder of it."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import typer

from orders_pipeline.cli.opening import work
from orders_pipeline.cli.output import complain, console, say
from orders_pipeline.config import home, load_config
from orders_pipeline.errors import ConfigError, StoreError
from orders_pipeline.stages.reconcile import reconcile
from orders_pipeline.stages.usage_work import FOLDER as USAGE
from orders_pipeline.stages.usage_work import open_usage
from orders_pipeline.stages.work import Work
from orders_pipeline.store import backup as store_backup
from orders_pipeline.store import restore as store_restore
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.publish import publish

_NAMES = ("", USAGE)  # folders within a backup and within the data folder


def backup(
    folder: Path = typer.Argument(help="A new or empty folder, or an earlier backup of this store."),
) -> None:
    """Back up archive and state, also while the pipeline runs; into an earlier backup only what is new is copied.

    The configuration and DAGSTER_HOME are not in it: keep a copy of orders_pipeline.toml yourself.

    Example: orders-pipeline backup /mnt/disk/orders-backup
    """
    done: list[store_backup.Backup] = []
    missing: list[str] = []
    with work() as job, console.status("backing up"):
        for name, part in _stores(job):
            reconcile(part)
            done.append(store_backup.back_up(part.store, folder / name, now=job.now()))
            missing += [(Path(name) / path).as_posix() for path in done[-1].missing]
    files, copied, removed = (sum(n) for n in zip(*((b.files, b.copied, b.removed) for b in done), strict=True))
    taken_out = f", {removed} with forgotten mail taken out" if removed else ""
    say(f"backed up to {folder}: {files} archive files, {copied} of them new{taken_out}, and the state")
    if missing:
        complain(
            f"{len(missing)} archive files are missing here and in the backup ({', '.join(missing[:3])}):"
            " bring them back from an older backup"
        )
        raise typer.Exit(1)


def restore(
    source: Path = typer.Argument(help="The folder of a backup."),
    force: bool = typer.Option(False, "--force", help="Move the store that is there aside (it is not deleted)."),
) -> None:
    """Put a backup into the data folder. Stop `orders-pipeline ui` first; a run in work is refused.

    Afterwards the mailboxes are compared with the archive by the next runs, and what came since is fetched.

    Example: orders-pipeline restore /mnt/disk/orders-backup --force
    """
    zone = store_backup.read_manifest(source)["zone"]
    try:
        config = load_config()
    except ConfigError as error:
        config = None
        complain(f"restoring without a configuration ({error})")
    if config and config.zone != zone:
        raise StoreError(
            f'the backup was made for the zone {zone}, the configuration says {config.zone}: set zone = "{zone}"'
        )
    with console.status("restoring"):
        now = dt.datetime.now(dt.UTC)
        asides = [
            store_restore.restore(DataFolder(home() / name), source / name, force=force, now=now)
            for name in _NAMES
            if (source / name).is_dir()
        ]
    say(f"restored {source} to {home()}")
    for aside in filter(None, asides):
        say(f"what was there before is in {aside}; delete it when you no longer need it")
    if config is None:
        say("next: put your orders_pipeline.toml in place, then `orders-pipeline status`")
        raise typer.Exit(1)
    missing: list[str] = []
    with work() as job:
        for _, part in _stores(job):
            missing += reconcile(part).missing
            publish(part.store)
    if missing:
        say(f"{len(missing)} archive files are missing in this backup: their days are not done")
    say("next: `orders-pipeline status` says what is done, and `make ui` takes up what is not")
    if missing:
        raise typer.Exit(1)


def _stores(job: Work) -> Iterator[tuple[str, Work]]:
    """The store and, where usage logs are configured, theirs: each with its folder within a backup."""
    yield _NAMES[0], job
    if (logs := open_usage(job)) is not None:
        with contextlib.closing(logs):
            yield _NAMES[1], logs
