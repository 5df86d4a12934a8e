"""Redacted cases from a store: what leaves it, what is held back."""

from __future__ import annotations

from pathlib import Path

import pytest

from orders_pipeline.config import OwnerSettings, ParseSettings
from orders_pipeline.extract.parser import parse_message
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import ParseResult
from orders_pipeline.review.export.registry import FORMAT_NAMES, export_files
from orders_pipeline.stages import golden_export
from orders_pipeline.stages.golden_export import GoldenExport, export_golden
from orders_pipeline_tests.harness import Scene
from orders_pipeline_tests.stages.golden_scene import PERSONAL, accept, case_ids, case_with, edit, golden_scene


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Four cases, all accepted but for one, whose total a person corrected."""
    scene = golden_scene(tmp_path_factory.mktemp("made"))
    assert len(case_ids(scene)) == 4
    accept(scene, *case_ids(scene))
    edit(scene, case_with(scene, "BK-204171"), total="27.40")
    return scene


@pytest.fixture(scope="module")
def export(made: Scene) -> GoldenExport:
    return export_golden(made.work())


def reread(export: GoldenExport, mail: bytes) -> ParseResult:
    """An exported mail as any other parser's first reader finds it."""
    owner = OwnerSettings(addresses=tuple(export.settings["owner"]))
    return parse_message(parse_email(mail), ParseSettings(), owner=owner, zone=export.settings["zone"])


def test_nothing_personal_is_in_any_byte(export: GoldenExport) -> None:
    """A test set is shared: what is in it once is out for good."""
    assert [h.reason for h in export.held_back] == []
    files = export_files(export.cases, FORMAT_NAMES)
    assert len(export.cases) == 4
    for path, content in files.items():
        text = content.decode("utf-8").encode("utf-8").decode("unicode_escape", "replace") + content.decode("utf-8")
        for value in PERSONAL:
            assert value.casefold() not in text.casefold(), (path, value)


def test_a_redacted_mail_is_read_as_the_original_was(made: Scene, export: GoldenExport) -> None:
    """A case whose redacted mail is read rightly shows no fault of the parser any more."""
    for case in export.cases:
        (order,), (expected,) = reread(export, case.mail).orders, case.orders
        corrected = case.case_id == case_with(made, "BK-204171")
        assert str(order.total) == "31.00"
        assert expected["total"] == ("27.40" if corrected else "31.00")
        assert order.order_number == expected["order_number"]
        assert order.merchant == expected["merchant"]


def test_attachments_are_named_and_left_out(made: Scene, export: GoldenExport) -> None:
    """An invoice holds the name and address of whom it is for, where nobody looks."""
    (case,) = [c for c in export.cases if c.case_id == case_with(made, "BK-204173")]
    assert b"application/pdf, 8 bytes" in case.mail
    assert b"%PDF" not in case.mail


def test_a_forward_stays_one(made: Scene, export: GoldenExport) -> None:
    """A parser that opens no forwards fails on such mail, and a test set without one does not show it."""
    (case,) = [c for c in export.cases if c.case_id == case_with(made, "BK-204174")]
    email = parse_email(case.mail)
    assert [one.forwarded for one in email.inner] == ["attached"]
    assert email.sender.address in export.settings["owner"]
    assert case.provenance["sender_domain"] == "example.org"


def test_the_same_store_gives_the_same_bytes(made: Scene, export: GoldenExport) -> None:
    """Else each export is a change of every file, in which a real one is not seen."""
    again = export_golden(made.work())
    assert export_files(again.cases, FORMAT_NAMES) == export_files(export.cases, FORMAT_NAMES)


def test_who_decided_is_named_only_when_asked(made: Scene, export: GoldenExport) -> None:
    """A user name is a person's too."""
    assert all("decided_by" not in case.provenance for case in export.cases)
    assert all(case.provenance["decided_by"] for case in export_golden(made.work(), name_deciders=True).cases)


def test_a_mail_that_is_read_otherwise_is_held_back(made: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A redaction that takes away what the parser needs makes another case of it."""
    real = golden_export.redacted_mail
    monkeypatch.setattr(
        golden_export, "redacted_mail", lambda email, redactor: real(email, redactor).replace(b"31.00", b"32.00")
    )
    export = export_golden(made.work())
    assert not export.cases
    assert {h.reason for h in export.held_back} == {"redacted, it is read differently: total"}


def test_a_mail_with_a_personal_value_left_is_held_back(made: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Redaction is by patterns; that it is not perfect must not be found out by others."""
    real = golden_export.redacted_mail
    monkeypatch.setattr(
        golden_export, "redacted_mail", lambda email, redactor: real(email, redactor) + b"\nfor Wilma\n"
    )
    export = export_golden(made.work())
    reasons = [h.reason for h in export.held_back]
    assert "redacted, it still holds 1 personal value" in reasons
    assert "Wilma" not in str(reasons)


def test_a_case_whose_mail_was_forgotten_is_gone(made: Scene, tmp_path: Path) -> None:
    """What a person had removed from the store must not come back by its test set."""
    from orders_pipeline.stages.forget import forget
    from orders_pipeline_tests.harness import select

    scene = made.copy_to(tmp_path)
    case = case_with(scene, "BK-204172")
    ((message,),) = select(scene.work().store, "SELECT message_id FROM eval_cases WHERE case_id = ?", [case])
    forget(scene.work(), [message])
    export = export_golden(scene.work())
    assert case not in {c.case_id for c in export.cases}
