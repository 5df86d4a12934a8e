"""The review page in a real browser: keys, forms, widths, schemes, and mails that would do harm."""

from __future__ import annotations

import http.server
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import duckdb
import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By

from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline_tests.browser.chromium import Album
from orders_pipeline_tests.browser.review_page import ReviewPage, review_command
from orders_pipeline_tests.harness import Scene, deliver, last_closed_days, noon, order_mail
from orders_pipeline_tests.support import PROJECT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(300, func_only=True),
]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder that ``make demo`` leaves."""
    home = tmp_path_factory.mktemp("demo") / "home"
    env = {"ORDERS_PIPELINE_HOME": str(home), "PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "orders_pipeline.cli", "demo"]
    done = subprocess.run(command, cwd=home.parent, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return home


@pytest.fixture
def home(demo: Path, tmp_path: Path) -> Path:
    """The same, to do with as a test likes."""
    return Path(shutil.copytree(demo, tmp_path / "home"))


@pytest.fixture
def page(browser: Chrome, home: Path, tmp_path: Path) -> Iterator[ReviewPage]:
    """The page over it, in a window of a desk's size."""
    with review_command(home, tmp_path) as link:
        page = ReviewPage(browser, link)
        page.resize(1280, 800)
        yield page


def states(home: Path) -> dict[str, str]:
    """Case id -> state in the published copy, once the command has ended."""
    with duckdb.connect(home / "orders.duckdb", read_only=True) as con:
        return dict(con.execute("SELECT case_id, state FROM eval_cases").fetchall())


def test_a_first_time_user_decides_four_cases_with_the_keys_in_under_a_minute(
    browser: Chrome, album: Album, home: Path, tmp_path: Path
) -> None:
    """What takes longer than a glance and a key is put off until nobody does it."""
    before = states(home)
    assert set(before.values()) == {"proposed"}
    begin = time.monotonic()
    with review_command(home, tmp_path) as link:
        page = ReviewPage(browser, link)
        page.resize(1280, 800)
        assert f"0 decided, {len(before)} left" in page.text()
        album.take("first-case")
        accepted = [page.decide("a")[0] for _ in range(3)]
        rejected, following = page.decide("r")
        assert f"4 decided, {len(before) - 4} left" in page.text()
        assert "rejected" in page.text()
        album.take("after-four")
        _, back = page.decide("u")  # a slip of the finger ...
        assert back == rejected
        assert page.decide("r") == (rejected, following)
        assert page.complaints() == []
    assert time.monotonic() - begin < 60
    changed = {case_id: state for case_id, state in states(home).items() if state != "proposed"}
    assert changed == {**dict.fromkeys(accepted, "accepted"), rejected: "rejected"}


def test_keys_walk_the_queue_and_help_lists_them(page: ReviewPage) -> None:
    """A key that acts while one types a note would decide by accident."""
    first = page.case_id
    second = page.decide("j")[1]
    assert page.decide("k") == (second, first)
    assert "accept: what the parser read is right" not in page.text()
    page.press("?")
    page.wait("the keys", lambda: "accept: what the parser read is right" in page.text())
    page.press(Keys.ESCAPE)
    page.wait("no keys", lambda: "accept: what the parser read is right" not in page.text())
    ActionChains(page.browser).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
    page.press("e")
    page.wait("the form", lambda: page.browser.current_url.endswith("/edit") and page.loaded())
    page.write("note", "a rare jar")
    assert page.value("note") == "a rare jar"
    assert page.case_id == first
    page.click("#cancel")
    page.wait("the case", lambda: "/edit" not in page.browser.current_url and page.loaded())
    assert "1 of" in page.text()


def test_a_click_into_the_mail_does_not_take_the_keys_away(page: ReviewPage) -> None:
    """The mail is what one clicks first, and after that no key would do anything."""
    frame = page.browser.find_element(By.NAME, "mail")
    ActionChains(page.browser).move_to_element(frame).click().perform()
    first = page.case_id
    page.wait("focus is back", lambda: page.browser.execute_script("return document.activeElement.tagName") == "BODY")
    assert page.decide("j")[0] == first


