"""Every pattern that reads a message ends soon on the longest text that it is given."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time

import pytest

from orders_pipeline import mail

LENGTH = 20_000
SHORTER = {"forwards._MUTT": 400, "html_guard._UNSHOWN": LENGTH // 4}  # a line; only where it may begin few times
SYNTAX = re.compile(r"\(\?<?[!:=]|[\\()|?*+\[\]{}^$.]")
MARKS = [*" \t\n>.,:;-#\"'()[]{}=/&@%*|x0_<!?~\ue000\ue001\ue002"]
_PAIRS = r"a |1 |1,|a-|(a|> |<a|</|<!--|=~|= |=?a?q?|; a=|@a|--a~|\"|a:|1:1|1/1/|<b a='|1x"
PAIRS = [pair.replace("~", "\n") for pair in _PAIRS.split("|")]


def patterns() -> dict[str, re.Pattern[str] | re.Pattern[bytes]]:
    found: dict[str, re.Pattern[str] | re.Pattern[bytes]] = {}
    for info in pkgutil.iter_modules(mail.__path__, f"{mail.__name__}."):  # subpackages read what servers say
        for name, value in vars(importlib.import_module(info.name)).items():
            if isinstance(value, re.Pattern):
                found[f"{info.name.partition('.mail.')[2]}.{name}"] = value
    return found


def seconds(pattern: re.Pattern[str] | re.Pattern[bytes], text: str) -> float:
    started = time.process_time()
    if isinstance(pattern.pattern, bytes):
        for _ in pattern.finditer(text.encode("latin-1", "replace")):  # type: ignore[arg-type]
            pass
    else:
        for _ in pattern.finditer(text):  # type: ignore[arg-type]
            pass
    return time.process_time() - started


@pytest.mark.parametrize(("name", "pattern"), patterns().items(), ids=patterns().keys())
def test_a_pattern_is_no_worse_than_its_bound(name: str, pattern: re.Pattern[str] | re.Pattern[bytes]) -> None:
    """One quadratic pattern lets one header hold the pipeline, and no check between steps is reached in it."""
    source = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    own = [word for word in SYNTAX.sub(" ", source).split() if len(word) < 20][:12]
    length = SHORTER.get(name, LENGTH)
    worst = 0.0
    for piece in [*MARKS, *PAIRS, *own, *(f"{word} " for word in own)]:
        worst = max(worst, seconds(pattern, (piece * (length // len(piece) + 1))[:length]))
    assert worst < 2  # 0.32 s at most here


def test_a_quadratic_pattern_would_be_found() -> None:
    """A bound that everything keeps says nothing."""
    assert seconds(re.compile(r"\s+\s+x"), " " * 1_000) > 0.1
