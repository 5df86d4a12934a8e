"""The page as a browser meets it: a real server, a real store, real forms."""

from __future__ import annotations

import re
import threading
import time
from html import unescape

import pytest
import requests

from orders_pipeline.models import Decision
from orders_pipeline.stages.decide import decide, find_case
from orders_pipeline.store.frames import rows
from orders_pipeline.store.reader import published
from orders_pipeline_tests.harness import Scene, select
from orders_pipeline_tests.page.conftest import HOSTILE_SHOP, SHOPS
from orders_pipeline_tests.page.serving import Served, fields_of, served


def test_a_link_lets_one_browser_in_once(cases: Scene) -> None:
    """A link stays in histories and terminals: used by a second browser it must open nothing."""
    with served(cases) as page:
        link = f"{page.base}/start?token={page.session.link_token}"
        ahead = requests.get(link, headers={"Sec-Purpose": "prefetch"}, timeout=20)
        assert ahead.status_code == 403  # a browser that only looks ahead does not use the link up
        first = requests.get(link, timeout=20)
        assert first.status_code == 200
        assert re.search(r"HttpOnly; Path=/; SameSite=strict", first.headers["set-cookie"])
        second = requests.get(link, timeout=20)
        assert second.status_code == 403
        assert "set-cookie" not in second.headers
        assert requests.get(link, cookies=first.cookies, timeout=20).status_code == 200
        assert requests.get(f"{page.base}/start?token=", timeout=20).status_code == 403


def test_the_first_page_is_the_best_case_with_its_reason_and_fields(page: Served) -> None:
    """A person who has to look for the reason decides by guess."""
    answer = page.get("/")
    assert answer.url == f"{page.base}/case/{page.cases()[0]}"
    text = unescape(re.sub(r"<[^>]+>", " ", answer.text))
    assert "total does not add up" in text
    assert "31.00 EUR" in text
    assert re.search(r"0\s+decided\s*,\s+4\s+left", text)


def test_accepting_saves_and_shows_the_next_case(page: Served) -> None:
    """A decision that is only on the page is lost with the tab."""
    first, second, *_ = page.cases()
    answer = page.press(first, "accepted")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/case/{second}?done={first}"
    assert page.states()[first] == "accepted"
    assert first not in page.cases()
    assert "1</b> decided" in page.get(answer.headers["location"]).text


def test_after_the_last_case_the_queue_says_that_all_is_done(page: Served) -> None:
    """An empty page leaves one wondering whether something broke."""
    *_, location = [page.press(case_id, "rejected").headers["location"] for case_id in page.cases()]
    assert location.startswith("/queue?done=")
    assert "All done" in page.get(location).text
    assert "All done" in page.get("/").text
    assert set(page.states().values()) == {"rejected"}


def test_a_decision_keeps_the_reasons_that_were_shown(page: Served) -> None:
    """The queue forgets a case once it is decided: what the comparison of days had said of it was lost then."""
    case_id = page.cases()[0]
    more = '[{"code": "field_drifted", "detail": "total: missing", "strength": 0.82}]'
    with page.work.store.state.transaction() as con:
        con.execute(
            "UPDATE case_queue SET reasons = (reasons::JSON[] || ?::JSON[])::JSON WHERE case_id = ?", [more, case_id]
        )
    assert "field drifted" in page.get(f"/case/{case_id}").text
    page.press(case_id, "rejected")
    kept = select(
        page.work.store,
        "SELECT json_extract_string(snapshot, '$.reasons[*].code') FROM case_history WHERE case_id = ?",
        [case_id],
    )
    assert kept == [(["total_does_not_add_up", "field_drifted"],)]


def test_of_two_tabs_the_second_is_told_and_records_nothing(page: Served) -> None:
    """The last to press would win unseen, and a person would believe what the other one undid."""
    case_id = page.cases()[0]
    other_tab = page.fields(f"/case/{case_id}", f"/case/{case_id}/decide")
    assert page.press(case_id, "accepted").status_code == 303
    answer = page.press(case_id, "rejected", other_tab)
    assert answer.status_code == 409
    assert "was decided on elsewhere" in answer.text
    assert "(rejected) was not recorded" in answer.text
    assert page.acts(case_id) == ["accepted"]
    # What the answer shows is how the case stands now: pressing there is a decision on that.
    assert page.press(case_id, "rejected", fields_of(answer.text, f"/case/{case_id}/decide")).status_code == 303
    assert page.acts(case_id) == ["accepted", "rejected"]


