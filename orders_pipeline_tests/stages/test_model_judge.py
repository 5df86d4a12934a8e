"""A model that judges: what it may cost, what is saved, and what its faults do to the day."""

from __future__ import annotations

import datetime as dt
import json
import threading
from collections.abc import Iterator
from decimal import Decimal

import pytest

from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.fetch import fetch_day
from orders_pipeline.stages.model_plan import calls_owed, model_status
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.stages.rejudge import rejudge_days
from orders_pipeline.stages.retry import retry, waive
from orders_pipeline.stages.review import review_day
from orders_pipeline.stages.status import read_status
from orders_pipeline_tests.harness import DAY, ZONE, Scene, select
from orders_pipeline_tests.llm.stub_server import FINE, Asked, StubServer, error, saying, stub_server
from orders_pipeline_tests.loopback import Reply

WRONG = saying({"reasons": [{"code": "wrong_total", "detail": "the mail says EUR 25.50"}], "confidence": 0.8})
DAYS = [DAY, DAY + dt.timedelta(days=1)]


@pytest.fixture
def server() -> Iterator[StubServer]:
    with stub_server() as found:
        yield found


def configure(scene: Scene, server: StubServer | None, *more: str, sections: str = "") -> None:
    """Judge by rules, and with a server by its model too."""
    lines = [sections]
    if server is not None:
        address = f'base_url = "{server.url}"\nmodel = "judge-1"\nretries = 0\ncalls_per_minute = 10000'
        lines += ["[review]", 'judge = "model"', "[review.model]", address, *more]
    scene.settings = "\n".join(lines)
    scene.write_config()


@pytest.fixture
def judged(scene: Scene, server: StubServer) -> Scene:
    """Three parsed orders, FM-70001 to FM-70003, and the model configured."""
    configure(scene, server)
    for _ in range(3):
        scene.add_order()
    parse(scene)
    return scene


def parse(scene: Scene, day: dt.date = DAY) -> None:
    fetch_day(scene.work(), day)
    parse_day(scene.work(), day)


def count(scene: Scene, table: str, where: str = "true") -> int:
    return select(scene.work().store, f"SELECT count(*) FROM {table} WHERE {where}")[0][0]


def sick_for(*numbers: int, reply: Reply) -> object:
    """A script that answers the calls of these positions (from 1) badly."""
    lock, seen = threading.Lock(), [0]

    def script(asked: Asked) -> Reply:
        with lock:
            seen[0] += 1
            return reply if seen[0] in numbers else FINE

    return script


def test_each_judge_owes_its_own_verdict(judged: Scene, server: StubServer) -> None:
    """A parse that the rules find fine may be wrong all the same; that is what the model is for."""
    server.say(WRONG)
    report = review_day(judged.work(), DAY)
    assert report.problems == ()
    assert (report.counts["newly_judged"], report.counts["suspect"]) == (6, 3)
    assert len(server.asked) == 3
    found = select(judged.work().store, "SELECT DISTINCT judge, reasons, strength FROM proposed_eval_cases")
    reasons = [{"code": "wrong_total", "detail": "the mail says EUR 25.50", "strength": 0.648}]
    assert [(judge, json.loads(text), strength) for judge, text, strength in found] == [("model", reasons, 0.648)]
    assert select(judged.work().store, "SELECT DISTINCT confidence FROM verdicts WHERE judge = 'model'") == [(0.8,)]
    assert judged.why_not_done() is None


def test_of_238_rows_40_fail_and_the_next_run_makes_exactly_40_calls(scene: Scene, server: StubServer) -> None:
    """38 paid proposals were lost with a crash, and 238 rows were never seen again."""
    configure(scene, server)
    for _ in range(238):
        scene.add_order()
    parse(scene)
    server.script = sick_for(*range(5, 205, 5), reply=saying("no idea"))  # type: ignore[assignment]
    counts = review_day(scene.work(), DAY).counts
    assert (len(server.asked), counts["newly_judged"], counts["unjudged"]) == (238, 238 + 198, 40)
    assert count(scene, "units", "state = 'pending' AND mailbox = 'model' AND tries = 1") == 40
    server.asked.clear()
    server.say(FINE)
    assert review_day(scene.work(), DAY).problems == ()
    assert len(server.asked) == 40
    assert count(scene, "verdicts", "judge = 'model'") == 238
    assert count(scene, "model_calls") == 238 + 40
    assert scene.why_not_done() is None


def test_late_mail_buys_a_verdict_for_itself_alone(judged: Scene, server: StubServer) -> None:
    """A day that reopens must not be paid for once more."""
    review_day(judged.work(), DAY)
    judged.add_order()
    assert run_day(judged.work(), DAY).problem is None
    assert len(server.asked) == 4


