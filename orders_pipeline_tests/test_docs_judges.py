"""The sections of docs/judges.md can be copied as they stand."""

from __future__ import annotations

import re
import tomllib

import pytest

from orders_pipeline.config import parse_config
from orders_pipeline_tests.support import PROJECT

PAGE = (PROJECT / "docs" / "judges.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
BASE = 'zone = "UTC"\nstart_date = 2026-01-01\n[[mailbox]]\nname = "home"\nkind = "maildir"\npath = "mail"\n'


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_of_the_page_is_valid(section: str) -> None:
    """It is the first thing that a reader copies."""
    named = section if "[review.model]\n" in section else f'{section}\n[review.model]\nmodel = "any"\n'
    config = parse_config(tomllib.loads(BASE + named), base=PROJECT, source="docs")
    assert config.review.judge == "model" or config.extract.model


def test_the_page_has_sections() -> None:
    """A page that is not recognised would pass with nothing looked at."""
    assert len(SECTIONS) == 3
