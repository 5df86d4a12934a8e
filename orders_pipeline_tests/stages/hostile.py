"""Mail made to cost much, from bytes: each entry is a message and what it attacks.

Run as a program with a name, it parses that message and prints its outcome, processor seconds and megabytes.
"""

from __future__ import annotations

import base64
import gzip
import io
import resource
import sys
import time
import zipfile
from collections.abc import Callable

from orders_pipeline.config import OwnerSettings
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, parse_bytes

ORDER = b"Your order has shipped. Order number: 70012345. Total: $12.00\r\n"
HEAD = b"From: Shop <orders@shop.example>\r\nSubject: Your order 70012345 has shipped\r\nMIME-Version: 1.0\r\n"
PLAIN = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + ORDER
HTML = HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n<p>" + ORDER + b"</p>"
MB = 1_000_000


def _long_body() -> bytes:
    return PLAIN + b"order total tracking number 1234 delivered on 12/12\r\n" * (50 * MB // 53)


def _nested_parts(depth: int = 10_000) -> bytes:
    heads = [b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (i, i) for i in range(depth)]
    return HEAD + b"".join(heads) + b"Content-Type: text/plain\r\n\r\n" + ORDER


def _flat_parts(count: int = 10_000) -> bytes:
    part = b"--b\r\nContent-Type: text/html\r\n\r\n<p>" + ORDER + b"</p>\r\n"
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + part * count + b"--b--\r\n"


def _attached(name: str, content: bytes) -> bytes:
    body = base64.encodebytes(content).replace(b"\n", b"\r\n")
    kind = f'application/zip; name="{name}"\r\nContent-Disposition: attachment; filename="{name}"'.encode()
    start = HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n" + ORDER
    return (
        start + b"--b\r\nContent-Transfer-Encoding: base64\r\nContent-Type: " + kind + b"\r\n\r\n" + body + b"--b--\r\n"
    )


def _zip_bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("order.txt", "w") as inner:
        for _ in range(100):
            inner.write(bytes(MB))
    return _attached("order.zip", packed.getvalue())


def _html_bomb() -> bytes:
    """A gzip file that calls itself HTML text."""
    packed = gzip.compress(bytes(20 * MB), 1)
    return HEAD + b"Content-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + packed


def _many_headers() -> bytes:
    return b"X-Flood: total order 1234\r\n" * 400_000 + PLAIN


def _long_header() -> bytes:
    return HEAD + b"To: " + b"a@b.example, " * 400_000 + b"\r\n\r\n" + ORDER


def _tables() -> bytes:
    return HTML + b"<table><tr><td>Total</td><td>" * 100_000 + b"$1.00"


def _markup() -> bytes:
    node = b'<div itemscope itemtype="http://schema.org/Order"><b itemprop="orderNumber">7</b>'
    return HTML + node * 50_000


MESSAGES: dict[str, Callable[[], bytes]] = {
    "a body of 50 MB": _long_body,
    "HTML of 50 MB": lambda: HTML + b"<tr><td>Total</td><td>$1.00</td></tr>\r\n" * (50 * MB // 40),
    "an encoded body of 50 MB": lambda: (
        PLAIN.replace(b"MIME-Version", b"Content-Transfer-Encoding: quoted-printable\r\nMIME-Version")
        + b"=C3=A9=20=\r\n" * (50 * MB // 12)
    ),
    "10,000 nested parts": _nested_parts,
    "10,000 parts in a row": _flat_parts,
    "a line of 10 MB": lambda: PLAIN + b"order number " * (10 * MB // 13),
    "a word of 10 MB": lambda: PLAIN + b"1" * 10 * MB,
    "nothing but spaces": lambda: PLAIN + b" \t" * 5 * MB,
    "nothing but line ends": lambda: PLAIN + b"\r\n" * 5 * MB,
    "line ends of three characters": lambda: PLAIN + b"\r\r\n" * 5 * MB,
    "nothing but quoting": lambda: PLAIN + b"> " * 5 * MB,
    "300,000 nested elements": lambda: HTML + b"<div>" * 300_000,
    "formatting left open": lambda: HTML + b"".join(b"<b class=%d><p>" % i for i in range(100_000)),
    "nested tables": _tables,
    "nested markup": _markup,
    "entities": lambda: HTML + b"&amp;" * 2 * MB,
    "nested JSON": lambda: HTML + b'<script type="application/ld+json">' + b'[{"@type":"Order","a":' * 50_000,
    "a zip bomb": _zip_bomb,
    "a gzip bomb": _html_bomb,
    "400,000 headers": _many_headers,
    "a header of 5 MB": _long_header,
    "a subject of 5 MB": lambda: PLAIN.replace(b"has shipped", b"has shipped " * 400_000, 1),
    "100,000 forwards": lambda: (
        PLAIN + b"---------- Forwarded message ---------\r\nFrom: a@b.example\r\n\r\n" * 100_000
    ),
}


def parse(raw: bytes) -> ParsedMessage:
    """The message as a day parses it."""
    return parse_bytes(RawMessage("0" * 64, raw), ParseContext(owner=OwnerSettings(addresses=("a@b.example",))))


def main(name: str) -> None:
    parse(PLAIN)
    raw = MESSAGES[name]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    row = parse(raw).outcome_row
    seconds = time.process_time() - started
    unit = MB if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // unit
    print(row["outcome"], f"{seconds:.2f}", grown, row["reason"], sep="\t")


if __name__ == "__main__":
    main(sys.argv[1])
