"""``mailbox check``."""

from __future__ import annotations

from orders_pipeline_tests.cli.command import Command
from orders_pipeline_tests.harness import Scene, deliver, last_closed_days, noon, order_mail


def test_it_counts_the_last_days_and_stores_nothing(call: Command, scene: Scene) -> None:
    """The first thing to try after writing a configuration must not begin an import."""
    days = last_closed_days(3)
    for number, day in enumerate([days[0], days[2], days[2]]):
        deliver(scene.root / "inbox", order_mail(f"FM-{number}", noon(day)), f"m{number}")
    deliver(scene.root / "inbox", order_mail("FM-9", noon(last_closed_days(9)[0])), "long ago")
    before = sorted(path.name for path in (scene.root / "inbox").rglob("*"))
    answer = call("mailbox", "check", "--json")
    (row,) = answer.data
    assert answer.status == 0
    assert (row["mailbox"], row["messages"], row["error"]) == ("inbox", 3, None)
    assert {day: n for day, n in row["days"].items() if n} == {days[0].isoformat(): 1, days[2].isoformat(): 2}
    assert len(row["days"]) == 7
    assert not scene.home.exists()
    assert sorted(path.name for path in (scene.root / "inbox").rglob("*")) == before
    shown = "".join(call("mailbox", "check").out.split())  # a long path goes on in the next line
    assert shown.endswith((f"103{scene.root / 'inbox'}", f"203{scene.root / 'inbox'}"))


def test_each_mailbox_that_fails_is_a_line_and_the_others_are_counted(call: Command, scene: Scene) -> None:
    """Of four mailboxes the third had a typing error: nothing was said of the fourth."""
    text = scene.config_path.read_text(encoding="utf-8")
    box = '\n[[mailbox]]\nname = "{}"\nkind = "{}"\npath = "{}"\n'
    scene.config_path.write_text(text + box.format("lost", "eml", "nowhere") + box.format("odd", "mbox", "inbox"))
    answer = call("mailbox", "check")
    said = " ".join(answer.out.split())
    assert (answer.status, answer.err) == (1, "")
    assert (
        f"mailbox lost: {scene.root / 'nowhere'} does not exist;"
        " correct its path in the configuration, or mount the disk it lies on mailbox odd: no mbox file in "
    ) in said
    assert call("mailbox", "check", "inbox").status == 0


def test_a_name_that_is_no_mailbox_is_told_with_those_there_are(call: Command, scene: Scene) -> None:
    """Silence would look like an empty mailbox."""
    answer = call("mailbox", "check", "inbx")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "orders-pipeline: no mailbox 'inbx' in the configuration; there are: inbox\n"


def test_a_missing_password_is_told_by_its_variable(call: Command, scene: Scene) -> None:
    """Nobody is asked, and nothing is sent, without it."""
    text = scene.config_path.read_text(encoding="utf-8")
    section = '\n[[mailbox]]\nname = "post"\nkind = "imap"\nhost = "127.0.0.1"\nport = 1\nusername = "me"\n'
    scene.config_path.write_text(text + section + 'password_env = "NO_SUCH_WORD"\n', encoding="utf-8")
    answer = call("mailbox", "check", "post")
    assert answer.status == 1
    assert "mailbox post: the environment variable NO_SUCH_WORD is not set" in answer.out
