"""A folder of .eml files, subfolders included.

Belongs here: which files are messages. Not here: dates, index, fetching (file_mailbox).
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from orders_pipeline.mail.file_mailbox import FileMailbox, FoundFile, require_folder
from orders_pipeline.mail.file_names import location_of, may_be_file


class EmlSource(FileMailbox):
    """Location: the path below the folder, with forward slashes."""

    kind = "eml"

    def _check(self) -> None:
        require_folder(self.name, self.path)

    def _scan(self) -> Iterator[FoundFile]:
        folders = [""]
        while folders:
            folder = folders.pop()
            try:
                with os.scandir(os.path.join(self.path, folder)) as entries:
                    for entry in entries:
                        relative = os.path.join(folder, entry.name)
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(relative)
                        elif _is_message_name(entry.name) and may_be_file(entry):
                            yield FoundFile(location_of(relative), entry.path)
            except FileNotFoundError:
                if not folder:
                    raise


def _is_message_name(name: str) -> bool:
    """``._x.eml`` is what macOS keeps beside x.eml on other file systems, no message."""
    return name.lower().endswith(".eml") and not name.startswith("._")