def test_a_half_filled_form_survives_a_reload_and_is_gone_once_saved(page: ReviewPage, home: Path) -> None:
    """Ten fields typed twice are typed once at most."""
    case_id = page.case_id
    page.press("e")
    page.wait("the form", lambda: page.field("orders.0.total"))
    page.write("orders.0.total", "61.45")
    page.click("[name=do][value=add_order]")
    page.wait("a second order", lambda: page.field("orders.1.order_number"))
    page.write("orders.1.order_number", "QM-2")
    page.browser.refresh()
    page.wait("the draft", lambda: "Your unsaved draft is back" in page.text())
    assert (page.value("orders.0.total"), page.value("orders.1.order_number")) == ("61.45", "QM-2")
    page.press("j")  # leaves nothing: the form has no such key
    page.open(f"/case/{case_id}")
    page.press("e")
    page.wait("the draft", lambda: "Your unsaved draft is back" in page.text())
    page.field("note").send_keys(Keys.CONTROL, Keys.ENTER)
    page.wait("the next case", lambda: page.case_id != case_id and page.loaded())
    page.open(f"/case/{case_id}/edit")
    page.wait("the saved result", lambda: page.value("orders.1.order_number") == "QM-2")
    assert "draft is back" not in page.text()
    page.write("orders.0.total", "about sixty")
    page.click("#save")
    page.wait("the fault", lambda: "write a number such as" in page.text())
    assert page.value("orders.0.total") == "about sixty"
    page.click("#cancel")
    page.wait("the case", lambda: "/edit" not in page.browser.current_url and page.loaded())
    page.open(f"/case/{case_id}/edit")
    assert page.value("orders.0.total") == "61.45"
    assert all("422" in line for line in page.complaints())  # the faulty form's answer


def test_it_works_without_script(page: ReviewPage, home: Path) -> None:
    """Keys and drafts are comfort; deciding is the point."""
    page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    case_id = page.case_id
    page.browser.refresh()
    page.click("#edit")
    page.write("orders.0.total", "61.45")
    page.click("[name=do][value=add_order]")
    page.write("orders.1.order_number", "QM-2")
    page.click("#save")
    page.wait("the next case", lambda: page.case_id != case_id)
    edited, case_id = case_id, page.case_id
    page.click("#reject")
    page.wait("the next case", lambda: page.case_id != case_id)
    page.click("#undo")
    page.wait("the case again", lambda: page.case_id == case_id)
    page.click("#accept")
    page.wait("the next case", lambda: page.case_id != case_id)
    page.open(f"/case/{edited}/edit")
    assert page.value("orders.1.order_number") == "QM-2"


