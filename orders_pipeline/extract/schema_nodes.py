"""schema.org data in HTML, whatever the syntax, as plain nodes.

Belongs here: JSON-LD, microdata and RDFa Lite to nodes, tolerant of broken JSON. Not here: what the nodes mean.
A node is a dict of property name to list of values (text or nodes); its type names are under "@type".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborNode

from orders_pipeline.extract.html_bounds import bounded_html
from orders_pipeline.extract.text import one_line
from orders_pipeline.html_tree import tree_of

Node = dict[str, list[Any]]

MAX_SCRIPT = 300_000
MAX_DEPTH = 12
MAX_NODES = 500

_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_WRAPPING = re.compile(r"^\s*(?:<!--|<!\[CDATA\[|//\s*<!\[CDATA\[)|(?:-->|\]\]>|//\s*\]\]>)\s*$")
_VALUE_ATTRIBUTES = ("content", "href", "src", "datetime", "value", "data")


def schema_nodes(html: str) -> list[Node]:
    """The outermost nodes of the markup, bounded in number; empty when there is none or it cannot be read."""
    try:
        tree = tree_of(bounded_html(html))
        nodes = [n for script in tree.css("script[type*='ld+json']")[:20] for n in _json_nodes(script.text(deep=True))]
        nodes += [
            _element_node(e, 0) for e in tree.css("[itemscope][itemtype], [typeof]")[:MAX_NODES] if not _is_inner(e)
        ]
        return nodes[:MAX_NODES]
    except (ValueError, RuntimeError, RecursionError):
        return []


def type_names(node: Node) -> set[str]:
    """The node's type names without their address, e.g. {"Order"}."""
    return {str(t).rstrip("/").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2] for t in node.get("@type", [])}


def text_of(node: Node, *path: str) -> str | None:
    """The first text at a path of properties; a node there gives its name, else its value."""
    for value in values_of(node, *path):
        if isinstance(value, dict):
            value = next(
                (v for key in ("name", "value", "price", "@id") for v in value.get(key, []) if isinstance(v, str)), None
            )
        if isinstance(value, str) and value.strip():
            return one_line(value, 200)
    return None


def values_of(node: Node, *path: str) -> list[Any]:
    """All values at a path of properties."""
    found: list[Any] = [node]
    for name in path:
        found = [v for n in found if isinstance(n, dict) for v in n.get(name, [])]
    return found


def _json_nodes(text: str) -> Iterator[Node]:
    for data in _tolerant_json(_WRAPPING.sub("", text[:MAX_SCRIPT]).strip()):
        yield from _flatten(data, 0)


def _tolerant_json(text: str) -> Iterator[Any]:
    """The values in a script: one, or several in a row; trailing commas and raw line ends forgiven."""
    decoder = json.JSONDecoder(strict=False)
    text = _TRAILING_COMMA.sub(r"\1", text)
    at = 0
    for _ in range(20):
        begin = min((i for i in (text.find("{", at), text.find("[", at)) if i >= 0), default=-1)
        if begin < 0:
            return
        try:
            value, at = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            return
        yield value


def _flatten(data: Any, depth: int) -> Iterator[Node]:
    if depth > MAX_DEPTH:
        return
    if isinstance(data, list):
        for item in data[:MAX_NODES]:
            yield from _flatten(item, depth + 1)
    elif isinstance(data, dict):
        if "@graph" in data:
            yield from _flatten(data["@graph"], depth + 1)
        if "@type" in data:
            yield _node(data, 0)


def _node(data: dict[str, Any], depth: int) -> Node:
    node: Node = {}
    for key, value in list(data.items())[:MAX_NODES]:
        name = "@type" if key in ("@type", "type") else str(key).rpartition("/")[2].rpartition(":")[2]
        values = value if isinstance(value, list) else [value]
        node.setdefault(name, []).extend(v for item in values[:MAX_NODES] if (v := _value(item, depth)) is not None)
    return node


def _value(item: Any, depth: int) -> Any:
    if isinstance(item, dict):
        return _node(item, depth + 1) if depth < MAX_DEPTH else None
    if isinstance(item, bool) or item is None or isinstance(item, list):
        return None
    return str(item)[:2_000]


def _is_inner(element: LexborNode) -> bool:
    """Whether an element is a property of another node (then that one holds it)."""
    return "itemprop" in element.attributes or ("typeof" in element.attributes and "property" in element.attributes)


def _element_node(element: LexborNode, depth: int) -> Node:
    attributes = element.attributes
    node: Node = {"@type": (attributes.get("itemtype") or attributes.get("typeof") or "").split()}
    _collect(element, node, depth)
    return node


def _collect(element: LexborNode, node: Node, depth: int) -> None:
    if depth > MAX_DEPTH * 4:
        return
    for child in element.iter():
        attributes = child.attributes
        names = (attributes.get("itemprop") or attributes.get("property") or "").split()
        is_node = "itemscope" in attributes or "typeof" in attributes
        if names:
            value: Any = _element_node(child, depth + 1) if is_node else _element_text(child)
            for name in names:
                node.setdefault(name.rpartition(":")[2], []).append(value)
        if not is_node:
            _collect(child, node, depth + 1)


def _element_text(element: LexborNode) -> str:
    for name in _VALUE_ATTRIBUTES:
        if value := element.attributes.get(name):
            return value[:2_000]
    return (element.text(deep=True) or "")[:2_000]
