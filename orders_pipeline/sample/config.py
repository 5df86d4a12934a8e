"""The configuration that goes with a sample mailbox.

Belongs here: the text of its ``orders_pipeline.toml``. Not here: reading or validating one.
"""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

from orders_pipeline.sample.catalogue import OWNER_ADDRESS, OWNER_SECOND_ADDRESS


def sample_config_toml(mailbox_path: Path, zone: str, start_date: dt.date) -> str:
    """The text of a configuration for the sample mailbox at a path, as TOML.

    Relative paths are read relative to the configuration file.
    """
    # A JSON string is a valid TOML basic string, but for DEL, which TOML wants escaped.
    path = json.dumps(mailbox_path.as_posix(), ensure_ascii=False).replace("\x7f", "\\u007f")
    return (
        f"zone = {json.dumps(zone)}\n"
        f"start_date = {start_date.isoformat()}\n"
        "\n[[mailbox]]\n"
        'name = "sample"\n'
        'kind = "maildir"\n'
        f"path = {path}\n"
        "\n[owner]\n"
        f"addresses = {json.dumps([OWNER_ADDRESS, OWNER_SECOND_ADDRESS])}\n"
    )
