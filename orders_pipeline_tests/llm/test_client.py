"""Whatever a server does, the client gives an answer that was asked for, or a fault that says whose it is."""

from __future__ import annotations

import datetime as dt
import json
import threading
import time
from decimal import Decimal
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from orders_pipeline.llm.faults import Kind, LlmFault
from orders_pipeline.llm.transport import MAX_BYTES
from orders_pipeline.model_settings import ModelSettings
from orders_pipeline_tests.llm.conftest import QUESTION, Bench
from orders_pipeline_tests.llm.stub_server import FINE, Asked, error, saying
from orders_pipeline_tests.loopback import DROP, Reply

ANSWER = {"reasons": [], "confidence": 0.9}


def fault(bench: Bench, **settings: object) -> LlmFault:
    with pytest.raises(LlmFault) as caught:
        bench.client(**settings).ask(QUESTION)
    assert caught.value.text.isprintable()
    return caught.value


def test_an_answer_comes_with_its_tokens_and_cost(bench: Bench) -> None:
    """Costs that are not recorded with each call cannot be limited."""
    assert bench.client(input_price=2, output_price="10.5").ask(QUESTION) == ANSWER
    (call,) = bench.gate.calls
    assert (call.input_tokens, call.output_tokens, call.estimated, call.fault) == (800, 40, False, "")
    assert call.cost == Decimal("0.00202000")
    assert (call.purpose, call.subject, call.model) == ("test", "m1", "judge-1")
    estimate = bench.gate.estimates[0]
    assert estimate is not None
    assert call.cost is not None
    assert estimate > call.cost


# name -> (reply, kind of fault, a word of the line)
NO_ANSWER: dict[str, tuple[Reply, Kind, str]] = {
    "refusal": (saying("", refusal="I cannot help with that\x1b[2J"), Kind.ANSWER, "refused"),
    "filter": (saying(ANSWER, finish="content_filter"), Kind.ANSWER, "filter"),
    "cut off": (saying('{"reasons": [], "confidence": 0.9}', finish="length"), Kind.ANSWER, "cut off"),
    "empty": (saying("  "), Kind.ANSWER, "empty"),
    "no content": (saying("", content=None), Kind.ANSWER, "empty"),
    "prose": (saying("All is well."), Kind.ANSWER, "not the JSON"),
    "half": (saying('{"reasons": ['), Kind.ANSWER, "not the JSON"),
    "nan": (saying('{"reasons": [], "confidence": NaN}'), Kind.ANSWER, "not the JSON"),
    "infinity": (saying('{"reasons": [], "confidence": -Infinity}'), Kind.ANSWER, "not the JSON"),
    "twice": (saying('{"confidence": 1, "confidence": 0}'), Kind.ANSWER, "not the JSON"),
    "two objects": (saying("{} {}"), Kind.ANSWER, "not the JSON"),
    "a list": (saying("[]"), Kind.ANSWER, "no JSON object"),
    "deep": (saying("[" * 100_000), Kind.ANSWER, "not the JSON"),
    "html": (Reply(body=b"<html>login</html>"), Kind.SERVER, "no JSON"),
    "bytes": (Reply(body=b"\xff\xfe\x00"), Kind.SERVER, "no JSON"),
    "nothing": (Reply(body=b""), Kind.SERVER, "no JSON"),
    "other json": (Reply(body=b'{"choices": []}'), Kind.SERVER, "no chat completion"),
    "a number": (Reply(body=b"7"), Kind.SERVER, "no chat completion"),
    "odd choices": (Reply(body=b'{"choices": [{"message": 3}]}'), Kind.SERVER, "no chat completion"),
    "endless": (Reply(body=b" " * (MAX_BYTES + 1)), Kind.ANSWER, "more than"),
    "too long": (error(400, "This model's maximum context length is 8192 tokens"), Kind.ANSWER, "max_input_chars"),
    "login": (error(401, "Incorrect API key"), Kind.LOGIN, "api_key_env"),
    "forbidden": (error(403), Kind.LOGIN, "api_key_env"),
    "no model": (error(404, "model 'judge-1' not found"), Kind.LOGIN, "base_url"),
    "redirect": (Reply(302, b"", {"Location": "https://elsewhere.example/"}), Kind.LOGIN, "redirect"),
    "no credit": (error(402, "Payment required"), Kind.LIMIT, "billing"),
    "quota": (
        Reply(429, b'{"error": {"code": "insufficient_quota", "message": "You exceeded your quota"}}'),
        Kind.LIMIT,
        "quota",
    ),
    "error in a success": (Reply(body=b'{"error": {"code": 401, "message": "bad key"}}'), Kind.LOGIN, "api_key_env"),
}


