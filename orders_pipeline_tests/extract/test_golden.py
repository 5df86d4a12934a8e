"""The golden pairs of the senders."""

from __future__ import annotations

from pathlib import Path

import pytest

from orders_pipeline.extract.senders import SENDERS
from orders_pipeline_tests.golden import FIXTURES, golden_path, mails, said_of

PAIRS = [mail for mail in mails() if golden_path(mail).exists()]


@pytest.mark.parametrize("mail", PAIRS, ids=[f"{m.parent.name}/{m.stem}" for m in PAIRS])
def test_a_mail_is_read_as_before(mail: Path) -> None:
    """A change is made for one mail and nobody sees what it does to the others."""
    assert said_of(mail) == golden_path(mail).read_text(encoding="utf-8")


def test_every_sender_file_has_a_pair() -> None:
    """A sender's rules rot unseen when no mail exercises them."""
    assert [s.name for s in SENDERS if not list((FIXTURES / s.name).glob("*.json"))] == []