def test_a_judge_that_is_configured_later_is_asked_about_new_mail_only(scene: Scene, server: StubServer) -> None:
    """Switching the model on must not buy verdicts on ten years of mail when one late mail reopens a day."""
    configure(scene, None)
    scene.add_order()
    scene.add_order()
    assert run_day(scene.work(), DAY).problem is None
    configure(scene, server)
    assert run_day(scene.work(), DAY).problem is None
    assert server.asked == []
    scene.add_order()
    assert run_day(scene.work(), DAY).problem is None
    assert len(server.asked) == 1
    assert run_day(scene.work(), DAY).problem is None
    assert len(server.asked) == 1


def test_a_change_of_the_model_judges_nothing_again(judged: Scene, server: StubServer) -> None:
    """A verdict of any version stands until a person asks for another."""
    review_day(judged.work(), DAY)
    configure(judged, server, "temperature = 0.7")
    assert review_day(judged.work(), DAY).counts["newly_judged"] == 0
    assert len(server.asked) == 3
    report = rejudge_days(judged.work(), [DAY])
    assert (report.days, report.verdicts, report.problems) == (1, 6, ())
    assert len(server.asked) == 6
    versions = select(judged.work().store, "SELECT DISTINCT judge_version FROM verdicts WHERE judge = 'model'")
    assert len(versions) == 2


def test_a_model_that_is_switched_off_holds_no_day(judged: Scene, server: StubServer) -> None:
    """What only it owed is owed by nobody any more."""
    server.say(saying("no"))
    review_day(judged.work(), DAY)
    assert judged.why_not_done() == "3 units are pending"
    configure(judged, None)
    assert review_day(judged.work(), DAY).problems == ()
    assert judged.why_not_done() is None


def test_what_fails_for_good_is_exhausted_visible_and_can_be_waived(judged: Scene, server: StubServer) -> None:
    """Tries are bounded: a mail that the model refuses is not paid for every night."""
    server.say(saying("", refusal="no"))
    for _ in range(judged.config().review.max_tries):
        review_day(judged.work(), DAY)
    asked = len(server.asked)
    assert review_day(judged.work(), DAY).problems
    assert len(server.asked) == asked
    status = read_status(judged.work(), sensor_cursor=None)
    assert (status.exhausted, status.pending) == (3, 0)
    assert status.stuck[0].name.startswith("model: ")
    server.say(FINE)
    message = status.stuck[0].name.removeprefix("model: ")
    waive(judged.work(), message, stage="review", reason="it refuses")
    retry(judged.work(), names=[s.name for s in status.stuck[1:]])
    assert review_day(judged.work(), DAY).problems == ()
    assert len(server.asked) == asked + 2
    assert judged.why_not_done() is None


# A fault of the login, the line or the provider's account, and how many calls it may cost at most.
NOBODYS = {
    "login": (error(401, "bad key"), 3),
    "credit": (error(402, "no credit"), 3),
    "busy": (error(429), 3),
    "down": (error(503), 3),
}


@pytest.mark.parametrize(("reply", "most"), NOBODYS.values(), ids=NOBODYS.keys())
def test_a_fault_of_the_server_uses_no_try_and_is_asked_little(
    scene: Scene, server: StubServer, reply: Reply, most: int
) -> None:
    """A night with a wrong key must not exhaust a year of mail, nor ask a thousand times."""
    configure(scene, server, "concurrency = 1")
    for _ in range(8):
        scene.add_order()
    parse(scene)
    server.say(reply)
    for _ in range(scene.config().review.max_tries + 1):
        server.asked.clear()
        assert "8 outcomes have no verdict yet" in review_day(scene.work(), DAY).problems[0]
        assert 1 <= len(server.asked) <= most
    assert select(scene.work().store, "SELECT DISTINCT state, tries FROM units") == [("pending", 0)]
    server.say(FINE)
    assert review_day(scene.work(), DAY).problems == ()


def test_one_row_that_breaks_the_server_does_not_hide_behind_it(scene: Scene, server: StubServer) -> None:
    """Where others are answered, the fault is the row's own: it uses a try, and is exhausted in the end."""
    configure(scene, server, "concurrency = 1")
    for _ in range(6):
        scene.add_order()
    parse(scene)
    server.script = sick_for(2, 3, 5, reply=error(500))  # type: ignore[assignment]
    review_day(scene.work(), DAY)
    assert len(server.asked) == 6
    assert select(scene.work().store, "SELECT tries FROM units") == [(1,)] * 3


def test_a_server_that_fails_every_call_is_left_alone(scene: Scene, server: StubServer) -> None:
    """A crash-looping server: three calls show it, the other rows keep their tries."""
    configure(scene, server, "concurrency = 1")
    for _ in range(8):
        scene.add_order()
    parse(scene)
    server.say(error(500))
    review_day(scene.work(), DAY)
    assert len(server.asked) == 3
    assert select(scene.work().store, "SELECT DISTINCT tries FROM units") == [(0,)]


