"""``ui``: the Dagster UI with daemon, schedules and sensor, over the configured data folder."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path

import typer

from orders_pipeline.cli.opening import work
from orders_pipeline.cli.output import say
from orders_pipeline.config import config_path
from orders_pipeline.errors import OrdersPipelineError


def ui(
    port: int = typer.Option(3000, min=1, max=65535, help="The port on this machine."),
    host: str = typer.Option("127.0.0.1", help="The address to listen on; the UI asks nobody for a password."),
) -> None:
    """Start the Dagster UI; schedules and the sensor run while it does. End it with Ctrl-C.

    Example: orders-pipeline ui --port 3001
    """
    with work() as job:  # a wrong configuration or store is told here, in one line
        folder, config = job.store.folder, job.config
    _refuse_taken(host, port)
    from orders_pipeline.defs.launch import prepare_instance, project_root

    prepare_instance(folder)
    say(f"zone {config.zone}, days from {config.start_date}; http://{host}:{port}")
    sys.stdout.flush()
    root = project_root()
    dagster = Path(sys.executable).with_name("dagster")
    # Away from the project folder, whose dagster.yaml is a template; what was found from here must still be found.
    os.environ["ORDERS_PIPELINE_HOME"], os.environ["ORDERS_PIPELINE_CONFIG"] = str(folder.root), str(config_path())
    os.chdir(folder.dagster_home)
    # A script's background job ignores SIGINT, and so would Dagster, which then ignores SIGTERM as well.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    workspace = str(root / "workspace.yaml")
    os.execv(dagster, [str(dagster), "dev", "-w", workspace, "-p", str(port), "-h", host])  # noqa: S606


def _refuse_taken(host: str, port: int) -> None:
    """Dagster's daemon stays when its web server cannot listen: a UI that nobody reaches, and no end."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the web server: a port just left is free
            trial.bind(address)
            trial.listen()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no such address"
        raise OrdersPipelineError(
            f"cannot listen on {host}:{port}: {reason}; end what listens there, or choose another --port or --host"
        ) from None
