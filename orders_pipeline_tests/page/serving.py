"""The page served for real, on a free port, and a browser's part played by requests.

Belongs here: server, session, the forms of a page. Not here: mails (conftest.py), a real browser (browser/).
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import requests
import uvicorn

from orders_pipeline.page.app import make_app
from orders_pipeline.page.session import Session
from orders_pipeline.page.work import PageWork, patient_config
from orders_pipeline.stages.decide import history
from orders_pipeline.store.frames import rows
from orders_pipeline.store.store import open_store
from orders_pipeline_tests.harness import Scene

_INPUT = re.compile(r'<input[^>]*\bname="([^"]+)"[^>]*?\bvalue="([^"]*)"')


@dataclass
class Served:
    """The address, a browser that was given the link, and the store."""

    base: str
    session: Session
    work: PageWork
    browser: requests.Session = field(default_factory=requests.Session)

    def enter(self) -> requests.Response:
        """Follow the printed link."""
        return self.browser.get(f"{self.base}/start", params={"token": self.session.link_token}, timeout=20)

    def get(self, path: str, **options: Any) -> requests.Response:
        return self.browser.get(self.base + path, timeout=20, **options)

    def post(self, path: str, data: Any, **headers: str) -> requests.Response:
        """Send a form as a browser does from our own page; the answer is not followed."""
        sent = {"Origin": self.base, "Sec-Fetch-Site": "same-origin", **headers}
        return self.browser.post(self.base + path, data=data, headers=sent, timeout=20, allow_redirects=False)

    def fields(self, path: str, action: str) -> dict[str, str]:
        """The fields of the form with this action, as the page holds them now."""
        return fields_of(self.get(path).text, action)

    def press(self, case_id: str, decision: str, fields: dict[str, str] | None = None) -> requests.Response:
        """Press Accept or Reject on a case's page, or on one that was loaded before (``fields``)."""
        shown = fields or self.fields(f"/case/{case_id}", f"/case/{case_id}/decide")
        return self.post(f"/case/{case_id}/decide", {**shown, "decision": decision})

    def cases(self) -> list[str]:
        """The ids of the queue, in its order."""
        found = re.findall(r'<li><a href="/case/([0-9a-f]+)', self.get("/queue").text)
        return list(dict.fromkeys(found))

    def states(self) -> dict[str, str]:
        """Case id -> state, as the store has it."""
        with self.work.store.state.reading() as con:
            return {r["case_id"]: r["state"] for r in rows(con, "SELECT case_id, state FROM eval_cases")}

    def acts(self, case_id: str) -> list[str]:
        """What was decided on a case, oldest first."""
        with self.work.store.state.reading() as con:
            return [act["decision"] for act in history(con, case_id)]


def fields_of(page: str, action: str) -> dict[str, str]:
    """The named inputs with a value of the form with this action."""
    form = page.split(f'action="{action}"', 1)[1].split("</form>", 1)[0]
    return {name: unescape(value) for name, value in _INPUT.findall(form) if name != "outcome"}


@contextlib.contextmanager
def served(scene: Scene) -> Iterator[Served]:
    """Serve the page over a scene's store."""
    settings = patient_config(scene.config())
    work = PageWork(store=open_store(scene.home, settings), config=settings, warn=scene.warnings.append)
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.bind(("127.0.0.1", 0))
    port = sock.getsockname()[1]
    session = Session(port)
    app = make_app(work, session, port=port)
    config = uvicorn.Config(app, lifespan="off", ws="none", http="h11", log_level="error", server_header=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < deadline, "the page does not come up"
        time.sleep(0.01)
    try:
        yield Served(f"http://127.0.0.1:{port}", session, work)
    finally:
        server.should_exit = True
        thread.join(20)
        work.close()
        sock.close()