def test_a_limit_of_calls_leaves_the_rest_for_the_next_day(judged: Scene, server: StubServer) -> None:
    """The rest stays pending without using a try, says why, and is due when the local day is over."""
    configure(judged, server, "calls_per_day = 2", "concurrency = 1")
    report = run_day(judged.work(), DAY)
    assert report.problem is not None
    assert "limit of 2 calls a day" in report.problem
    assert len(server.asked) == 2
    now = dt.datetime.now(ZONE)
    midnight = dt.datetime.combine(now.date() + dt.timedelta(days=1), dt.time(), tzinfo=ZONE)
    (unit,) = select(judged.work().store, "SELECT state, tries, next_try_at FROM units")
    assert unit == ("pending", 0, midnight)
    assert select(judged.work().store, "SELECT next_try_at FROM day_tries") == [(midnight,)]
    run_day(judged.work(), DAY)
    assert len(server.asked) == 2
    later = judged.work(now=lambda: midnight + dt.timedelta(minutes=1))
    assert run_day(later, DAY).problem is None
    assert len(server.asked) == 3


def test_a_limit_of_cost_counts_what_other_runs_spent(judged: Scene, server: StubServer) -> None:
    """Two processes with a limit of their own each spend twice the limit."""
    price = ("input_price = 1000", "output_price = 0", "concurrency = 1")  # 0.80 a call; each may cost some 1.50
    configure(judged, server, *price, "cost_per_day = 2.6")
    review_day(judged.work(), DAY)
    spent = select(judged.work().store, "SELECT count(*), sum(cost) FROM model_calls")[0]
    assert spent[1] <= Decimal("2.6")
    assert spent == (len(server.asked), Decimal("0.8") * len(server.asked))
    assert 1 <= len(server.asked) < 3
    review_day(judged.work(), DAY)
    assert len(server.asked) == spent[0]


def test_calls_run_side_by_side_within_the_limit(scene: Scene, server: StubServer) -> None:
    """One at a time a year takes days; all at once the provider bans the key."""
    configure(scene, server, "concurrency = 3")
    for _ in range(9):
        scene.add_order()
    parse(scene)
    together = threading.Barrier(3)

    def script(asked: Asked) -> Reply:
        together.wait(20)
        return FINE

    server.script = script
    assert review_day(scene.work(), DAY).problems == ()
    assert server.most_at_once == 3


def test_a_rebuild_pays_for_nothing(judged: Scene, server: StubServer) -> None:
    """Verdicts that stand are taken over; what is still owed waits for a run."""
    server.script = sick_for(2, reply=saying("no"))  # type: ignore[assignment]
    review_day(judged.work(), DAY)
    assert len(server.asked) == 3
    rebuild_store(judged.work())
    assert len(server.asked) == 3
    assert judged.why_not_done() == "1 units are pending"
    assert count(judged, "model_calls") == 3
    assert run_day(judged.work(), DAY).problem is None
    assert len(server.asked) == 4


def test_rejudging_keeps_the_old_verdict_where_no_new_one_comes(judged: Scene, server: StubServer) -> None:
    """Asking again must not make data worse."""
    server.say(WRONG)
    review_day(judged.work(), DAY)
    server.say(error(503))
    report = rejudge_days(judged.work(), [DAY])
    assert report.problems == (f"{DAY}: 3 verdicts were not given anew; the old ones stand",)
    assert count(judged, "proposed_eval_cases") == 3
    assert judged.why_not_done() is None
    server.say(FINE)
    rejudge_days(judged.work(), [DAY])
    assert count(judged, "proposed_eval_cases") == 0


def test_status_says_beforehand_what_is_owed_and_what_it_costs(judged: Scene, server: StubServer) -> None:
    """A backfill that turns out to have cost a fortune was not announced."""
    configure(judged, server, "input_price = 3", "output_price = 15")
    status = model_status(judged.work())
    assert status is not None
    assert (status.owed, status.calls_today) == (3, 0)
    assert status.owed_cost is not None
    assert "0 calls today" in status.line()
    assert "3 calls owed, about" in status.line()
    told: list[str] = []
    review_day(judged.work(tell=told.append), DAY)
    assert told[0].startswith(f"{DAY}: 3 calls of the model judge-1, at most ")
    assert calls_owed(judged.work()) == 0
    after = read_status(judged.work(), sensor_cursor=None)
    assert after.model is not None
    assert (after.model.calls_today, after.as_dict()["model"]["owed"]) == (3, 0)
    assert any(line.startswith("model     judge-1: 3 calls today") for line in after.lines())


def test_a_call_that_fails_is_on_record_too(judged: Scene, server: StubServer) -> None:
    """Half of what was paid may be failed calls."""
    server.script = sick_for(1, reply=saying("", refusal="no"))  # type: ignore[assignment]
    review_day(judged.work(), DAY)
    found = select(
        judged.work().store,
        "SELECT fault, input_tokens, output_tokens, cost FROM model_calls ORDER BY fault DESC LIMIT 2",
    )
    assert found == [("answer", 800, 40, None), ("", 800, 40, None)]
    assert len(judged.work().store.archive.all_files("calls")) == 3