def test_two_tabs_at_the_very_same_time_make_one_decision(page: Served) -> None:
    """A check and a save with a gap between them let both through."""
    case_id = page.cases()[0]
    shown = page.fields(f"/case/{case_id}", f"/case/{case_id}/decide")
    answers: list[int] = []
    start = threading.Barrier(4)

    def press(decision: str) -> None:
        start.wait()
        answers.append(page.press(case_id, decision, shown).status_code)

    tabs = [threading.Thread(target=press, args=(d,)) for d in ("accepted", "rejected") * 2]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(answers) == [303, 409, 409, 409]
    assert len(page.acts(case_id)) == 1


def test_the_command_line_counts_as_another_tab(page: Served) -> None:
    """Two doors to one room need one lock."""
    case_id = page.cases()[0]
    shown = page.fields(f"/case/{case_id}", f"/case/{case_id}/decide")
    decide(page.work, case_id, Decision.REJECTED)
    assert page.press(case_id, "accepted", shown).status_code == 409


def test_a_case_that_was_parsed_anew_meanwhile_is_shown_again(page: Served) -> None:
    """Accepting says that what one saw is right: it must not say so of another parse."""
    case_id = page.cases()[0]
    shown = page.fields(f"/case/{case_id}", f"/case/{case_id}/decide")
    with page.work.store.state.transaction() as con:
        con.execute(
            "UPDATE proposed_eval_cases SET produced = replace(produced::VARCHAR, '31.00', '32.00')::JSON"
            " WHERE case_id = ?",
            [case_id],
        )
    answer = page.press(case_id, "accepted", shown)
    assert answer.status_code == 409
    assert "was parsed anew" in answer.text
    assert page.acts(case_id) == []


def test_undo_takes_the_last_decision_back_and_keeps_it_in_the_history(page: Served) -> None:
    """A slip of the finger must cost one key, and nobody may be able to make it as if it never was."""
    case_id = page.cases()[0]
    location = page.press(case_id, "rejected").headers["location"]
    fields = page.fields(location, f"/case/{case_id}/undo")
    answer = page.post(f"/case/{case_id}/undo", fields)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/case/{case_id}")
    assert page.states()[case_id] == "proposed"
    assert page.acts(case_id) == ["rejected", "undone"]
    assert page.post(f"/case/{case_id}/undo", fields).status_code == 409  # the same press once more
    assert page.acts(case_id) == ["rejected", "undone"]
    shown = page.get(f"/case/{case_id}").text
    assert 'class="undone"' in shown


def test_an_edit_is_saved_as_it_was_stated(page: Served) -> None:
    """The expected result is what every score is measured by."""
    case_id = page.cases()[0]
    fields = page.fields(f"/case/{case_id}/edit", f"/case/{case_id}/edit")
    assert fields["orders.0.total"] == "31.00"
    fields |= {
        "outcome": "parsed",
        "orders.0.total": "24,50",
        "orders.0.status": "shipped",
        "orders.0.expected_delivery": "2026-12-24",
        "orders.0.tracking_numbers": "AB1, CD2",
        "orders.0.items.0.name": "Oak bookend",
        "orders.0.items.0.quantity": "2",
        "note": "the total of the invoice",
    }
    assert page.post(f"/case/{case_id}/edit", fields).status_code == 303
    with page.work.store.state.reading() as con:
        case = find_case(con, case_id)
    assert case["state"] == "edited"
    assert case["note"] == "the total of the invoice"
    (expected,) = select(
        page.work.store, "SELECT expected -> '$.orders[0]' FROM eval_cases WHERE case_id = ?", [case_id]
    )
    assert '"total":"24.50"' in expected[0]
    assert '"tracking_numbers":["AB1","CD2"]' in expected[0]
    assert '"expected_delivery":"2026-12-24"' in expected[0]
    assert '"name":"Oak bookend"' in expected[0]
    again = page.fields(f"/case/{case_id}/edit", f"/case/{case_id}/edit")
    assert again["orders.0.total"] == "24.50"


def test_no_order_is_an_answer_too(page: Served) -> None:
    """A mail that was wrongly taken for an order is a test as well."""
    case_id = page.cases()[0]
    fields = page.fields(f"/case/{case_id}/edit", f"/case/{case_id}/edit")
    assert page.post(f"/case/{case_id}/edit", {**fields, "outcome": "not_order"}).status_code == 303
    found = select(
        page.work.store,
        "SELECT expected ->> '$.outcome', expected -> '$.orders' FROM eval_cases WHERE case_id = ?",
        [case_id],
    )
    assert found == [("not_order", "[]")]


