"""Messages from paths given by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.read_paths import iter_messages
from orders_pipeline_tests.mail.messages import ORDER
from orders_pipeline_tests.mail.test_mbox import SECOND, stored


def test_a_single_file_goes_by_its_path(tmp_path: Path) -> None:
    """The name in the output is what the user typed."""
    (tmp_path / "a.eml").write_bytes(ORDER)
    assert list(iter_messages(tmp_path / "a.eml")) == [((tmp_path / "a.eml").as_posix(), ORDER)]


def test_an_mbox_gives_numbered_messages(tmp_path: Path) -> None:
    """Whatever its name ends in."""
    path = tmp_path / "inbox.txt"
    path.write_bytes(stored(ORDER) + stored(SECOND))
    got = {name: message_id_of(raw) for name, raw in iter_messages(path)}
    assert got == {f"{path}#1": message_id_of(ORDER), f"{path}#2": message_id_of(SECOND)}


def test_one_message_under_a_from_line_keeps_the_plain_name(tmp_path: Path) -> None:
    """Old corpora keep one message a file, with its From_ line."""
    (tmp_path / "00001.7c53").write_bytes(stored(ORDER))
    ((name, raw),) = iter_messages(tmp_path)
    assert (name, message_id_of(raw)) == (f"{tmp_path}/00001.7c53", message_id_of(ORDER))


def test_an_eml_file_is_one_message_even_when_it_quotes_an_mbox(tmp_path: Path) -> None:
    """A bounce that returns a mail with its From_ line is one mail."""
    (tmp_path / "a.eml").write_bytes(stored(ORDER) + stored(SECOND))
    assert len(list(iter_messages(tmp_path / "a.eml"))) == 1


def test_a_folder_gives_every_file_but_hidden_ones_and_tables(tmp_path: Path) -> None:
    """Mail files have many extensions, labels have one."""
    for name in ("b/x.msg", "a.txt", "noext", ".hidden", ".git/config", "labels.jsonl", "a.json", "i.msf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(ORDER)
    names = [name.removeprefix(f"{tmp_path}/") for name, _ in iter_messages(tmp_path)]
    assert names == ["a.txt", "b/x.msg", "noext"]


def test_a_maildir_gives_its_subfolders_but_not_tmp(tmp_path: Path) -> None:
    """Maildir++ folders begin with a dot and are not hidden files."""
    for name in ("cur/1:2,S", "new/2", "tmp/3", ".Sent/cur/4:2,", ".Sent/new/5"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(ORDER)
    names = [name.removeprefix(f"{tmp_path}/") for name, _ in iter_messages(tmp_path)]
    assert names == [".Sent/cur/4:2,", ".Sent/new/5", "cur/1:2,S", "new/2"]


def test_a_missing_path_is_an_error_in_one_line(tmp_path: Path) -> None:
    """No messages and no path are not the same."""
    with pytest.raises(MailboxError, match=r"^cannot read .*nowhere: No such file or directory; [^\n]+$"):
        list(iter_messages(tmp_path / "nowhere"))


def test_one_unreadable_file_does_not_stop_the_folder(tmp_path: Path, as_ordinary_user: Callable) -> None:
    """It is told, and the rest is parsed."""
    for name in ("a.eml", "b.eml"):
        (tmp_path / name).write_bytes(ORDER)
    (tmp_path / "a.eml").chmod(0)
    told: list[tuple[str, str]] = []
    with as_ordinary_user():
        got = [name for name, _ in iter_messages(tmp_path, on_error=lambda name, reason: told.append((name, reason)))]
        with pytest.raises(MailboxError):
            list(iter_messages(tmp_path))
    assert told == [(f"{tmp_path}/a.eml", "Permission denied")]
    assert got == [f"{tmp_path}/b.eml"]


def test_every_labelled_message_of_the_corpus_is_found(corpus: list[tuple[str, bytes]], corpus_folder: Path) -> None:
    """Scoring needs a result for each label."""
    names = [name for name, _ in iter_messages(corpus_folder)]
    assert sorted(name.removeprefix(f"{corpus_folder.as_posix()}/") for name in names) == sorted(n for n, _ in corpus)
