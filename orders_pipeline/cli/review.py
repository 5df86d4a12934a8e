"""``review``: the review page, on this machine alone."""

from __future__ import annotations

import os
import sys
import webbrowser

import typer

from orders_pipeline.cli.output import complain, say
from orders_pipeline.config import home, load_config


def review(
    port: int | None = typer.Option(
        None, min=0, max=65535, show_default=False, help="The port on 127.0.0.1; one that is free by default."
    ),
    no_open: bool = typer.Option(False, "--no-open", help="Only print the link."),
) -> None:
    """Decide on proposed cases in the browser: mail and parse side by side, one key a decision. End it with Ctrl-C.

    The link works once, in one browser; a new one is printed then.

    Example: orders-pipeline review --no-open
    """
    from orders_pipeline.page.server import serve  # a web server: other commands need not load it
    from orders_pipeline.page.work import PageWork, patient_config
    from orders_pipeline.store.store import open_store

    config = patient_config(load_config())
    work = PageWork(store=open_store(home(), config), config=config, warn=complain)

    def started(link: str) -> None:
        say(f"review page  {link}")
        say("             answers on this machine alone; every decision is saved at once; Ctrl-C ends it")
        sys.stdout.flush()
        if not no_open and _has_screen():
            webbrowser.open(link)

    def renewed(link: str) -> None:
        say(f"for another browser  {link}")
        sys.stdout.flush()

    try:
        serve(work, port=port, on_link=started, on_new_link=renewed)
    finally:
        work.close()


def _has_screen() -> bool:
    """Whether a browser can show itself: without a screen, one in the terminal would take it over."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
