"""Which folders are read, and that a location leads back to one folder."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.batching import batches
from orders_pipeline.mail.imap.folders import Folder, UnknownFolder, chosen, folder_of
from orders_pipeline.mail.imap.names import label_of, location_of, parts_of, raw_of
from orders_pipeline.mail.imap.uid_sets import MAX_SET, uid_set, uid_sets
from orders_pipeline_tests.mail.imap.conftest import Open
from orders_pipeline_tests.mail.imap.dovecot import Account
from orders_pipeline_tests.mail.imap.proxy import Link, Proxy
from orders_pipeline_tests.mail.imap.scenes import fill, raws, window


def listed(*lines: bytes) -> list[Folder]:
    return [folder for line in lines if (folder := folder_of([b"* LIST " + line]))]


def labels(folders: list[Folder]) -> list[str]:
    return [folder.label for folder in folders]


def test_all_folders_but_spam_and_trash_are_read(account: Account, opened: Open) -> None:
    """Orders lie in folders that filters made; what the owner threw away is not wanted, nor what lies below it."""
    for label in ("INBOX", "Shops/2026", "Junk", "Deleted", "Deleted/Older", "Entwürfe & mehr"):
        fill(account, 1, label=label)
    listing = opened().list(window())
    assert sorted(ref.location.rsplit("/", 2)[0] for ref in listing.refs) == ["Entwürfe & mehr", "INBOX", "Shops/2026"]
    assert len(raws(opened().fetch(listing.refs))) == 3


def test_configured_folders_alone_are_read(account: Account, opened: Open) -> None:
    """Names as people see them, also of spam; INBOX in any case."""
    for label in ("INBOX", "Shops/Läden", "Junk"):
        fill(account, 1, label=label)
    listing = opened(folders=["inbox", "Shops/Läden", "Junk"]).list(window())
    assert sorted(ref.location.rsplit("/", 2)[0] for ref in listing.refs) == ["INBOX", "Junk", "Shops/Läden"]


def test_an_unknown_folder_is_an_error_that_names_some_that_exist(account: Account, opened: Open) -> None:
    """A misspelt folder must not be an empty mailbox."""
    fill(account, 1, label="Shops")
    with pytest.raises(MailboxError) as told:
        opened(folders=["Shop"]).list(window())
    assert str(told.value).startswith("mailbox post: there is no folder Shop; set folders to some of these: ")
    assert "Shops" in str(told.value)
    assert "INBOX" in str(told.value)


def test_usual_names_count_where_the_server_marks_nothing() -> None:
    """Older servers mark no folder: Papierkorb is trash all the same, a shop called Bin is not."""
    found = listed(
        b'() "." INBOX', b'() "." INBOX.Papierkorb', b'() "." INBOX.Papierkorb.Alt', b'() "." Spam',
        b'() "." Shops.UK.Bin',
        b'() "." "Courrier ind&AOk-sirable"',
    )  # fmt: skip
    assert labels(chosen(found, ())) == ["INBOX", "Shops.UK.Bin"]


def test_marks_win_over_names() -> None:
    """Where the server says which folder is the trash, another one of that name is somebody's own."""
    found = listed(b'() "/" INBOX', b'() "/" Trash', b'(\\Trash) "/" Weg', b'(\\Junk) "/" Stuff', b'() "/" Spam')
    assert labels(chosen(found, ())) == ["INBOX", "Trash", "Spam"]


def test_gmails_all_mail_is_read_alone() -> None:
    """Each label is a folder there: the same mail was fetched three times (bug report 74)."""
    found = listed(
        b'() "/" INBOX', b'() "/" Shops', b'(\\All) "/" "[Gmail]/All Mail"', b'(\\Noselect) "/" "[Gmail]"',
        b'(\\Junk) "/" "[Gmail]/Spam"', b'(\\Trash) "/" "[Gmail]/Bin"',
    )  # fmt: skip
    assert labels(chosen(found, (), gmail=True)) == ["[Gmail]/All Mail"]
    assert labels(chosen(found, ())) == ["INBOX", "Shops"]
    hidden = [folder for folder in found if "\\all" not in folder.attributes]
    assert labels(chosen(hidden, (), gmail=True)) == ["INBOX", "Shops"]