def test_a_wrong_edit_saves_nothing_and_keeps_what_was_typed(page: Served) -> None:
    """A form that comes back empty is not filled in a second time."""
    case_id = page.cases()[0]
    fields = page.fields(f"/case/{case_id}/edit", f"/case/{case_id}/edit")
    fields |= {
        "outcome": "parsed",
        "orders.0.total": "about thirty",
        "orders.0.carrier": 'Bost "& Sons"',
        "note": "mine",
    }
    answer = page.post(f"/case/{case_id}/edit", fields)
    assert answer.status_code == 422
    assert page.acts(case_id) == []
    kept = fields_of(answer.text, f"/case/{case_id}/edit")
    assert kept["orders.0.total"] == "about thirty"
    assert kept["orders.0.carrier"] == 'Bost "& Sons"'
    assert kept["note"] == "mine"
    assert "write a number such as" in answer.text


def test_an_edit_that_met_another_decision_keeps_what_was_typed(page: Served) -> None:
    """The longer a form takes, the likelier that somebody else was faster."""
    case_id = page.cases()[0]
    fields = page.fields(f"/case/{case_id}/edit", f"/case/{case_id}/edit") | {
        "outcome": "parsed",
        "orders.0.total": "24.50",
    }
    page.press(case_id, "rejected")
    answer = page.post(f"/case/{case_id}/edit", fields)
    assert answer.status_code == 409
    assert page.acts(case_id) == ["rejected"]
    kept = fields_of(answer.text, f"/case/{case_id}/edit")
    assert kept["orders.0.total"] == "24.50"
    assert page.post(f"/case/{case_id}/edit", {**kept, "outcome": "parsed"}).status_code == 303
    assert page.acts(case_id) == ["rejected", "edited"]


@pytest.mark.parametrize(
    ("press", "orders", "items"),
    [("add_order", 2, 2), ("remove_order.0", 1, 1), ("add_item.0", 1, 5), ("remove_order.7", 1, 2), ("redraw", 1, 2)],
)
def test_the_forms_shape_changes_without_losing_what_was_typed(
    page: Served, press: str, orders: int, items: int
) -> None:
    """Several orders in one mail are stated in one form; nothing of it is saved by these buttons."""
    case_id = page.cases()[0]
    fields = page.fields(f"/case/{case_id}/edit", f"/case/{case_id}/edit") | {"do": press}
    fields |= {"orders.0.carrier": "Bost", "orders.0.items.0.name": "Oak bookend"}
    answer = page.post(f"/case/{case_id}/edit", fields)
    assert answer.status_code == 200
    kept = fields_of(answer.text, f"/case/{case_id}/edit")
    assert sum(name.endswith(".carrier") for name in kept) == orders
    assert sum(re.fullmatch(r"orders\.0\.items\.\d+\.name", name) is not None for name in kept) == items
    if not press.startswith("remove_order.0"):
        assert kept["orders.0.carrier"] == "Bost"
    assert page.acts(case_id) == []


def test_the_queue_is_filtered_by_sender_and_reason_and_stays_so(page: Served) -> None:
    """Twenty mails of one shop are decided in a row, not one between others."""
    sender = f"{SHOPS[1].lower()}.example"
    text = page.get("/queue", params={"sender": sender}).text
    (case_id,) = set(re.findall(r'<li><a href="/case/([0-9a-f]+)\?sender=', text))
    answer = page.press(case_id, "accepted", page.fields(f"/case/{case_id}?sender={sender}", f"/case/{case_id}/decide"))
    assert answer.headers["location"] == f"/queue?sender={sender}&done={case_id}"
    reasons = page.get("/queue", params={"reason": "total_does_not_add_up"}).text
    assert len(set(re.findall(r'<li><a href="/case/([0-9a-f]+)', reasons))) == 3
    assert "No case fits" in page.get("/queue", params={"reason": "parse_failed"}).text
    accepted = page.get("/queue", params={"state": "accepted"}).text
    assert re.findall(r'<li><a href="/case/([0-9a-f]+)', accepted) == [case_id]


def test_a_hostile_mail_is_text_wherever_it_is_shown(page: Served) -> None:
    """A mail's HTML that ran in the page could press every button."""
    (case_id,) = select(
        page.work.store, "SELECT case_id FROM eval_cases WHERE sender_domain = ?", [f"{HOSTILE_SHOP.lower()}.example"]
    )[0]
    for path in (f"/case/{case_id}", f"/case/{case_id}?view=text", f"/case/{case_id}?view=headers", "/queue"):
        answer = page.get(path)
        assert "<b>Your</b>" not in answer.text
        assert "&lt;b&gt;Your&lt;/b&gt; order" in answer.text
        assert "script-src 'self'" in answer.headers["content-security-policy"]
    frame = page.get(f"/case/{case_id}/mail")
    policy = frame.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert policy.endswith("sandbox")
    body = frame.text.split("</head>")[1]
    for wrong in (
        "tracker.example/p",
        "tracker.example/l",
        "tracker.example/f",
        "tracker.example/q",
        "<script",
        "<svg",
        "<form",
        "<input",
        "onload",
        "onclick",
        "<meta",
        "<base",
    ):
        assert wrong not in body, wrong
    assert 'sandbox=""' in page.get(f"/case/{case_id}").text
    assert "data:image/png" in body
    assert re.search(r"<mark[^>]*>31</mark></b><mark[^>]*>\.00</mark>", body)


