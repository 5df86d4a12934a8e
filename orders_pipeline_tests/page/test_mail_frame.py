"""A mail's HTML is rewritten to what can only be looked at."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from orders_pipeline.page.highlight import Sought
from orders_pipeline.page.mail_frame import frame_document

ACTIVE = {
    "a script": "<script>x()</script>",
    "a script in a picture": "<svg><script>x()</script></svg>",
    "a nested script": "<noscript><p><script>x()</script></noscript>",
    "a handler": '<p onclick="x()">t</p>',
    "a handler without quotes": "<img src=x onerror=x()>",
    "a link": '<a href="https://tracker.example/l">t</a>',
    "a script's address": '<a href="javascript:x()">t</a>',
    "a map": '<map><area href="https://tracker.example/a"></map>',
    "a picture": '<img src="https://tracker.example/p.gif">',
    "a picture of sizes": '<img srcset="https://tracker.example/p.gif 2x">',
    "a picture by data that is a page": '<img src="data:text/html,<script>x()</script>">',
    "a vector picture": '<img src="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=">',
    "a background": '<table background="https://tracker.example/b.png"><tr><td>t</td></tr></table>',
    "a frame": '<iframe src="https://tracker.example/f" srcdoc="<script>x()</script>"></iframe>',
    "an object": '<object data="https://tracker.example/o"></object><embed src="https://tracker.example/e">',
    "a form": '<form action="https://tracker.example/q"><button formaction="https://tracker.example/w">t</button></form>',
    "a form without end": "<form action=https://tracker.example/q><input name=card>",
    "a refresh": '<meta http-equiv="refresh" content="0;url=https://tracker.example/r">',
    "a base": '<base href="https://tracker.example/">',
    "a style sheet": '<link rel="stylesheet" href="https://tracker.example/s.css">',
    "a film": '<video src="https://tracker.example/v" poster="https://tracker.example/p"><source src="x"></video>',
    "raw text": "<xmp><script>x()</script></xmp><plaintext><script>x()</script>",
    "a script in a style that ends when it is cleaned": r"<style><\/style><script>x()</script></style>",
    "a script in a style behind a comment": "<style><//**/style><script>x()</script></style>",
    "an anchor of ours": '<p id="ev-0">t</p>',
    "a tooltip's way out": '<p title="&quot;><script>x()</script>">t</p>',
}
_ALLOWED = re.compile(
    r"style|class|align|valign|width|height|alt|title|id|colspan|rowspan|bgcolor|color|src|data-other"
)


def elements(document: str) -> list[tuple[str, dict[str, str | None]]]:
    tree = LexborHTMLParser(document)
    return [(node.tag or "", dict(node.attributes)) for node in tree.css("body, body *")]


@pytest.mark.parametrize("html", ACTIVE.values(), ids=ACTIVE.keys())
def test_nothing_active_is_left(html: str) -> None:
    """The sandbox holds whatever is in it; this holds if a browser's sandbox does not."""
    document = frame_document(
        f"<html><body>before {html} after</body></html>", [Sought(anchor="ev-0", text="before", label="x")]
    )
    assert document is not None
    assert "before" in document
    for tag, attributes in elements(document):
        assert tag in {"body", "p", "a", "img", "table", "tbody", "tr", "td", "mark", "style"}, tag
        for name, value in attributes.items():
            assert _ALLOWED.fullmatch(name), (tag, name)
            assert name != "src" or re.match(r"data:image/(png|gif|jpeg|webp|bmp);base64,", value or "")
    assert len(re.findall('id="ev-0"', document)) == 1
    assert "script" not in [node.tag for node in LexborHTMLParser(document).css("*")]


def test_evidence_is_marked_across_elements_and_cells() -> None:
    """A label and its amount stand in two cells, and an amount may be half bold."""
    html = "<table><tr><td>Total &amp; tax</td><td>EUR <b>31</b>.00</td></tr></table>"
    document = frame_document(html, [Sought(anchor="ev-3", text="Total & tax EUR 31.00", label="total")])
    assert document is not None
    assert re.findall(r"<mark[^>]*>([^<]*)</mark>", document) == ["Total &amp; tax", "EUR ", "31", ".00"]
    assert document.count('id="ev-3"') == 1


