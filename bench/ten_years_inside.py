"""``python -m bench.ten_years_inside ROUNDS``: what is asked of the store that the environment names, each by itself.

Belongs here: the works, and their least milliseconds of processor time as one line of JSON. Each runs once unseen.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator

import dagster as dg
from starlette.testclient import TestClient

from orders_pipeline.config import home, load_config
from orders_pipeline.defs.cursor import SENSOR
from orders_pipeline.defs.gather import gather
from orders_pipeline.defs.launch import prepare_instance
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.page.app import make_app
from orders_pipeline.page.session import Session
from orders_pipeline.quality.checks import run_checks
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.gaps import read_facts
from orders_pipeline.stages.golden_score import refresh_scores
from orders_pipeline.stages.reconcile import reconcile
from orders_pipeline.stages.status import read_status
from orders_pipeline.stages.work import Work
from orders_pipeline.store.store import open_store

TICK = "a tick of the sensor"
_PORT = 7391


def main() -> None:
    """Measure every work in turn, ``ROUNDS`` times."""
    warnings.simplefilter("ignore")
    config = load_config()
    work = Work(store=open_store(home(), config), config=config)
    with prepare_instance(work.store.folder) as instance:
        works = dict(_works(work, instance))
        for run in works.values():
            run()
        least = dict.fromkeys(works, float("inf"))
        for _ in range(int(sys.argv[1])):
            for name, run in works.items():
                began = time.process_time()
                run()
                least[name] = min(least[name], 1000 * (time.process_time() - began))
    work.close()
    print(json.dumps(least))


def _works(work: Work, instance: dg.DagsterInstance) -> Iterator[tuple[str, Callable[[], object]]]:
    defs = gather()
    yield TICK, lambda: _tick(defs, instance)
    yield "the schedule of yesterday", lambda: _yesterday(defs, instance)
    yield "the checks over all days", lambda: (reconcile(work), run_checks(read_facts(work, None)))
    yield "status", lambda: read_status(work, sensor_cursor=None)
    client = _browser(work)
    case = re.search(r"/case/[0-9a-f]+", client.get("/queue").text)
    assert case
    yield "the review page: the queue", lambda: client.get("/queue")
    yield "the review page: one case", lambda: client.get(case[0])
    yield "orders, alerts and case queue, computed whole", lambda: refresh_current(work)
    yield "scores of the golden set", lambda: refresh_scores(work)


def _tick(defs: dg.Definitions, instance: dg.DagsterInstance) -> None:
    context = dg.build_sensor_context(instance=instance, definitions=defs, resources={"pipeline": Pipeline()})
    tick = defs.resolve_sensor_def(SENSOR).evaluate_tick(context)
    if tick.run_requests:
        raise RuntimeError(f"a tick of a store without gaps asks for {tick.run_requests}")


def _yesterday(defs: dg.Definitions, instance: dg.DagsterInstance) -> None:
    context = dg.build_schedule_context(
        instance=instance,
        scheduled_execution_time=dt.datetime.now(dt.UTC),
        resources={"pipeline": Pipeline()},
        repository_def=defs.get_repository_def(),
    )
    defs.resolve_schedule_def("yesterday").evaluate_tick(context)


def _browser(work: Work) -> TestClient:
    session = Session(_PORT)
    app = make_app(work, session, port=_PORT)
    client = TestClient(app, base_url=f"http://127.0.0.1:{_PORT}", cookies={session.cookie_name: session.cookie})
    if client.get("/queue").status_code != 200:
        raise RuntimeError("the review page does not answer")
    return client


if __name__ == "__main__":
    main()