def test_a_mail_that_left_the_archive_is_told_and_the_case_can_be_decided(page: Served) -> None:
    """One lost file must not take the page down."""
    case_id = page.cases()[0]
    for path in page.work.store.archive.all_files("mail"):
        (page.work.store.archive.root / path).unlink()
    answer = page.get(f"/case/{case_id}")
    assert answer.status_code == 200
    assert "cannot be read" in answer.text
    assert page.get(f"/case/{case_id}/mail").status_code == 200
    assert page.press(case_id, "rejected").status_code == 303


def test_a_mail_that_failed_to_parse_is_not_parsed_here(page: Served) -> None:
    """What killed the parser's process must not kill the page's."""
    case_id = page.cases()[0]
    failed = '{"outcome":"failed","reason":"killed the parser","orders":[],"language":null,"order_words":[]}'
    with page.work.store.state.transaction() as con:
        con.execute(
            "UPDATE proposed_eval_cases SET produced = ?, outcome = 'failed' WHERE case_id = ?", [failed, case_id]
        )
    answer = page.get(f"/case/{case_id}")
    assert "The message as it came, undecoded" in answer.text
    assert "Order number:" in answer.text


def test_the_form_of_a_mail_that_was_taken_for_no_order_asks_for_one(page: Served) -> None:
    """To say that it is no order one accepts; who presses edit wants the fields."""
    case_id = page.cases()[0]
    missed = '{"outcome":"not_order","reason":"no_order_found","orders":[],"language":null,"order_words":["order"]}'
    with page.work.store.state.transaction() as con:
        con.execute("UPDATE proposed_eval_cases SET produced = ? WHERE case_id = ?", [missed, case_id])
    assert "no order is found here" in page.get(f"/case/{case_id}").text
    form = page.get(f"/case/{case_id}/edit").text
    assert re.search(r'value="parsed" checked', form)
    fields = fields_of(form, f"/case/{case_id}/edit") | {"outcome": "parsed"}
    assert page.post(f"/case/{case_id}/edit", fields).status_code == 422  # nothing was filled in
    assert page.post(f"/case/{case_id}/edit", {**fields, "orders.0.order_number": "FM-1"}).status_code == 303
    assert page.states()[case_id] == "edited"


@pytest.mark.parametrize(
    "path", ["/case/zz", "/case/..%2f..%2fetc", "/nothing", "/static/../app.py", "/static/app.py", "/case/"]
)
def test_what_is_not_there_is_a_page_that_says_so(page: Served, path: str) -> None:
    """A traceback helps nobody who mistyped."""
    answer = page.get(path)
    assert answer.status_code == 404
    assert "Not found" in answer.text


def test_a_busy_store_is_told_and_nothing_that_was_typed_is_lost(cases: Scene) -> None:
    """A run that holds the store for long must not eat a form."""
    cases.settings = "[store]\nlock_timeout_seconds = 0.3\n"
    cases.write_config()
    with served(cases) as page:
        page.enter()
        case_id = page.cases()[0]
        fields = page.fields(f"/case/{case_id}/edit", f"/case/{case_id}/edit") | {"outcome": "parsed"}
        with page.work.store.state.exclusive():
            assert page.get("/queue").status_code == 503
            answer = page.post(f"/case/{case_id}/edit", fields)
            assert answer.status_code == 503
            assert "The store is busy" in answer.text
        assert page.acts(case_id) == []
        assert page.post(f"/case/{case_id}/edit", fields).status_code == 303


def test_the_copy_for_readers_follows_without_being_waited_for(page: Served, cases: Scene) -> None:
    """``cases list`` after an evening of review must not show the morning's queue."""
    case_id = page.cases()[0]
    page.press(case_id, "accepted")
    deadline = time.monotonic() + 20
    state = None
    while state != "accepted" and time.monotonic() < deadline:
        time.sleep(0.2)
        with published(cases.home) as con:
            state = rows(con, "SELECT state FROM eval_cases WHERE case_id = ?", [case_id])[0]["state"]
    assert state == "accepted"
    assert cases.warnings == []
