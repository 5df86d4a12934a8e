"""From, To, Cc, Reply-To: a header value to addresses.

Belongs here: the tolerant address grammar. Not here: which header means what.
``email.utils.getaddresses`` is not used: it answers malformed lists differently from one Python release to the next.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from orders_pipeline.mail.clean_text import clean_line
from orders_pipeline.mail.headers import decode_words
from orders_pipeline.models import Address

MAX_ADDRESSES = 500
_LONGEST_KEPT = 200

_TOKEN = re.compile(
    r"""=\?[^?\s]{1,60}\?[bBqQ]\?[^?]{0,2000}\?=   # an encoded word, which may hold commas
      | "(?:[^"\\]|\\.){0,2000}+"                  # a quoted name
      | \\.                                        # outside one too: else each begins a quoted name without end
      | <[^<>]{0,1000}>
      | \([^()]{0,1000}\)
      | [,;:]
      | [^="<(,;:\\]+
      | .""",
    re.VERBOSE | re.DOTALL,
)
_BARE = re.compile(r"[^\s<>()\[\]\",;:]{1,300}@[^\s<>()\[\]\",;:]{1,300}")


def parse_addresses(value: str) -> tuple[Address, ...]:
    """The addresses of a header value (encoded words still encoded), at most ``MAX_ADDRESSES``; empty ones left out."""
    return _known(value) if len(value) <= _LONGEST_KEPT else _parse(value)


def _parse(value: str) -> tuple[Address, ...]:
    found: list[Address] = []
    for words in _entries(value):
        address = _address(words)
        if address.name or address.address:
            found.append(address)
        if len(found) == MAX_ADDRESSES:
            break
    return tuple(found)


# A mailbox has one owner and few senders: most headers were read before.
_known = functools.lru_cache(maxsize=1024)(_parse)


def _entries(value: str) -> Iterator[list[str]]:
    """Tokens of one address at a time; a group's name (``Team: a@b, c@d;``) is dropped."""
    words: list[str] = []
    for match in _TOKEN.finditer(value):
        word = match[0]
        if word in ",;":
            yield words
            words = []
        elif word == ":" and not any("@" in t or t.startswith("<") for t in words):
            words = []
        else:
            words.append(word)
    yield words


def _address(words: list[str]) -> Address:
    angle = [t for t in words if t.startswith("<") and t.endswith(">") and len(t) > 1]
    if angle:
        name = " ".join(_text(t) for t in words if t not in angle and not t.startswith("("))
        return Address(name=_tidy(name), address=_spec(angle[-1][1:-1]))
    text = "".join(t for t in words if not t.startswith("("))
    bare = _BARE.search(decode_words(text))
    comments = [t[1:-1] for t in words if t.startswith("(") and t.endswith(")")]
    if bare is None:
        return Address(name=_tidy("".join(_text(t) for t in words)))
    name = decode_words(text).replace(bare[0], " ") if not comments else " ".join(comments)
    return Address(name=_tidy(_text(name)), address=_spec(bare[0]))


def _text(word: str) -> str:
    if word.startswith('"') and word.endswith('"') and len(word) > 1:
        word = re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL)
    return decode_words(word)


def _tidy(name: str) -> str:
    return clean_line(name).strip("\"' ,;<>")


def _spec(text: str) -> str:
    text = clean_line(decode_words(text)).replace(" ", "")
    text = text.removeprefix("mailto:").strip("\"'<>")
    return text.rpartition(":")[2] if text.startswith("@") else text  # a source route: <@relay:user@host>