@pytest.mark.parametrize(("reply", "kind", "word"), NO_ANSWER.values(), ids=NO_ANSWER.keys())
def test_what_is_no_answer_is_a_fault_and_not_asked_again(bench: Bench, reply: Reply, kind: Kind, word: str) -> None:
    """A refusal or half an answer counted as a verdict poisons the test set; asked again it costs again."""
    bench.server.say(reply)
    found = fault(bench)
    assert (found.kind, word in found.text) == (kind, True), found.text
    assert len(bench.server.asked) == 1
    assert bench.gate.calls[0].fault == kind


FORMS_OF_TEXT = {
    "plain": '{"a": 1}',
    "fenced": '```json\n{"a": 1}\n```',
    "thought": '<think>It {may} be.</think>\n{"a": 1}',
    "parts": [{"type": "text", "text": '{"a": '}, {"type": "text", "text": "1}"}],
}


@pytest.mark.parametrize("content", FORMS_OF_TEXT.values(), ids=FORMS_OF_TEXT.keys())
def test_an_answer_is_found_in_the_forms_in_which_servers_send_it(bench: Bench, content: Any) -> None:
    """Local models think aloud and put fences around JSON."""
    bench.server.say(saying("", content=content))
    assert bench.client().ask(QUESTION) == {"a": 1}


TRANSIENT = {
    "busy": error(429),
    "overloaded": error(529),
    "unavailable": error(503),
    "broken": error(500),
    "dropped": DROP,
    "died in the middle": Reply(body=FINE.body, cut_after=40),
}


@pytest.mark.parametrize("reply", TRANSIENT.values(), ids=TRANSIENT.keys())
def test_a_passing_fault_is_tried_again_a_bounded_number_of_times(bench: Bench, reply: Reply) -> None:
    """A hiccup must not cost a verdict, nor a broken server a thousand calls."""
    bench.server.say(reply, FINE)
    assert bench.client().ask(QUESTION) == ANSWER
    bench.server.say(reply)
    before = len(bench.server.asked)
    assert fault(bench, retries=2).kind in (Kind.LINE, Kind.SERVER)
    assert len(bench.server.asked) - before == 3
    assert len(bench.gate.calls) == len(bench.server.asked)
    assert bench.waits[-1] > bench.waits[-2]


def test_the_server_says_how_long_to_wait(bench: Bench) -> None:
    """Asking sooner prolongs the ban; waiting for an hour holds the day's lock for an hour."""
    bench.server.say(error(429, retry_after="7"), FINE)
    bench.client().ask(QUESTION)
    assert 7 <= bench.waits[0] <= 8
    date = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=20)
    bench.server.say(error(503, retry_after=format_datetime(date, usegmt=True)), FINE)
    bench.client().ask(QUESTION)
    assert 15 <= bench.waits[1] <= 21
    bench.server.say(error(429, retry_after="3600"))
    assert fault(bench).retry_after == 3600
    assert len(bench.waits) == 2


SLOW = {
    "stalls": Reply(stall=True),
    "drips its headers": Reply(body=FINE.body, drip_head=0.05),
    "drips its body": Reply(body=b" " * 10_000 + FINE.body, drip=0.002),
}


@pytest.mark.parametrize("reply", SLOW.values(), ids=SLOW.keys())
def test_a_call_ends_in_time_however_slowly_the_server_sends(bench: Bench, reply: Reply) -> None:
    """A timeout between bytes never ends a server that sends one byte a second."""
    bench.server.say(reply)
    began = time.monotonic()
    found = fault(bench, timeout_seconds=0.4)
    assert time.monotonic() - began < 3
    assert "within 0.4 s" in found.text
    assert len(bench.server.asked) == 1
    assert bench.gate.calls[0].estimated  # it may have been billed
    bench.server.say(FINE)
    assert bench.client().ask(QUESTION) == ANSWER


