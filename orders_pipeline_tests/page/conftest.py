"""A store with cases to decide on, one of them of a hostile mail, and the page over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.store.publish import publish
from orders_pipeline_tests.harness import Scene, deliver, last_closed_days, noon, order_mail
from orders_pipeline_tests.page.serving import Served, served

SHOPS = ("Fennmark", "Wexholt", "Ottelune")
HOSTILE_SHOP = "Grimsel"

# What must not run, load, send, or lead away; the total is wrong, so that it becomes a case.
_HOSTILE = """<html><head><base href="http://tracker.example/">
<meta http-equiv="refresh" content="0;url=http://tracker.example/r">
<link rel="stylesheet" href="http://tracker.example/s.css">
<style>@import "http://tracker.example/i.css"; p{color:#123}</style>
<script>document.title='owned'</script></head><body onload="alert(1)" background="http://tracker.example/b.png">
<p>Thank you for your order at Grimsel Supplies.</p><p>Order number: GR-91100</p>
<table><tr><td>Oak bookend</td><td>1</td><td>EUR 19.55</td></tr>
<tr><td>Subtotal</td><td></td><td>EUR 19.55</td></tr><tr><td>Shipping</td><td></td><td>EUR 4.95</td></tr>
<tr><td>Order total</td><td></td><td>EUR <b>31</b>.00</td></tr></table>
<img src="http://tracker.example/pixel.gif" alt="a picture"><img src="data:image/png;base64,iVBORw0KGgo=" alt="kept">
<svg onload="alert(2)"><script>alert(3)</script></svg><iframe src="http://tracker.example/f"></iframe>
<a href="http://tracker.example/l" ping="http://tracker.example/p" onclick="alert(4)">Track</a>
<form action="http://tracker.example/q"><input name="card" autofocus><button>Send</button></form>
<p style="background:url(http://tracker.example/c.png)" id="ev-0">fine</p></body></html>"""


@pytest.fixture(scope="session")
def made_cases(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """One day with an order that adds up and four that do not, of four shops; judged, queued and published."""
    (day,) = last_closed_days(1)
    scene = Scene(tmp_path_factory.mktemp("cases"), start=day)
    scene.add_order(day)
    for n, shop in enumerate(SHOPS):
        deliver(
            scene.root / "inbox",
            order_mail(f"{shop[:2].upper()}-8000{n}", noon(day, n), total="31.00", shop=shop),
            shop,
        )
    raw = order_mail("GR-91100", noon(day, 30), total="31.00", shop=HOSTILE_SHOP, subject="<b>Your</b> order GR-91100")
    head, _, _ = raw.partition(b"\r\n\r\n")
    head = head.replace(b"text/plain", b"text/html")
    deliver(scene.root / "inbox", head + b"\r\n\r\n" + _HOSTILE.encode(), "hostile")
    assert run_day(scene.work(), day).problem is None
    refresh_current(scene.work())
    publish(scene.work().store)
    return scene


@pytest.fixture
def cases(made_cases: Scene, tmp_path: Path) -> Scene:
    """The same, to do with as a test likes."""
    return made_cases.copy_to(tmp_path)


@pytest.fixture
def page(cases: Scene) -> Iterator[Served]:
    """The page over it, and a browser that has followed the link."""
    with served(cases) as page:
        assert page.enter().status_code == 200
        yield page
