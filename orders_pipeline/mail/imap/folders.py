"""Which folders of an account are read.

Belongs here: the choice, from what the server lists. Not here: listing them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from orders_pipeline.encoding import printable_line
from orders_pipeline.mail.imap.answers import Status, tokens
from orders_pipeline.mail.imap.folder_names import JUNK_NAMES, TRASH_NAMES
from orders_pipeline.mail.imap.names import label_of
from orders_pipeline.mail.imap.wire import Answer

_NO_MAIL = frozenset({"\\noselect", "\\nonexistent"})
_UNWANTED = frozenset({"\\junk", "\\trash", "\\spam"})
_VIEWS = frozenset({"\\all", "\\flagged", "\\important"})  # each shows mail that lies in another folder


@dataclass(frozen=True, slots=True)
class Folder:
    """One folder as the server lists it; ``raw`` is its name there, ``label`` the one for people."""

    raw: bytes
    label: str
    delimiter: str | None = None
    attributes: frozenset[str] = frozenset()  # in small letters
    status: Status | None = None

    @property
    def holds_mail(self) -> bool:
        return not self.attributes & _NO_MAIL


class UnknownFolder(Exception):
    """A configured folder that is not there; the text names it, and some that are."""


def folder_of(answer: Answer) -> Folder | None:
    """The folder of a LIST answer; None for another answer."""
    if not answer[0][:7].upper().startswith(b"* LIST "):
        return None
    parts = tokens(answer)
    if len(parts) < 5 or not isinstance(parts[2], list) or not isinstance(parts[4], bytes) or not parts[4]:
        return None
    attributes = frozenset(a.decode("ascii", "replace").lower() for a in parts[2] if isinstance(a, bytes))
    delimiter = parts[3].decode("latin-1") if isinstance(parts[3], bytes) and parts[3] else None
    return Folder(parts[4], label_of(parts[4]), delimiter, attributes)


def chosen(
    found: Sequence[Folder], wanted: Sequence[str], *, gmail: bool = False, foreign: Sequence[bytes] = ()
) -> list[Folder]:
    """The folders to read, in the server's order: the wanted ones, or all but spam, trash, and views of others.

    ``gmail``: its \\All holds everything but spam and trash, and every other folder shows a part of that again.
    Elsewhere \\All may hold spam too, or leave something out, so that the folders themselves are read. ``foreign`` are
    the prefixes of other people's folders. Raises ``UnknownFolder``.
    """
    if wanted:
        return list(dict.fromkeys(_named(found, name) for name in wanted))
    readable = [f for f in found if f.holds_mail and not any(f.raw.startswith(prefix) for prefix in foreign)]
    if gmail and (everything := [f for f in readable if "\\all" in f.attributes]):
        return everything
    unwanted = _unwanted(found)
    return [
        f
        for f in readable
        if not f.attributes & _VIEWS and not any(f == u or _lies_below(f, u) for u in unwanted)
    ]  # fmt: skip


def _unwanted(found: Sequence[Folder]) -> list[Folder]:
    """Spam and trash: marked ones, and for a kind that the server marks nowhere those with a usual name."""
    out = [f for f in found if f.attributes & _UNWANTED]
    marked = frozenset().union(*(f.attributes for f in out))
    if not marked & {"\\junk", "\\spam"}:
        out += [f for f in found if _leaf(f) in JUNK_NAMES]
    if "\\trash" not in marked:
        out += [f for f in found if _leaf(f) in TRASH_NAMES]
    return out


def _leaf(folder: Folder) -> str:
    """The last part of a name; of a name with more than two parts none: ``Shops/2025/Bin`` is somebody's own."""
    parts = folder.label.split(folder.delimiter) if folder.delimiter else [folder.label]
    top = len(parts) == 1 or (len(parts) == 2 and parts[0] in ("INBOX", "[Gmail]", "[Google Mail]"))
    return parts[-1].casefold() if top else ""


def _lies_below(folder: Folder, parent: Folder) -> bool:
    return bool(parent.delimiter) and folder.label.startswith(f"{parent.label}{parent.delimiter}")


def _named(found: Sequence[Folder], name: str) -> Folder:
    wanted = "INBOX" if name.upper() == "INBOX" else name
    for folder in found:
        if folder.label == wanted or (folder.delimiter and folder.label == wanted.replace("/", folder.delimiter)):
            if folder.holds_mail:
                return folder
            raise UnknownFolder(f"the folder {printable_line(name)} only holds other folders; name those")
    some = printable_line(", ".join(printable_line(f.label, 40) for f in found[:200] if f.holds_mail), 300)
    raise UnknownFolder(f"there is no folder {printable_line(name)}; set folders to some of these: {some or 'none'}")
