"""Forwarded and attached messages."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders_pipeline.mail import forwards
from orders_pipeline.mail.forward_words import LABELS, MARKERS
from orders_pipeline.mail.mime import parse_email
from orders_pipeline_tests.mail.messages import ORDER, with_headers

SENT = dt.datetime(2026, 5, 11, 8, 15, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    "head",
    [
        "---------- Forwarded message ---------\nFrom: Lantern Mill <o@lm.example>\n"
        "Date: Mon, May 11, 2026 at 8:15 AM\n"
        "Subject: Order LM-3\nTo: <robin@home.example>\n\n",
        "-----Original Message-----\nFrom: Lantern Mill [mailto:o@lm.example]\nSent: Monday, May 11, 2026 8:15 AM\n"
        "To: Robin Vale\nSubject: Order LM-3\n\n",
        "From: Lantern Mill <o@lm.example>\nSent: Monday, May 11, 2026 8:15 AM\n"
        "To: Robin Vale\nSubject: Order LM-3\n\n",
        "Begin forwarded message:\n\n> From: Lantern Mill <o@lm.example>\n> Subject: Order LM-3\n"
        "> Date: 11 May 2026 at 08:15:00 GMT\n> To: robin@home.example\n> \n",
        "*From:* Lantern Mill <o@lm.example>\n*Sent:* Monday, May 11, 2026 8:15 AM\n*To:* x\n*Subject:* Order LM-3\n\n",
        "-------- Weitergeleitete Nachricht --------\nBetreff: \tOrder LM-3\nDatum: \tMon, 11 May 2026 10:15:00 +0200\n"
        "Von: \tLantern Mill <o@lm.example>\nAn: \trobin@home.example\n\n",
        "Von: Lantern Mill <o@lm.example>\nGesendet: Montag, 11. Mai 2026 08:15\n"
        "An: Robin Vale\nBetreff: Order LM-3\n\n",
        "---------- Message transféré ---------\nDe : Lantern Mill <o@lm.example>\nDate : lun. 11 mai 2026 à 08:15\n"
        "Objet : Order LM-3\nÀ : <robin@home.example>\n\n",
        "---------- Mensaje reenviado ---------\nDe: Lantern Mill <o@lm.example>\nFecha: lun, 11 may 2026 8:15\n"
        "Asunto: Order LM-3\nPara: x@h.example\n\n",
        "Inizio messaggio inoltrato:\n\nDa: Lantern Mill <o@lm.example>\nOggetto: Order LM-3\n"
        "Data: 11 maggio 2026 08:15\nA: x@h.example\n\n",
        "---------- Doorgestuurd bericht ---------\nVan: Lantern Mill <o@lm.example>\nDatum: ma 11 mei 2026 08:15\n"
        "Onderwerp: Order LM-3\nAan: x@h.example\n\n",
        "----- Forwarded message from Lantern Mill <o@lm.example> -----\n\nDate: Mon, 11 May 2026 08:15:00 +0000\n"
        "Subject: Order LM-3\n\n",
    ],
    ids=[
        "gmail",
        "outlook",
        "outlook bare",
        "apple",
        "gmail text",
        "thunderbird de",
        "outlook de",
        "fr",
        "es",
        "it",
        "nl",
        "mutt",
    ],
)
def test_an_inline_forward_is_opened(head: str) -> None:
    """The forwarder is not the shop, and the day of forwarding is not the day of the order."""
    email = parse_email(
        with_headers(f"see below\n\n{head}Total: 42.50 EUR\n".encode(), Content_Type="text/plain; charset=utf-8")
    )
    assert [(i.sender.address, i.subject, i.forwarded) for i in email.inner] == [
        ("o@lm.example", "Order LM-3", "inline")
    ]
    assert email.inner[0].sent_at == SENT
    assert email.inner[0].text.strip().endswith("Total: 42.50 EUR")
    assert "see below" not in email.inner[0].text


def test_a_forward_in_html_keeps_its_html() -> None:
    """Links and tables of the original mail are in the HTML."""
    html = (
        '<div dir="ltr">fyi<div class="q">---------- Forwarded message ---------<br>From: <b>Lantern Mill</b> '
        "&lt;<a href='mailto:o@lm.example'>o@lm.example</a>&gt;<br>Date: Mon, May 11, 2026 at 8:15 AM<br>"
        "Subject: Order LM-3"
        "<br>To: &lt;x@h.example&gt;<br><br><table><tr><td>Total</td><td>42.50</td></tr></table></div></div>"
    )
    (inner,) = parse_email(with_headers(html.encode(), Content_Type="text/html")).inner
    assert inner.sender.name == "Lantern Mill"
    assert inner.html_text == "Total\t42.50"
    assert "<table>" in inner.html
    assert "fyi" not in inner.html


def test_a_forward_of_a_forward_gives_both_outermost_first() -> None:
    """The order is in the innermost one."""
    mark = "---------- Forwarded message ---------\n"
    one = f"{mark}From: Kim <kim@h.example>\nSubject: Fwd: Order\nDate: 12 May 2026\n\nlook\n\n"
    two = f"{mark}From: o@lm.example\nSubject: Order\nDate: 11 May 2026\n\nTotal: 5\n"
    inner = parse_email(with_headers((one + two).encode())).inner
    assert [(i.sender.address, i.text.strip()) for i in inner] == [
        ("kim@h.example", "look"),
        ("o@lm.example", "Total: 5"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "From: our kitchen to yours\nSubject to change\n",
        "Forwarded message\nwithout headers\n",
        "From: a\nTo: b\n",
        "Date: 5 May\nSubject: x\n",
    ],
)
def test_words_that_look_like_a_forward_are_none(body: str) -> None:
    """An advert that begins with 'From:' has no second sender."""
    assert parse_email(with_headers(body.encode())).inner == ()


def test_an_attached_message_is_opened_and_listed() -> None:
    """Forwarding as attachment is the only way that keeps the headers."""
    body = b"--b\n\nsee attached\n--b\nContent-Type: message/rfc822\n\n" + ORDER + b"\n--b--\n"
    email = parse_email(with_headers(body, Content_Type="multipart/mixed; boundary=b"))
    (inner,) = email.inner
    assert (inner.subject, inner.forwarded) == ("Your order LM-20418", "attached")
    assert inner.sender.address == "orders@lanternmill.example"
    assert email.text == "see attached"


def test_messages_attached_in_one_another_end() -> None:
    """A mail loop attaches the mail to itself, again and again."""
    raw = ORDER
    for _ in range(60):
        raw = with_headers(raw, Content_Type="message/rfc822")
    email = parse_email(raw)
    assert 1 <= len(email.inner) <= 16
    assert "inner messages cut" in email.defects


def test_a_date_above_a_forward_is_meant_on_the_forwarders_clock() -> None:
    """Read as UTC, what was sent late in the evening in Berlin is of the next day, and so is "tomorrow" in it."""
    head = b"From: Robin <r@home.example>\nSubject: Fwd: x\nDate: Wed, 20 May 2026 18:40:00 +0200\n\n"
    text = (
        b"---------- Forwarded message ---------\nFrom: Lantern Mill <o@lm.example>\nDate: %b\nSubject: x\n\nTotal: 5\n"
    )
    for written in (b"Mon, May 11, 2026 at 11:30 PM", b"11 May 2026 23:30:00", b"Mon, 11 May 2026 21:30:00 GMT"):
        (inner,) = parse_email(head + text % written).inner
        assert inner.sent_at == dt.datetime(2026, 5, 11, 21, 30, tzinfo=dt.UTC)


_FRAMES = st.sampled_from(["", "-----", "*", "> ", ">> ", " ", "\t", "\u00a0", "—", "  --", "|", "|*"])
_ANNOUNCED = st.sampled_from([*sorted(MARKERS), "forwarded message from Ann", "text", ""])
_LABELLED = st.sampled_from(sorted(LABELS)).map(str.title) | st.sampled_from(sorted(LABELS))
_COLONS = st.sampled_from([":", "：", " :", "*:", ""])
_LINES = st.tuples(_FRAMES, _ANNOUNCED | st.tuples(_LABELLED, _COLONS, st.just(" x")).map("".join), _FRAMES).map(
    "".join
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_LINES, min_size=1, max_size=5))
def test_no_forward_is_passed_over_by_the_test_for_any(lines: list[str]) -> None:
    """The pass over a whole text decides that nothing is forwarded in it: it must know every first line."""
    begins = any(forwards._may_begin(line) and forwards._head_at(lines, n) for n, line in enumerate(lines))
    assert not begins or forwards._START.search("\n" + "\n".join(lines).lower())