_BUTTONS = """
return [...document.querySelectorAll('.actions button, .actions a')].filter(e => e.offsetParent || e.offsetWidth)
    .map(e => { const r = e.getBoundingClientRect();
        return [r.width, r.height, r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight]; })
"""
_CONTRASTS = """
const channel = v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
const light = c => .2126 * channel(c[0]) + .7152 * channel(c[1]) + .0722 * channel(c[2]);
const rgba = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
const ground = e => {
    for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 1) return c; }
    return [255, 255, 255]; };
const found = [];
for (const e of document.querySelectorAll('body *')) {
    const words = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!words || !e.offsetParent || e.closest('.off, kbd')) continue;
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(ground(e))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) found.push([e.className || e.tagName, e.textContent.trim().slice(0, 30), ratio.toFixed(2)]);
}
return found;
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1000, 700), (390, 844)])
def test_it_fits_and_can_be_read(page: ReviewPage, album: Album, width: int, height: int, scheme: str) -> None:
    """A page that scrolls sideways, with grey words on grey or buttons for needles, is not used on a sofa."""
    page.resize(width, height, scheme)
    case_id = page.case_id
    for path in (f"/case/{case_id}", f"/case/{case_id}?view=text", f"/case/{case_id}/edit", "/queue"):
        page.open(path)
        page.wait("the page", page.loaded)
        assert page.browser.execute_script("return document.documentElement.scrollWidth") == width, path
        assert page.browser.execute_script(_CONTRASTS) == [], path
        for wide, high, inside in page.browser.execute_script(_BUTTONS):
            assert high >= 44, path
            assert wide >= 40, path
            assert inside, path
        album.take(f"{width}-{scheme}")
    page.open(f"/case/{case_id}")
    page.press(Keys.TAB)
    outline = "const s = getComputedStyle(document.activeElement); return s.outlineStyle + s.outlineWidth"
    assert page.browser.execute_script(outline) == "solid3px"


class _Tracker(http.server.BaseHTTPRequestHandler):
    """Whoever is asked here was told that a mail was opened."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(204)
        self.end_headers()

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_a_mail_that_is_looked_at_tells_nobody_and_leads_nowhere(browser: Chrome, tmp_path: Path) -> None:
    """A picture tells the sender that a mail was read, a refresh or a link takes the page away."""
    asked: list[str] = []
    handler = type("Tracker", (_Tracker,), {"asked": asked})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as tracker:
        threading.Thread(target=tracker.serve_forever, daemon=True).start()
        away = f"http://127.0.0.1:{tracker.server_address[1]}"
        (day,) = last_closed_days(1)
        scene = Scene(tmp_path, start=day)
        head, _, body = order_mail("GR-91100", noon(day), total="31.00", shop="Grimsel").partition(b"\r\n\r\n")
        lines = body.decode().replace("\r\n", "<br>")
        html = f"""<html><head><meta http-equiv="refresh" content="0;url={away}/refresh"><base href="{away}/">
            <link rel="stylesheet" href="{away}/sheet"><link rel="prefetch" href="{away}/prefetch">
            <style>@import "{away}/import"; body {{ background: url({away}/style) }} @font-face {{ font-family: f;
            src: url({away}/font) }} p {{ font-family: f }}</style></head>
            <body background="{away}/background" onload="fetch('{away}/load')">
            <script>fetch('{away}/script'); top.location = '{away}/top'</script>{lines}
            <img src="{away}/picture"><img srcset="{away}/set 1x" src="x"><iframe src="{away}/frame"></iframe>
            <object data="{away}/object"></object><video src="{away}/film" autoplay></video>
            <svg><image href="{away}/vector"/></svg><p style="background:url({away}/inline)">text</p>
            <a href="{away}/link" target="_top" style="display:block;position:fixed;inset:0">press</a>
            <form action="{away}/form"><input autofocus onfocus="fetch('{away}/focus')"></form></body></html>"""
        raw = head.replace(b"text/plain", b"text/html") + b"\r\n\r\n" + html.encode()
        deliver(scene.root / "inbox", raw, "hostile")
        assert run_day(scene.work(), day).problem is None
        refresh_current(scene.work())
        shutil.copy(scene.config_path, scene.home)
        (scene.home / "inbox").mkdir()
        with review_command(scene.home, tmp_path) as link:
            page = ReviewPage(browser, link)
            case_id = page.case_id
            assert case_id
            frame = page.browser.find_element(By.NAME, "mail")
            for _ in range(2):
                ActionChains(page.browser).move_to_element(frame).click().perform()
                time.sleep(0.7)
            assert urlsplit(page.browser.current_url).path == f"/case/{case_id}"
            assert len(page.browser.window_handles) == 1
            page.open(f"/case/{case_id}/mail")  # as when a person opens the frame in a tab of its own
            time.sleep(0.7)
            assert urlsplit(page.browser.current_url).path == f"/case/{case_id}/mail"
            assert "Order number: GR-91100" in page.text()
        tracker.shutdown()
    assert asked == []