def test_nobody_at_the_address_is_a_fault_of_the_line(bench: Bench) -> None:
    """A local server that is not started is no fault of the mail."""
    bench.server.close()
    found = fault(bench, retries=1)
    assert (found.kind, "is the server running" in found.text) == (Kind.LINE, True)
    assert len(bench.waits) == 1
    assert not bench.gate.calls[0].estimated


def test_structured_output_falls_back_and_is_remembered(bench: Bench) -> None:
    """Many servers know only some forms; finding out with each mail would cost three calls each."""

    def script(asked: Asked) -> Reply:
        if asked.form != "plain":
            return error(400, f"response_format {asked.form} is not supported")
        return FINE

    bench.server.script = script
    client = bench.client()
    assert client.ask(QUESTION) == client.ask(QUESTION) == ANSWER
    assert [asked.form for asked in bench.server.asked] == ["json_schema", "json_object", "plain", "plain"]


def test_parameters_that_a_model_refuses_are_left_out(bench: Bench) -> None:
    """Newer models know max_completion_tokens only, and no temperature."""

    def script(asked: Asked) -> Reply:
        for name in ("max_tokens", "temperature"):
            if name in asked.data:
                return error(400, f"Unsupported parameter: '{name}' is not supported with this model.")
        return FINE

    bench.server.script = script
    assert bench.client().ask(QUESTION) == ANSWER
    last = bench.server.asked[-1]
    assert (last.form, last.data["max_completion_tokens"]) == ("json_schema", 1500)
    assert len(bench.server.asked) == 3


def test_a_question_that_is_refused_in_every_form_is_its_own_fault(bench: Bench) -> None:
    """The search for a form ends."""
    bench.server.say(error(400, "no"))
    assert fault(bench).kind is Kind.ANSWER
    assert len(bench.server.asked) == 3