@pytest.mark.parametrize(
    "style",
    [
        "background:url(https://tracker.example/x)",
        "background:URL ( 'https://tracker.example/x' )",
        r"background:\75rl(https://tracker.example/x)",
        r"background:u\72l(https://tracker.example/x)",
        "background:u/**/rl(https://tracker.example/x)",
        "background:image-set('https://tracker.example/x' 1x)",
        "background:-webkit-image-set(url(https://tracker.example/x) 1x)",
        "@import 'https://tracker.example/x';",
        r"@\69mport 'https://tracker.example/x';",
        "@font-face{src:url(https://tracker.example/x)}",
    ],
)
@pytest.mark.parametrize("where", ["<style>{}</style>t", '<p style="{}">t</p>'])
def test_a_style_loads_nothing(style: str, where: str) -> None:
    """A background tells the sender that the mail was opened, as a picture does."""
    document = frame_document(f"<html><body>{where.format(style)}</body></html>", [])
    assert document is not None
    assert not re.search(r"(?i)@import|(?<!no-)\b(url|image-set|src)\s*\(|\\", document.partition("<style>html{")[0])
    assert not re.search(r"(?i)(?<!no-)\b(url|image-set|src)\s*\(|\\", document.partition("</head>")[2])
    assert ">t" in document or "t</body>" in document


def test_what_is_not_seen_holds_no_mark() -> None:
    """The preview text that mails hide at their start repeats the body: a mark there would be nowhere."""
    html = '<div style="display:none">Order 123</div><p>Order 123</p>'
    document = frame_document(html, [Sought(anchor="ev-0", text="Order 123", label="order number")])
    assert document is not None
    assert '<p><mark id="ev-0"' in document


def test_embedded_pictures_stay_and_others_leave_their_words() -> None:
    """A shop that writes its total into an image's alternative text is still read."""
    html = '<img src="data:image/png;base64,iVBORw0KGgo=" alt="logo"><img src="http://x.example/1" alt="<Total 5>">'
    document = frame_document(html, [])
    assert document is not None
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in document
    assert "&lt;Total 5&gt;" in document


def test_a_mails_own_private_characters_are_no_marks() -> None:
    """Marks are characters for a moment: a mail that sends them must not open elements."""
    document = frame_document("<p>\ue010\ue100x\ue011 y</p>", [Sought(anchor="ev-0", text="y", label="q")])
    assert document is not None
    assert "<p>x y</p>" in document or "<p>x <mark" in document


@pytest.mark.parametrize("html", ["<div>" * 50_000, "<b><p>" * 5_000, "<p>" + "x" * 2_000_001])
def test_html_that_cannot_be_parsed_in_bounded_time_is_not_shown(html: str) -> None:
    """Parsing is quadratic in nesting: the page would stand still."""
    begin = time.perf_counter()
    assert frame_document(html, []) is None
    assert time.perf_counter() - begin < 2


def test_a_style_of_comments_alone_is_read_in_bounded_time() -> None:
    """A search for the end of each comment that has none is quadratic."""
    for style in ("/*" * 400_000, "/**/" * 400_000, "url(" * 400_000):
        begin = time.perf_counter()
        assert frame_document(f"<style>{style}</style><p>t</p>", []) is not None
        assert time.perf_counter() - begin < 3


@given(st.text("<>/=\"' abpsvgimtrdhefo!-&;\n", max_size=200))
def test_any_html_gives_a_document_without_active_parts(html: str) -> None:
    """Tags that are cut, crossed or never closed are usual in mail."""
    document = frame_document(html, [Sought(anchor="ev-0", text="ab", label="x")])
    assert document is not None
    for _, attributes in elements(document):
        assert not any(name.startswith("on") or name in ("href", "action") for name in attributes)


@pytest.mark.parametrize(
    "html",
    [
        "<p>&#xe010;&#xe1ff;total&#xe011;</p>",
        '<p id="&#xe010;&#xe1ff;" class="&#xe011;">total</p>',
        '<img alt="&#xe010;&#xe1ff;total&#xe011;" src="x">',
        "<p>&#57360;&#57599;total&#57361;</p>",
        "<p>&\ue010#xe010;&\ue010#xe1ff;total&\ue010#xe011;</p>",
        "<di\ue010v>&\ue011#xe010;&\ue011#xe100;total&\ue011#xe011;</div>",
    ],
)
def test_marks_that_a_mail_writes_as_numbers_are_none(html: str) -> None:
    """They became characters in parsing, behind the sweep: the frame failed, or held marks of the mail's own."""
    document = frame_document(html, (Sought(anchor="ev-0", text="total", label="total"),))
    assert document is not None
    assert document.count("<mark") == document.count("</mark>") == 1
