"""Which parser this is, by its code.

Belongs here: the fingerprint that tells whether scores are of the parser at hand. The parser's version is a person's
statement and is not raised with every change of a word list.
"""

from __future__ import annotations

import functools
import importlib.resources

from orders_pipeline.encoding import digest_of
from orders_pipeline.extract.parser import PARSER_VERSION

_PARTS = ("extract", "mail")
_FILES = ("domains.py", "encoding.py", "html_limits.py", "html_tree.py", "models.py")


@functools.lru_cache(maxsize=1)
def parser_fingerprint() -> str:
    """The parser's version and a digest of its source, read once a process (some 150 files, 15 ms)."""
    package = importlib.resources.files("orders_pipeline")
    sources = {name: package.joinpath(name) for name in _FILES}
    for part in _PARTS:
        folders = [(part, package.joinpath(part))]
        while folders:
            path, folder = folders.pop()
            for entry in folder.iterdir():
                name = f"{path}/{entry.name}"
                if entry.is_dir():
                    folders.append((name, entry))
                elif name.endswith((".py", ".json", ".toml")):
                    sources[name] = entry
    texts = (part for name in sorted(sources) for part in (name, sources[name].read_text(encoding="utf-8")))
    return f"{PARSER_VERSION}-{digest_of(texts)[:12]}"
