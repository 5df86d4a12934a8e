"""A mail's HTML as a document that may be shown: what runs, loads, links or sends is taken out, evidence is marked.

Belongs here: the rewriting. It is the second of two walls: the first is that the document is shown in a sandboxed
frame under a policy that allows nothing but styles and embedded pictures (guard.MAIL_POLICY).
"""

from __future__ import annotations

import html as html_entities
import re
from collections.abc import Sequence

from selectolax.lexbor import LexborHTMLParser, LexborNode

from orders_pipeline.html_limits import tangled_at
from orders_pipeline.page.highlight import GAP, Mark, Sought, marks_in

MAX_CHARS = 2_000_000
_DROPPED = (
    "script, noscript, template, iframe, frame, frameset, object, embed, applet, link, meta, base, title, svg, math,"
    " audio, video, source, track, canvas, map, area, portal, dialog, input, button, select, textarea, option, datalist"
)
_UNWRAPPED = "form, fieldset, label, marquee, picture, xmp, plaintext, listing, noembed, noframes"
_KEPT_NAMES = (
    "align alt axis bgcolor border cellpadding cellspacing char charoff class clear color cols colspan dir face frame"
    " height headers hspace id lang noshade nowrap rowspan rules scope size span start style summary type valign vspace"
    " width"
)
_KEPT = frozenset(_KEPT_NAMES.split())
_UNSEEN = re.compile(r"(?i)display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}hidden")
_DATA_IMAGE = re.compile(r"data:image/(?:png|gif|jpeg|webp|bmp);base64,[A-Za-z0-9+/=\s]*\Z", re.IGNORECASE)
_MOST_COMMENTS = 1_000  # in one style; each is cut off a copy of what follows it
_STYLED = frozenset({"style"})
# What loads something from a style, once escapes and comments are gone: neither may hide a name.
_STYLE_LOADS = re.compile(
    r"(?i)@(?=import|namespace)|\b(?=(?:url|src|image|image-set|-webkit-image-set|cross-fade)\s{0,20}\()"
)
# Private-use characters stand for the marks until the tree is text again; a mail's own are taken out before.
_OPEN, _CLOSE, _NUMBERS = "\ue010", "\ue011", 0xE100
_OWN = re.compile("[\ue010\ue011\ue100-\ue2ff]")
_OPENED = re.compile(f"{_OPEN}([\ue100-\ue2ff])")
_STYLE = (
    "html{background:#fff;color:#1c1c1e;color-scheme:light}body{margin:12px;font:15px/1.45 system-ui,sans-serif;"
    "overflow-wrap:break-word}img{max-width:100%;height:auto}table{max-width:100%}a{color:#0b57d0;"
    "text-decoration:underline}mark{background:#ffe58a!important;color:#111!important;border-radius:2px;"
    "box-shadow:0 0 0 2px #ffe58a;scroll-margin:40vh}mark[data-other]{background:#e8eaed!important;"
    "box-shadow:0 0 0 2px #e8eaed}mark:target{background:#ffb938!important;"
    "box-shadow:0 0 0 3px #ffb938}@media(max-width:520px){table,td,th,div{width:auto!important;"
    "max-width:100%!important}body{margin:8px}}"
)


def frame_document(html: str, sought: Sequence[Sought]) -> str | None:
    """The whole document; None for HTML that is too large or too tangled to be parsed in bounded time."""
    if len(html) > MAX_CHARS:
        return None
    html = _OWN.sub("", html)
    if tangled_at(html) is not None:
        return None
    tree = LexborHTMLParser(html)
    if tree.root is None:
        return None
    for node in reversed(tree.css(_DROPPED)):  # what lies within another goes before it: afterwards it is gone
        node.decompose()
    for node in reversed(tree.css(_UNWRAPPED)):
        node.unwrap() if node.child is not None else node.decompose()
    for node in reversed(tree.css("[style]")):
        if _UNSEEN.search(node.attributes.get("style") or ""):
            node.decompose()  # as it is not seen it must not hold a mark
    for node in tree.css("*"):
        _clean(node)
    for node in tree.css("style"):
        for child in list(node.iter(include_text=True)):
            child.replace_with(_quiet(child.text_content or ""))
    if "&#" in html:
        _drop_own(tree.root)
    marks = _mark(tree.root, sought)
    styles = "".join(node.html or "" for node in tree.css("head style"))
    body = tree.body.html if tree.body is not None else ""
    return (
        f'<!doctype html><html lang="und"><head><meta charset="utf-8">{styles}<style>{_STYLE}</style></head>'
        f"{_with_marks(body or '', marks)}</html>"
    )


