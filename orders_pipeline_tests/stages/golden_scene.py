"""A store with decided cases, for the tests of what is made from the golden set.

Belongs here: mails that hold personal data and hostile text, a scene with them, and short ways to decide.
"""

from __future__ import annotations

import datetime as dt
import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from orders_pipeline.models import Decision
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import decide
from orders_pipeline_tests.harness import DAY, Scene, deliver, noon, select

# Values of the mails below that may not leave the store.
PERSONAL = ("Wilma", "Quastenhof", "wilma.q", "204171", "204172", "204173", "204174", "Lindenstra", "04109", "Leipzig",
            "014-2290", "9f8e7d6c", "Bleibtreu")  # fmt: skip
HOSTILE = "{{ 7*7 }} {{env.HOME}} {% raw %} ${HOME} =HYPERLINK(1) [DEEPEVAL:IMAGE:abc] `id` <%= 1 %>"


def letter(number: str, at: dt.datetime, *, total: str = "31.00", item: str = "Oak bookend") -> EmailMessage:
    """A confirmation in text and HTML of 24.50 and 2.90 that adds up to 27.40, with a person's data all over it."""
    mail = EmailMessage()
    mail["From"] = "Blatt & Korn <hello@blattkorn.example>"
    mail["To"] = '"Wilma Quastenhof" <wilma.q@quastenhof.example>'
    mail["Subject"] = f"Your order {number} is confirmed"
    mail["Date"] = at.strftime("%a, %d %b %Y %H:%M:%S %z")
    lines = [
        "Hi Wilma,", "", f"thank you for your order {number}.", "", "Ship to:", "Wilma Quastenhof", "Lindenstraße 14b",
        "04109 Leipzig", "", f"Order number: {number}", f"1 x {item}   24.50 EUR", "Subtotal: 24.50 EUR",
        "Shipping: 2.90 EUR", f"Total: {total} EUR", "", "We will call you at (555) 014-2290.",
        f"https://blattkorn.example/o?k=9f8e7d6c5b4a39281706f5e4d3c2b1a0&n={number}", "",
    ]  # fmt: skip
    mail.set_content("\n".join(lines))
    cells = "".join(f"<p>{line.replace('ß', '&szlig;')}</p>\n" for line in lines)
    mail.add_alternative(f"<html><body>{cells}</body></html>", subtype="html")
    return mail


def golden_scene(root: Path) -> Scene:
    """A day with four letters, of which each sum is wrong: a plain one, one with hostile text, one with an attachment,
    and one that a friend of the owner forwards. All are proposed, none is decided."""
    scene = Scene(root, settings='[owner]\naddresses = ["ingomar@bleibtreu.example"]\n')
    plain, hostile = letter("BK-204171", noon(DAY)), letter("BK-204172", noon(DAY, 1), item=HOSTILE)
    attached = letter("BK-204173", noon(DAY, 2))
    attached.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="Quastenhof BK-204173.pdf")
    forward = EmailMessage()
    forward["From"] = "Ingomar Bleibtreu <ingomar@bleibtreu.example>"
    forward["To"] = "Ingomar Bleibtreu <ingomar@bleibtreu.example>"
    forward["Subject"] = "Fwd: Your order BK-204174 is confirmed"
    forward["Date"] = noon(DAY, 4).strftime("%a, %d %b %Y %H:%M:%S %z")
    forward.set_content("see below\n")
    forward.add_attachment(letter("BK-204174", noon(DAY, 3)))
    for name, mail in {"plain": plain, "hostile": hostile, "attached": attached, "forward": forward}.items():
        deliver(scene.root / "inbox", bytes(mail), name)
    assert run_day(scene.work(), scene.start).problem is None
    return scene


def case_ids(scene: Scene) -> list[str]:
    """The ids of all cases, sorted."""
    return [row[0] for row in select(scene.work().store, "SELECT case_id FROM eval_cases ORDER BY 1")]


def case_with(scene: Scene, number: str) -> str:
    """The case whose parse has this order number."""
    found = "SELECT case_id FROM eval_cases WHERE contains(produced::VARCHAR, ?)"
    ((case,),) = select(scene.work().store, found, [number])
    return case


def produced(scene: Scene, case: str) -> dict[str, Any]:
    """What the parser made of a case."""
    sql = "SELECT produced FROM eval_cases WHERE case_id = ?"
    return json.loads(select(scene.work().store, sql, [case])[0][0])


def accept(scene: Scene, *cases: str) -> None:
    """A person says that the parser was right."""
    for case in cases:
        decide(scene.work(), case, Decision.ACCEPTED)


def edit(scene: Scene, case: str, **changes: object) -> None:
    """A person says that the first order is another."""
    expected = produced(scene, case)
    expected["orders"][0] |= changes
    decide(scene.work(), case, Decision.EDITED, expected=expected)
