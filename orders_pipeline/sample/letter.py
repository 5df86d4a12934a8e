"""One mail before it has bytes, and its two renderings: plain text and HTML.

Belongs here: the ``Letter`` record and how shops lay it out. Not here: what it says, headers, encodings.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from orders_pipeline.sample.catalogue import Layout

_STYLE = (
    "body{margin:0;background:#f2f2ef;font-family:Helvetica,Arial,sans-serif;color:#222}"
    ".card{background:#fff;border-radius:6px}.muted{color:#777;font-size:12px}"
    ".btn{background:#2d5b46;color:#fff;padding:10px 18px;text-decoration:none}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """The content of a mail. ``facts`` and ``sums`` are (label, value); ``table`` has its head in the first row.

    ``button`` is (caption, address); ``markup`` is JSON-LD for the HTML head.
    """

    subject: str
    language: str
    brand: str
    colon: str = ":"
    hello: str = ""
    paragraphs: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    sums: tuple[tuple[str, str], ...] = ()
    button: tuple[str, str] | None = None
    bye: str = ""
    small_print: str = ""
    markup: str = ""


def to_text(letter: Letter, layout: Layout) -> str:
    """The letter as plain text, lines ended by ``\\n``."""
    blocks = [letter.hello, *letter.paragraphs]
    if letter.facts:
        blocks.append("\n".join(_fact(label, letter.colon, value, layout) for label, value in letter.facts))
    if letter.table:
        blocks.append(_columns(letter.table))
    if letter.sums:
        blocks.append("\n".join(f"{label}{letter.colon} {value}" for label, value in letter.sums))
    if letter.button:
        blocks.append(f"{letter.button[0]}{letter.colon} {letter.button[1]}")
    blocks.append(letter.bye)
    if letter.small_print:
        blocks.append(f"-- \n{letter.small_print}")
    return "\n\n".join(block for block in blocks if block) + "\n"


def to_html(letter: Letter, layout: Layout) -> str:
    """The letter as an HTML document of nested tables, with a hidden preview line and a counting pixel."""
    rows = [_cell(f'<img src="https://img.sample.example/logo.png" width="120" alt="{_e(letter.brand)}">')]
    rows += [_cell(f"<p>{_e(text)}</p>") for text in (letter.hello, *letter.paragraphs) if text]
    if letter.facts:
        rows.append(_cell(_facts(letter.facts, letter.colon, layout)))
    if letter.table:
        rows.append(_cell(_lines(letter.table, letter.sums)))
    elif letter.sums:
        rows.append(_cell(_facts(letter.sums, letter.colon, layout)))
    if letter.button:
        caption, address = letter.button
        rows.append(_cell(f'<a class="btn" href="{_e(address)}">{_e(caption)}</a>'))
    rows.append(_cell(f"<p>{_e(letter.bye)}</p>"))
    preview = _e(letter.paragraphs[0][:80]) if letter.paragraphs else ""
    markup = f'<script type="application/ld+json">\n{letter.markup}\n</script>\n' if letter.markup else ""
    body = "\n".join(rows)
    return (
        f'<!DOCTYPE html>\n<html lang="{letter.language}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{_e(letter.subject)}</title>\n<style>{_STYLE}</style>\n{markup}</head>\n<body>\n"
        f'<div style="display:none;max-height:0;overflow:hidden">{preview}&#8203;&#8203;&#8203;</div>\n'
        '<table role="presentation" width="100%"><tr><td align="center">\n'
        f'<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0">\n{body}\n</table>\n'
        f'<p class="muted">{_e(letter.small_print)}</p>\n'
        '</td></tr></table>\n<img src="https://pixel.sample.example/o.gif" width="1" height="1" alt="">\n'
        "</body>\n</html>\n"
    )


def _fact(label: str, colon: str, value: str, layout: Layout) -> str:
    return f"{label}\n{value}\n" if layout is Layout.STACKED else f"{label}{colon} {value}"


def _columns(table: tuple[tuple[str, ...], ...]) -> str:
    widths = [max(len(row[i]) for row in table) + 2 for i in range(len(table[0]))]
    lines = ["".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    lines.insert(1, "-" * (sum(widths) - 2))
    return "\n".join(lines)


def _facts(facts: tuple[tuple[str, str], ...], colon: str, layout: Layout) -> str:
    if layout is Layout.STACKED:
        return "\n".join(
            f'<div class="muted">{_e(label)}</div>\n<div><strong>{_e(value)}</strong></div>' for label, value in facts
        )
    rows = (f"<tr><td>{_e(label + colon)}</td><td><b>{_e(value)}</b></td></tr>" for label, value in facts)
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _lines(table: tuple[tuple[str, ...], ...], sums: tuple[tuple[str, str], ...]) -> str:
    head = "".join(f'<th align="left">{_e(cell)}</th>' for cell in table[0])
    rows = [f"<tr>{head}</tr>"]
    rows += ["<tr>" + "".join(f"<td>{_e(cell)}</td>" for cell in row) + "</tr>" for row in table[1:]]
    span = len(table[0]) - 1
    rows += [
        f'<tr><td colspan="{span}" align="right">{_e(label)}</td><td align="right">{_e(value)}</td></tr>'
        for label, value in sums
    ]
    return '<table width="100%">\n' + "\n".join(rows) + "\n</table>"


def _cell(content: str) -> str:
    return f'<tr><td style="padding:4px 32px">\n{content}\n</td></tr>'


def _e(text: str) -> str:
    return escape(text).replace("\u00a0", "&nbsp;")
