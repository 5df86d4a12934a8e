"""``backup`` and ``restore``: the store elsewhere, and back."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import typer

from orders_pipeline.cli.opening import work
from orders_pipeline.cli.output import complain, console, say
from orders_pipeline.config import home, load_config
from orders_pipeline.errors import ConfigError, StoreError
from orders_pipeline.stages.reconcile import reconcile
from orders_pipeline.stages.usage_work import FOLDER as USAGE
from orders_pipeline.stages.usage_work import open_usage
from orders_pipeline.store import backup as store_backup
from orders_pipeline.store import restore as store_restore
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.publish import publish


def backup(
    folder: Path = typer.Argument(help="A new or empty folder, or an earlier backup of this store."),
) -> None:
    """Back up archive and state, also while the pipeline runs; into an earlier backup only what is new is copied.

    The configuration and DAGSTER_HOME are not in it: keep a copy of orders_pipeline.toml yourself.

    Example: orders-pipeline backup /mnt/disk/orders-backup
    """
    with work() as job, console.status("backing up"):
        reconcile(job)
        done = store_backup.back_up(job.store, folder, now=job.now())
        if (logs := open_usage(job)) is not None:
            reconcile(logs)
            store_backup.back_up(logs.store, folder / USAGE, now=job.now())
    taken_out = f", {done.removed} with forgotten mail taken out" if done.removed else ""
    say(f"backed up to {folder}: {done.files} archive files, {done.copied} of them new{taken_out}, and the state")
    if done.missing:
        complain(
            f"{len(done.missing)} archive files are missing here and in the backup ({', '.join(done.missing[:3])}):"
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
        aside = store_restore.restore(DataFolder(home()), source, force=force, now=dt.datetime.now(dt.UTC))
        if (source / USAGE).is_dir():
            logs = DataFolder(home() / USAGE)
            store_restore.restore(logs, source / USAGE, force=force, now=dt.datetime.now(dt.UTC))
    say(f"restored {source} to {home()}")
    if aside:
        say(f"what was there before is in {aside}; delete it when you no longer need it")
    if config is None:
        say("next: put your orders_pipeline.toml in place, then `orders-pipeline status`")
        raise typer.Exit(1)
    with work() as job:
        found = reconcile(job)
        publish(job.store)
    if found.missing:
        say(f"{len(found.missing)} archive files are missing in this backup: their days are not done")
    say("next: `orders-pipeline status` says what is done, and `make ui` takes up what is not")
    if found.missing:
        raise typer.Exit(1)
