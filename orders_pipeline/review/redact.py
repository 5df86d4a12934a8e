"""Personal data out of a mail, before it reaches a model or a test set, so that a parser still reads the mail.

Belongs here: what takes the place of a personal value: text of the same shape, the same for the same value, so that a
number in the subject still is the number in the body. Not here: what is personal (personal_data.py), writing mails,
and who asks for it. Names that appear nowhere in headers, greetings or address blocks stay unsolved.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from orders_pipeline.models import Email, ParseResult
from orders_pipeline.review.personal_data import COMMON_WORDS, PERSONAL_HOSTS, VALUES, blocks, greeted_names

_WORD = re.compile(r"[^\W\d_]{2,}")
_MAX_CHARS = 400_000
_LONG, _PREFIX = 12, 2
# Nobody's: a real one would be taken for a name that was left over.
_GIVEN = (
    "Alvik",
    "Brenno",
    "Calwen",
    "Dorvik",
    "Elmis",
    "Farlo",
    "Gavren",
    "Helmo",
    "Ilvan",
    "Jorwen",
    "Kelvar",
    "Lumo",
)


@dataclass(slots=True)
class Redactor:
    """Replaces personal data. ``salt`` is a secret of the store: without it a replaced number cannot be guessed back.

    ``names`` are words of the owner's name, ``numbers`` the order and tracking numbers; addresses in ``keep_domains``
    (the sender's own) stay.
    """

    salt: bytes
    names: frozenset[str] = frozenset()
    numbers: tuple[str, ...] = ()
    keep_domains: frozenset[str] = frozenset()
    replaced: dict[str, str] = field(default_factory=dict)  # names by their case-folded form
    # Patterns of the first ``_known`` of them: making these anew for each text was nine tenths of the work.
    _swaps: list[tuple[re.Pattern[str], dict[str, str]]] = field(default_factory=list, init=False, repr=False)
    _known: int = field(default=0, init=False, repr=False)

    def text(self, text: str) -> str:
        """The text without what is personal. Digits become other digits, letters other letters, names other names."""
        text = text[:_MAX_CHARS]
        self.learn(text)
        return self._apply(text)

    def learn(self, text: str) -> None:
        """Find what is personal in a text, so that it goes from every text from now on."""
        text = text[:_MAX_CHARS]
        for block in blocks(text):
            self._learn_block(block)
        for name in greeted_names(text):
            self._learn_name(name)
        for number in self.numbers:
            if number not in self.replaced:
                # A parcel service is told by how its numbers begin (1Z, 94); that much says nothing of a person.
                kept = _PREFIX if len(number) >= _LONG else 0
                self.replaced[number] = number[:kept] + self._shape(number, letters=False)[kept:]
        for pattern in VALUES:
            for match in pattern.finditer(text):
                self._learn(match[0])
        for word in sorted(self.names):
            self._learn_name(word)

    def left(self, text: str) -> list[str]:
        """Known values that a text still holds: what must be empty before it leaves."""
        folded = text.casefold()
        return sorted(old for old, new in self.replaced.items() if old != new and _occurs(old.casefold(), folded))

    def _learn(self, value: str) -> None:
        if value in self.replaced:
            return
        if "@" in value:
            local, _, domain = value.rpartition("@")
            if _belongs(domain.lower(), self.keep_domains):
                return
            self.replaced[value] = f"{self._name(local).lower()}@example.org"
        else:
            self.replaced[value] = self._shape(value, letters=True)

    def _learn_block(self, block: str) -> None:
        for line in block.splitlines():
            for word in _WORD.findall(line):
                if len(word) > 2 and word.lower() not in COMMON_WORDS:
                    self._learn_name(word)
            for number in re.findall(r"\d[\d-]{2,9}", line):
                self.replaced.setdefault(number, self._shape(number, letters=False))

    def _learn_name(self, name: str) -> None:
        for word in name.split():
            bare = word.strip(",.'’")
            if len(bare) > 1 and bare.lower() not in COMMON_WORDS and not bare.isdigit():
                self.replaced.setdefault(bare.casefold(), self._name(bare))

    def _name(self, value: str) -> str:
        return _GIVEN[self._stream(value.casefold(), 1)[0] % len(_GIVEN)]

    def _shape(self, value: str, *, letters: bool) -> str:
        stream = self._stream(value, len(value))
        out = []
        for char, byte in zip(value, stream, strict=True):
            if char.isdigit():
                out.append(str(1 + byte % 9) if char != "0" else "0")
            elif letters and char.isascii() and char.isalpha():
                out.append(chr((ord("A") if char.isupper() else ord("a")) + byte % 26))
            elif letters and char.isalpha():
                out.append("x")
            else:
                out.append(char)
        return "".join(out)

    def _stream(self, value: str, length: int) -> bytes:
        out, block = b"", 0
        while len(out) < length:
            out += hmac.digest(self.salt, f"{block}:{value}".encode("utf-8", "replace"), hashlib.sha256)
            block += 1
        return out[:length]

    def _apply(self, text: str) -> str:
        if self._known != len(self.replaced):  # it only ever grows
            self._swaps, self._known = list(self._made_swaps()), len(self.replaced)
        for pattern, news in self._swaps:
            text = pattern.sub(lambda m, news=news: _cased(news.get(m[0].casefold(), "x"), m[0]), text)
        return text

    def _made_swaps(self) -> Iterator[tuple[re.Pattern[str], dict[str, str]]]:
        olds = sorted((old for old, new in self.replaced.items() if old and old != new), key=len, reverse=True)
        for start in range(0, len(olds), 200):
            part = olds[start : start + 200]
            pattern = re.compile("|".join(_bounded(old) for old in part), re.IGNORECASE)
            yield pattern, {old.casefold(): self.replaced[old] for old in part}


def redactor_for(email: Email, result: ParseResult | None, *, salt: bytes, owner: Iterable[str] = ()) -> Redactor:
    """The redactor of one mail: its recipients, its owner, who else is a person in it, its order and tracking numbers.

    ``salt`` may be any secret bytes; the same salt gives the same replacements.
    """
    owner = tuple(address.strip().lower() for address in owner)
    chain = (email, *email.inner)
    people = [one.sender for number, one in enumerate(chain) if _is_person(chain, number, owner)]
    companies = [one.sender for one in chain if one.sender not in people]
    names: set[str] = set()
    for address in (*people, *(a for one in chain for a in (*one.to, *one.cc))):
        names.update(_WORD.findall(address.name))
        names.update(w for w in _WORD.findall(address.address.partition("@")[0]) if len(w) > 2)
    for address in owner:
        names.update(w for w in _WORD.findall(address.partition("@")[0]) if len(w) > 2)
    company_words = {w.lower() for one in companies for w in _WORD.findall(one.name)}
    return Redactor(
        salt,
        names=frozenset(n for n in names if n.lower() not in COMMON_WORDS and n.lower() not in company_words),
        numbers=tuple(_numbers(result)),
        keep_domains=frozenset(one.domain for one in companies if one.domain),
    )


def _is_person(chain: Sequence[Email], number: int, owner: Sequence[str]) -> bool:
    """Whether a sender is no shop: the owner, who writes from a mail provider, or who forwards another's mail."""
    sender = chain[number].sender
    if sender.address.strip().lower() in owner or sender.domain in PERSONAL_HOSTS:
        return True
    return number + 1 < len(chain) and chain[number + 1].sender.domain not in ("", sender.domain)


def _numbers(result: ParseResult | None) -> Sequence[str]:
    found: list[str] = []
    for order in result.orders if result else ():
        found += [n for n in (order.order_number, *order.tracking_numbers) if n and len(n) >= 4]
    return list(dict.fromkeys(found))


def _belongs(domain: str, kept: frozenset[str]) -> bool:
    return any(domain == one or domain.endswith("." + one) or one.endswith("." + domain) for one in kept)


def _bounded(old: str) -> str:
    head = r"(?<!\w)" if old[0].isalnum() else ""
    tail = r"(?!\w)" if old[-1].isalnum() else ""
    # Numbers are replaced inside longer text too: in links, in file names.
    return re.escape(old) if any(c.isdigit() for c in old) and len(old) >= 6 else head + re.escape(old) + tail


def _occurs(old: str, text: str) -> bool:
    return re.search(_bounded(old), text) is not None


def _cased(new: str, like: str) -> str:
    """A name written as the one in its place was; anything with digits or signs as it is."""
    if not new.isalpha():
        return new
    return new.upper() if like.isupper() and len(like) > 1 else new.lower() if like.islower() else new
