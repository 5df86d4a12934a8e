"""HTML cut to what can be parsed in bounded time.

Belongs here: where the extractors cut. Not here: reading HTML, what makes it costly (html_limits).
"""

from __future__ import annotations

from orders_pipeline.html_limits import tangled_at

MAX_HTML = 2_000_000


def bounded_html(html: str) -> str:
    """The HTML up to ``MAX_HTML`` characters and up to the tag from which on it costs too much."""
    html = html[:MAX_HTML]
    return html[: tangled_at(html)]