def test_other_peoples_folders_are_read_only_when_named() -> None:
    """A shared account must not pour a whole office's mail into one history."""
    found = listed(b'() "/" INBOX', b'() "/" "Other Users/kim"', b'() "/" Shared')
    assert labels(chosen(found, (), foreign=[b"Other Users/"])) == ["INBOX", "Shared"]
    assert labels(chosen(found, ("Other Users/kim",), foreign=[b"Other Users/"])) == ["Other Users/kim"]


def test_a_folder_without_mail_is_said_to_be_one() -> None:
    """[Gmail] holds other folders only."""
    found = listed(b'(\\Noselect) "/" "[Gmail]"', b'() "/" INBOX')
    with pytest.raises(UnknownFolder, match="only holds other folders"):
        chosen(found, ("[Gmail]",))


@given(st.binary(min_size=1, max_size=40), st.binary(min_size=1, max_size=40))
def test_a_label_leads_back_to_one_name(one: bytes, other: bytes) -> None:
    """Two folders under one label would put one's mail under the other's locations."""
    for raw in (one, other):
        label = label_of(raw)
        assert label.isprintable()
        assert raw_of(label).upper() == raw.upper() if raw.upper() == b"INBOX" else raw_of(label) == raw
    if one.upper() != b"INBOX":
        assert (label_of(one) == label_of(other)) == (one == other)


@given(
    st.text(min_size=1, max_size=40), st.integers(1, 2**32), st.integers(1, 2**32), st.sampled_from(["", ".99", ".x"])
)
def test_a_location_is_read_back(label: str, validity: int, uid: int, mark: str) -> None:
    """A folder's name may hold slashes and digits."""
    assert parts_of(location_of(label, validity, uid, mark)) == (label, validity, uid)


@given(st.sets(st.integers(1, 10**6), max_size=300))
def test_sets_name_each_uid_once(uids: set[int]) -> None:
    """A UID left out of a command is a message that nobody asks for."""
    named = [
        n
        for part in uid_set(uids).split(b",")
        if part
        for n in range(int(part.split(b":")[0]), int(part.split(b":")[-1]) + 1)
    ]
    assert named == sorted(uids)
    assert [n for some in uid_sets(uids) for part in some.split(b",") for n in _range(part)] == sorted(uids)
    assert all(len(some) <= MAX_SET for some in uid_sets(range(1, 20_000, 2)))


def _range(part: bytes) -> range:
    first, _, last = part.partition(b":")
    return range(int(first), int(last or first) + 1)


@given(st.lists(st.integers(0, 100), max_size=60))
def test_batches_hold_each_message_once_and_no_more_bytes_than_allowed(sizes: list[int]) -> None:
    """A batch of large messages must not become one question for gigabytes."""
    made = list(batches(range(len(sizes)), sizes.__getitem__, max_bytes=100, max_count=7))
    assert [uid for batch in made for uid in batch] == list(range(len(sizes)))
    assert all(len(batch) <= 7 and (len(batch) == 1 or sum(sizes[u] for u in batch) <= 100) for batch in made)


def test_a_server_without_the_extensions_is_read_too(account: Account, opened: Open, faults: Proxy) -> None:
    """No LIST-STATUS, CONDSTORE, UNSELECT, NAMESPACE, SPECIAL-USE: plain IMAP4rev1 is enough."""
    sent = fill(account, 30)

    def plain(link: Link, line: bytes) -> bytes:
        return re.sub(rb"CAPABILITY IMAP4[^\]\r]*", b"CAPABILITY IMAP4rev1 AUTH=PLAIN", line)

    faults.answer = plain
    source = opened(port=faults.port)
    assert raws(source.fetch(source.list(window()).refs)) == sorted(sent)
    assert len(source.list(window()).refs) == 30
    said = {command.split()[0] for command in faults.commands() if command}
    assert not said & {b"NAMESPACE", b"UNSELECT", b"CLOSE", b"SELECT"}
    assert not [command for command in faults.commands() if b"CONDSTORE" in command or b"RETURN" in command]
