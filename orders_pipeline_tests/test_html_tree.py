"""One tree for all that read a mail's HTML."""

from __future__ import annotations

import threading

from selectolax.lexbor import LexborHTMLParser

from orders_pipeline.html_tree import tree_of
from orders_pipeline.mail.html_text import html_to_text


def test_the_html_of_a_mail_is_parsed_once() -> None:
    """Rendering, links and markup each parsed it: half of the time over mail of real size."""
    html = "<p>Order <a href='https://shop.example/1'>1</a></p>"
    html_to_text(html)
    tree = tree_of(html)
    assert tree_of("".join(html)) is tree
    assert [node.attributes["href"] for node in tree.css("a")] == ["https://shop.example/1"]


def test_another_mail_has_a_tree_of_its_own() -> None:
    """A tree that stayed would give one mail the links of the mail before it."""
    first, second = "<p>A-1</p>", "<p>A-2</p>"
    texts = [tree.body.text() for html in (first, second, first, "") if (tree := tree_of(html)).body]
    assert texts == ["A-1", "A-2", "A-1", ""]


def test_a_large_tree_is_not_kept() -> None:
    """A worker that waits for its next mail would hold the memory of the last large one."""
    html = f"<p>{'x ' * 300_000}</p>"
    assert tree_of(html) is not tree_of(html)


def test_threads_share_no_tree() -> None:
    """Each search in a tree uses the tree's own state: two threads in one tree would disturb each other."""
    html = "<p>Order 1</p>"
    found: list[LexborHTMLParser] = []
    other = threading.Thread(target=lambda: found.append(tree_of(html)))
    here = tree_of(html)
    other.start()
    other.join()
    assert found[0] is not here
