"""The golden set on the command line: exporting, scoring, and the judge against the decisions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orders_pipeline.extract import labels
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.label_index import Label
from orders_pipeline.models import Decision
from orders_pipeline.review.export.registry import FORMAT_NAMES
from orders_pipeline.stages.decide import decide
from orders_pipeline.store.publish import publish
from orders_pipeline_tests.cli.command import Command
from orders_pipeline_tests.harness import Scene
from orders_pipeline_tests.stages.golden_scene import accept, case_ids, case_with, edit, golden_scene


@pytest.fixture(scope="module")
def decided_scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Four cases: two accepted, one edited, one rejected."""
    scene = golden_scene(tmp_path_factory.mktemp("golden"))
    edit(scene, case_with(scene, "BK-204171"), total="27.40")
    decide(scene.work(), case_with(scene, "BK-204172"), Decision.REJECTED)
    accept(scene, case_with(scene, "BK-204173"), case_with(scene, "BK-204174"))
    return scene


@pytest.fixture
def scene(decided_scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """The same, to do with as a test likes; the environment names it, the current folder is empty."""
    scene = decided_scene.copy_to(tmp_path / "scene")
    for name, value in scene.environ.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    publish(scene.work().store)
    return scene


@pytest.fixture
def no_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule that reads totals behind their labels is broken."""
    real = labels.read_money

    def broken(label: Label, *rest: Any) -> Iterator[Reading]:
        return iter(()) if label.field == "total" else real(label, *rest)

    monkeypatch.setattr(labels, "read_money", broken)


class Killed(BaseException):
    """The end of a process, as far as a test can have it in its own."""


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_golden_set_is_exported_scored_and_a_broken_rule_named(
    call: Command, scene: Scene, request: pytest.FixtureRequest
) -> None:
    """This is what the whole review is for: the next change of the parser is measured against it."""
    answer = call("cases", "export", "golden")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("3 cases in golden, 0 held back")
    for arguments, report in (((), "store.json"), (("golden",), "folder.json")):
        answer = call("score", *arguments, "--save", report)
        assert answer.status == 0
        assert "3 of 3 orders found, 2 exact, 0 false alarms in 0" in answer.out
        assert "blattkorn.example" in answer.out
    request.getfixturevalue("no_totals")
    for arguments, report in (((), "store.json"), (("golden",), "folder.json")):
        answer = call("score", *arguments, "--against", report)
        assert answer.status == 1
        for case in (case_with(scene, "BK-204173"), case_with(scene, "BK-204174")):
            assert f"broken: {case} total (right → missed)" in answer.out
        assert case_with(scene, "BK-204171") not in answer.out


def test_exporting_again_changes_nothing_and_a_rejected_case_goes(call: Command, scene: Scene) -> None:
    """Every export would be a commit of every file; a case that was taken back would stay in the test set."""
    call("cases", "export", "golden")
    before = tree(Path("golden"))
    answer = call("cases", "export", "golden")
    assert "0 files written, 0 removed" in answer.out
    assert tree(Path("golden")) == before
    gone = case_with(scene, "BK-204173")
    decide(scene.work(), gone, Decision.REJECTED)
    assert call("cases", "export", "golden").status == 0
    assert not [path for path, content in tree(Path("golden")).items() if gone in path or gone.encode() in content]


def test_formats_are_chosen(call: Command, scene: Scene) -> None:
    """Six formats of which one is used are five that are reviewed for nothing."""
    call("cases", "export", "golden")
    assert {p.name for p in Path("golden/formats").iterdir()} == set(FORMAT_NAMES)
    call("cases", "export", "golden", "--format", "inspect,promptfoo", "--format", "langfuse")
    assert {p.name for p in Path("golden/formats").iterdir()} == {"inspect", "promptfoo", "langfuse"}
    call("cases", "export", "golden", "--format", "none")
    assert not Path("golden/formats").exists()
    assert call("cases", "export", "golden", "--format", "cvs").status == 2


@pytest.mark.parametrize("what", ["file", "mail", "expected"])
def test_what_somebody_else_wrote_is_not_overwritten(call: Command, scene: Scene, what: str) -> None:
    """A slip in a path must not cost a folder, nor an export the correction that somebody made by hand."""
    if what == "file":
        Path("golden").mkdir()
        Path("golden/thesis.txt").write_text("the only copy")
    else:
        call("cases", "export", "golden")
        case = case_with(scene, "BK-204173")
        path = Path("golden") / {"mail": "mails/mine.eml", "expected": f"expected/{case}.json"}[what]
        path.write_text("mine")
    before = tree(Path("golden"))
    answer = call("cases", "export", "golden")
    assert answer.status == 2
    assert "golden" in answer.err
    assert tree(Path("golden")) == before
    if what != "file":
        assert call("score", "golden").status == 2
        assert call("cases", "export", "golden", "--overwrite").status == 0
        assert call("score", "golden").status == 0


def test_a_repository_and_its_notes_stay(call: Command, scene: Scene) -> None:
    """The folder is made to lie in one."""
    Path("golden/.git").mkdir(parents=True)
    Path("golden/.git/HEAD").write_text("ref: refs/heads/main")
    assert call("cases", "export", "golden").status == 0
    Path("golden/NOTES.md").write_text("ours")
    assert call("cases", "export", "golden").status == 0
    assert Path("golden/NOTES.md").read_text() == "ours"
    assert Path("golden/.git/HEAD").exists()


def test_a_kill_in_the_middle_is_told_and_mended(call: Command, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of an old set and half of a new one score as a regression that nobody made."""
    call("cases", "export", "golden")
    edit(scene, case_with(scene, "BK-204173"), total="27.40")
    renamed: list[str] = []
    real = Path.rename

    def rename(self: Path, target: Path) -> Path:
        renamed.extend(["x"] if "here/golden" in str(target) else [])
        if len(renamed) == 4:
            raise Killed
        return real(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", rename)
        with pytest.raises(Killed):
            call("cases", "export", "golden")
    assert call("score", "golden").status == 2
    assert call("cases", "export", "golden").status == 0
    assert call("score", "golden").status == 0
    assert not [name for name in tree(Path("golden")) if name.endswith(".tmp") or "next" in name]


def test_the_data_folder_is_no_place_for_it(call: Command, scene: Scene) -> None:
    """What is shared does not lie beside what is not."""
    assert call("cases", "export", str(scene.home / "golden")).status == 2


def test_as_json_a_held_back_case_is_named_with_its_reason(
    call: Command, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case that silently stays away is one that nobody misses."""
    from orders_pipeline.stages import golden_export

    monkeypatch.setattr(golden_export, "redacted_mail", lambda email, redactor: b"Subject: nothing\n\nnothing\n")
    answer = call("cases", "export", "golden", "--json")
    held = answer.data["held_back"]
    assert (answer.data["cases"], len(held)) == (0, 3)
    assert all("parsed becomes not_order" in h["reason"] for h in held)
    assert "is held back: redacted, it is read differently" in call("cases", "export", "golden").err


def test_without_decisions_there_is_nothing_to_score(call: Command, done: Scene) -> None:
    """No case scored is no case broken, and would pass every build."""
    answer = call("score")
    assert answer.status == 2
    assert "no case is accepted yet" in answer.err


@pytest.mark.parametrize("arguments", [("gone",), (os.devnull,), (".",)])
def test_a_folder_that_is_no_golden_set_is_told(call: Command, scene: Scene, arguments: tuple[str, ...]) -> None:
    """An empty set would score as perfect."""
    answer = call("score", *arguments)
    assert answer.status == 2
    assert "golden set" in answer.err


def test_the_judge_is_compared_with_the_decisions(call: Command, scene: Scene) -> None:
    """A judge that cries wolf, or one that sleeps, costs people's time; neither shows in its own verdicts."""
    answer = call("cases", "agreement")
    assert answer.status == 0
    assert "1 where the parser was wrong, 2 where it was right, 1 rejected" in answer.out
    assert "precision 0.33" in answer.out
    assert "too few decisions to tell the precision: 3 of the suspect, 10 are needed" in answer.out
    assert "too few decisions to tell the recall: 0 of the fine sample" in answer.out
    data = call("cases", "agreement", "--json").data
    assert data["by_code"]["total_does_not_add_up"] == {"wrong": 1, "right": 2, "rejected": 1}
    assert (data["all_suspect"], data["all_fine"]) == (4, 0)
    assert len(case_ids(scene)) == 4


def test_the_report_of_a_store_holds_no_text_of_a_mail(call: Command, scene: Scene) -> None:
    """A report is kept beside the code, by those who may not see the mail."""
    call("score", "--save", "report.json")
    text = Path("report.json").read_text()
    assert "204173" not in text
    assert json.loads(text)["senders"]
