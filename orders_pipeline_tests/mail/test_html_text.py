"""HTML to text: what a reader sees, on which line."""

from __future__ import annotations

import time

import pytest

from orders_pipeline.mail.html_text import html_to_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Order</p><p>Total</p>", "Order\nTotal"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<tr><td>Total</td><td>$5</td></tr>", "Total$5"),
        ("<table><tr><td>Total</td><td>$5</td></tr><tr><td>Tax</td><td>$1</td></tr></table>", "Total\t$5\nTax\t$1"),
        ("<table><tr><td><p>Total</p></td><td><div>$5</div></td></tr></table>", "Total\t$5"),
        ("<table><tr><td>A</td></tr><tr><td></td><td> </td></tr><tr><td>B</td></tr></table>", "A\nB"),
        ("<table><tr><th>Qty</th><td>2</td></tr></table>", "Qty\t2"),
        (
            "<table><tr><td><table><tr><td>Mug</td></tr><tr><td>Qty 1</td></tr></table></td><td>$9</td></tr></table>",
            "Mug\nQty 1\t$9",
        ),
        ("one\n  two\t<b>th</b>ree &amp; &nbsp;four", "one two three & four"),
        ("<pre>a\n  b</pre>c", "a\nb\nc"),
        ("<style>p{}</style><script>var p='$0'</script><p>ok</p><title>t</title>", "ok"),
        ("<p>Was <s>$80</s> <del>$70</del> <strike>$60</strike> now $50</p>", "Was now $50"),
        ('<span style="text-decoration: line-through">$80</span> $50', "$50"),
        ('<b style="color:red;text-decoration:underline line-through">$80</b> $50', "$50"),
        ('<div style="display:none">preheader</div><p>seen</p><p hidden>not</p>', "seen"),
        ('<p style="DISPLAY : NONE !important">x</p>y', "y"),
        ('<img alt="Lantern Mill" src="x"><img src="y">', "Lantern Mill"),
        ("Total <sup>$</sup>12<sup>99</sup>", "Total $12.99"),
        ("$5.99<sup>1</sup> on the 1<sup>st</sup>", "$5.99 1 on the 1st"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("or\u00adder\u200b &#8203;&shy;77", "order 77"),
        ("<!--[if mso]><p>hidden</p><![endif]--><p>a</p>", "a"),
        ("<table><td>\ue000a\ue001\ue002<td>&#xe000;b", "\ue000a\ue001\ue002\t\ue000b"),
        ("<a href='x'>Track", "Track"),
        ("", ""),
        ("<", "<"),
    ],
)
def test_rendering(html: str, text: str) -> None:
    """A label on another line than its value, or a struck price that is read, is a wrong total."""
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 200_000 + "Total: 5",
        "<p>" + "".join(f"<b a={i}>" for i in range(3000)) + "<p>x" * 3000 + "Total: 5",
        "<table><tr><td>" * 20_000 + "Total: 5",
        "<" * 500_000 + "Total: 5",
        "<!--" * 100_000 + "--> Total: 5",
        "<span " + "a" * 1_000_000 + ">Total: 5",
    ],
    ids=["deep", "open formatting", "nested tables", "angles", "comments", "long tag"],
)
def test_hostile_html_ends_soon(html: str) -> None:
    """lexbor is quadratic in depth: 100,000 nested elements took it more than 20 seconds."""
    start = time.process_time()
    html_to_text(html)
    assert time.process_time() - start < 5


def test_deep_html_keeps_its_text() -> None:
    """The way around the parser must not lose the mail."""
    assert html_to_text("<div>" * 5000 + "<td>Total</td><td>5</td><br>next" + "</div>" * 5000) == "Total\t5\nnext"