def test_threads_that_are_refused_together_give_up_one_step(bench: Bench) -> None:
    """Else four threads fall from the best form to none at the first refusal."""
    together = threading.Barrier(4)

    def script(asked: Asked) -> Reply:
        if asked.form == "json_schema":
            together.wait(10)
            return error(400, "response_format not supported")
        return FINE

    bench.server.script = script
    client = bench.client()
    threads = [threading.Thread(target=client.ask, args=(QUESTION,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert {asked.form for asked in bench.server.asked} == {"json_schema", "json_object"}


def test_the_key_goes_to_the_server_and_into_no_line(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A key in a log is a key lost."""
    monkeypatch.setenv("JUDGE_KEY", "sk-very-secret")
    bench.client(api_key_env="JUDGE_KEY").ask(QUESTION)
    assert bench.server.asked[0].headers["authorization"] == "Bearer sk-very-secret"
    path = tmp_path / "key"
    path.write_text("sk-from-a-file\n")
    path.chmod(0o600)
    client = bench.client(api_key_file=path)
    client.ask(QUESTION)
    assert bench.server.asked[1].headers["authorization"] == "Bearer sk-from-a-file"
    bench.server.say(error(401, "bad"))
    found = fault(bench, api_key_env="JUDGE_KEY")
    shown = found.text + repr(vars(client)) + repr(bench.gate.calls)
    assert not [key for key in ("sk-very-secret", "sk-from-a-file") if key in shown]
    bench.server.say(FINE)
    bench.client().ask(QUESTION)
    assert "authorization" not in bench.server.asked[-1].headers


def test_a_key_that_is_not_there_is_a_fault_of_the_login(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told with its remedy, before anything is sent or counted."""
    monkeypatch.delenv("JUDGE_KEY", raising=False)
    found = fault(bench, api_key_env="JUDGE_KEY")
    assert (found.kind, "JUDGE_KEY is not set" in found.text) == (Kind.LOGIN, True)
    monkeypatch.setenv("JUDGE_KEY", "sk\nInjected: header")
    assert fault(bench, api_key_env="JUDGE_KEY").kind is Kind.LOGIN
    assert (bench.server.asked, bench.gate.estimates) == ([], [])


def test_no_netrc_and_no_proxy_stand_between_this_machine_and_itself(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Mail in the clear must not go through a proxy, nor a login from another file to the model's server."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login a password b\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert bench.client().ask(QUESTION) == ANSWER
    assert "authorization" not in bench.server.asked[0].headers


WRONG_SETTINGS = {
    "in the clear": {"base_url": "http://models.example/v1"},
    "a key in the address": {"base_url": "https://user:key@models.example/v1"},
    "a key in the query": {"base_url": "https://models.example/v1?key=abc"},
    "two keys": {"api_key_env": "A", "api_key_file": "b"},
    "one price": {"input_price": 1},
    "a limit without prices": {"cost_per_day": 1},
    "a price that is none": {"input_price": "NaN", "output_price": 1},
    "other scheme": {"base_url": "ftp://127.0.0.1/"},
}


@pytest.mark.parametrize("settings", WRONG_SETTINGS.values(), ids=WRONG_SETTINGS.keys())
def test_settings_that_would_leak_or_mean_nothing_are_refused(settings: dict[str, object]) -> None:
    """They are told when the configuration is read, not when mail was sent."""
    with pytest.raises(ValidationError):
        ModelSettings.model_validate(settings)


def test_tokens_that_the_server_does_not_tell_are_estimated_upwards(bench: Bench) -> None:
    """Taken for zero they would never reach a limit."""
    bench.server.say(saying(ANSWER, usage={}))
    bench.client(input_price=1, output_price=1).ask(QUESTION)
    (call,) = bench.gate.calls
    assert call.estimated
    assert call.output_tokens == 1500
    assert call.cost == bench.gate.estimates[0]
    bench.server.say(Reply(body=json.dumps({**json.loads(FINE.body), "usage": {"prompt_tokens": -5}}).encode()))
    bench.client().ask(QUESTION)
    assert bench.gate.calls[1].input_tokens > 0


def test_one_question_that_is_refused_costs_the_others_no_form(bench: Bench) -> None:
    """A provider's policy refuses a mail with the same status as an unknown parameter."""
    bench.server.say(FINE, error(400, "flagged by our policy"), FINE)
    client = bench.client()
    client.ask(QUESTION)
    with pytest.raises(LlmFault) as caught:
        client.ask(QUESTION)
    assert caught.value.kind is Kind.ANSWER
    client.ask(QUESTION)
    assert [asked.form for asked in bench.server.asked] == ["json_schema"] * 3


def test_a_server_that_repeats_the_key_tells_nobody(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors are shown, and kept in tables."""
    monkeypatch.setenv("JUDGE_KEY", "sk-very-secret")
    bench.server.say(error(401, "Incorrect API key provided: sk-very-secret."))
    found = fault(bench, api_key_env="JUDGE_KEY")
    assert "provided: ***" in found.text
    assert "sk-very" not in found.text + repr(bench.gate.calls)


@pytest.mark.parametrize("key", ["1", "null", "lamps", "sk-very-secret-key"])
def test_a_placeholder_for_a_key_changes_no_answer(bench: Bench, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """Local servers take any key: with the key "1" every answer with a 1 in it was garbled, and so no answer."""
    monkeypatch.setenv("JUDGE_KEY", key)
    bench.server.say(saying({"reasons": ["11 lamps"], "confidence": None}))
    assert bench.client(api_key_env="JUDGE_KEY").ask(QUESTION) == {"reasons": ["11 lamps"], "confidence": None}


def test_a_call_that_waits_for_its_turn_is_not_made_after_the_end(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody takes its answer any more, and it costs all the same."""
    client, enter = bench.client(input_price=2, output_price="10.5"), bench.gate.enter

    def stopped_meanwhile(cost: Decimal | None) -> tuple[str, dt.datetime]:
        client.stop()
        return enter(cost)

    monkeypatch.setattr(bench.gate, "enter", stopped_meanwhile)
    with pytest.raises(LlmFault) as caught:
        client.ask(QUESTION)
    assert caught.value.kind is Kind.LINE
    assert bench.server.asked == []
    assert [(call.cost, call.fault) for call in bench.gate.calls] == [(Decimal(0), "line")]


@pytest.mark.parametrize(
    "reply", [saying("Robin ordered lamps."), saying('["Robin"]'), saying("", refusal="Robin is a person")]
)
def test_the_record_of_a_call_holds_nothing_of_what_was_answered(bench: Bench, reply: Reply) -> None:
    """Records of calls outlive a mail that is forgotten: words about it stayed in archive and table."""
    bench.server.say(reply)
    assert "Robin" in fault(bench).text
    (call,) = bench.gate.calls
    assert call.fault == "answer"
    assert call.error
    assert "Robin" not in call.error