def _clean(node: LexborNode) -> None:
    """Keep the attributes that are about looks; a picture keeps its source when that is embedded in the mail."""
    attributes = node.attrs
    source = node.attributes.get("src") or "" if node.tag == "img" else ""
    for name in list(attributes.keys()):
        value = node.attributes.get(name) or ""
        if name not in _KEPT or (name == "id" and value.startswith("ev-")):
            del attributes[name]
        elif _OWN.search(value):
            attributes[name] = _OWN.sub("", value)
    if style := node.attributes.get("style"):
        attributes["style"] = _quiet(style)
    if node.tag != "img":
        return
    if _DATA_IMAGE.match(source):
        attributes["src"] = source
    else:
        node.replace_with(node.attributes.get("alt") or "")


def _quiet(style: str) -> str:
    """A style that loads nothing: what would is made a name that no browser knows."""
    pieces, rest = [], style.replace("\\", "")
    while rest:
        before, _, comment = rest.partition("/*")
        pieces.append(before)
        _, _, rest = comment.partition("*/")
        if len(pieces) > _MOST_COMMENTS:
            return ""
    return _STYLE_LOADS.sub("no-", "".join(pieces)).replace("</", "< /")


def _drop_own(root: LexborNode) -> None:
    """Take out the marks' characters that a mail wrote as numbers: they are characters since it was parsed."""
    texts = [node for node in root.traverse(include_text=True) if node.tag == "-text"]
    for node in texts:
        if _OWN.search(text := node.text_content or ""):
            node.replace_with(_OWN.sub("", text))


def _mark(root: LexborNode, sought: Sequence[Sought]) -> list[Mark]:
    """Put the places of the marks into the text nodes, a mark that spans several of them into each."""
    nodes = [
        node
        for node in root.traverse(include_text=True)
        if node.tag == "-text" and (node.parent is None or node.parent.tag not in _STYLED)
    ]
    texts = [node.text_content or "" for node in nodes]
    marks = marks_in(GAP.join(texts), sought, gaps=True)
    start = 0
    for node, text in zip(nodes, texts, strict=True):
        end = start + len(text)
        inside = [(n, m) for n, m in enumerate(marks) if m.start < end and start < m.end]
        if inside and text.strip():
            node.replace_with(_marked(text, start, inside))
        start = end + len(GAP)
    return marks


def _marked(text: str, start: int, inside: Sequence[tuple[int, Mark]]) -> str:
    pieces, position = [], 0
    for number, mark in inside:
        first, last = max(0, mark.start - start), min(len(text), mark.end - start)
        pieces += [text[position:first], _OPEN, chr(_NUMBERS + number), text[first:last], _CLOSE]
        position = last
    return "".join([*pieces, text[position:]])


def _with_marks(html: str, marks: Sequence[Mark]) -> str:
    seen: set[int] = set()

    def opened(match: re.Match[str]) -> str:
        number = ord(match[1]) - _NUMBERS
        name = "" if number in seen else f' id="{marks[number].anchor}"'
        seen.add(number)
        kind = "" if marks[number].chosen else " data-other"
        return f'<mark{name}{kind} title="{html_entities.escape(marks[number].label)}">'

    return _OPENED.sub(opened, html).replace(_CLOSE, "</mark>")
