"""The Dagster UI as a user starts it: ``orders-pipeline ui`` in a process group of its own.

Belongs here: starting, waiting until it answers, and ending everything that it started. Not here: what the UI shows.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from orders_pipeline_tests.support import ending_with_us

_START_SECONDS = 120.0  # 20 s on two idle cores, 66 s when no .pyc files are there yet
_STOP_SECONDS = 45.0  # the code servers let calls in flight end


def free_port() -> int:
    """A port on the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def dagster_ui(env: Mapping[str, str], folder: Path) -> Iterator[str]:
    """The address of a running UI with its daemon; its output goes to ``folder``/ui.log.

    Raises ``AssertionError`` with the end of that log when it does not come up.
    """
    port = free_port()
    log = folder / "ui.log"
    # As a script's background job, which ignores SIGINT: the case in which ending the UI is hardest.
    background = ["sh", "-c", 'trap "" INT; exec "$@"', "sh"]
    command = ending_with_us([*background, sys.executable, "-m", "orders_pipeline.cli", "ui", "--port", port])
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=dict(env), stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
    try:
        _wait_until_it_answers(process, port, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        ended = _end_group(process)
    assert ended, f"the UI had to be killed; the end of its output:\n{_tail(log)}"


def _wait_until_it_answers(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not _answers(port):
        ended = process.poll() is not None
        if ended or time.monotonic() > deadline:
            what = "ended" if ended else "does not answer"
            raise AssertionError(f"the UI {what}; the end of its output:\n{_tail(log)}")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5)


def _tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-3000:]


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/server_info")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _end_group(process: subprocess.Popen[bytes]) -> bool:
    """End the whole group: webserver, daemon, code servers, run workers. Whether it went when it was asked to."""
    for how, seconds in ((signal.SIGTERM, _STOP_SECONDS), (signal.SIGKILL, 5.0)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
            if not _group_lives(process.pid):
                return how is signal.SIGTERM
            time.sleep(0.05)
    return False


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
