"""The configuration that goes with the sample."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from orders_pipeline.config import load_config
from orders_pipeline.mailbox_settings import path_fields
from orders_pipeline.sample.config import sample_config_toml


def test_the_text_is_a_valid_configuration_for_any_path(tmp_path: Path) -> None:
    """A path with quotes, blanks or accents makes the file unreadable."""
    for name in ("mail", 'a "quoted" näme', "back\\slash", "tab\there", "del\x7f", "𝔞stral"):
        box = tmp_path / name
        path = tmp_path / "orders_pipeline.toml"
        path.write_text(sample_config_toml(box, "Europe/Berlin", dt.date(2026, 11, 16)), encoding="utf-8")
        config = load_config(path, today=dt.date(2026, 11, 30))
        assert (config.zone, config.start_date) == ("Europe/Berlin", dt.date(2026, 11, 16))
        assert [(m.name, m.kind, path_fields(m)) for m in config.mailbox] == [("sample", "maildir", {"path": box})]
        assert len(config.owner.addresses) == 2


def test_a_relative_mailbox_is_found_beside_the_configuration(tmp_path: Path) -> None:
    """A demo folder that is moved loses its mailbox."""
    path = tmp_path / "orders_pipeline.toml"
    path.write_text(sample_config_toml(Path("mail"), "UTC", dt.date(2026, 11, 16)), encoding="utf-8")
    (box,) = load_config(path, today=dt.date(2026, 11, 30)).mailbox
    assert path_fields(box) == {"path": tmp_path / "mail"}
