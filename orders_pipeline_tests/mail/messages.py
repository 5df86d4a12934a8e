"""Messages for the tests of reading mail, written for this project: shops, people and numbers are fictional."""

from __future__ import annotations

ORDER = b"""\
Received: from out.lanternmill.example (out.lanternmill.example [192.0.2.7])
\tby mx.home.example with ESMTPS id 7Q; Mon, 11 May 2026 08:15:30 +0200
From: "Lantern Mill" <orders@lanternmill.example>
To: Robin Vale <robin@home.example>
Subject: Your order LM-20418
Date: Mon, 11 May 2026 06:15:00 +0000
Message-ID: <20418.a@lanternmill.example>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Thank you for your order!

Order number: LM-20418
Total: 42.50 EUR
"""


def with_headers(body: bytes, **headers: str) -> bytes:
    """A message with the headers given (underscores stand for dashes) and this body."""
    head = {"From": "orders@lanternmill.example", "Subject": "Your order", **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in head.items())
    return lines.encode("utf-8") + b"\n" + body
