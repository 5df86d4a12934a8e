"""One message as the API gives it."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.mail.gmail.message import kept_of_large, raw_of, received_ms_of, size_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.binary(min_size=1), st.sampled_from(["", "=", "=="]))
def test_bytes_come_back_from_every_way_of_writing_base64(raw: bytes, padding: str) -> None:
    """Padding is left out by some servers, and some write the other alphabet."""
    text = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    assert raw_of({"raw": text + padding}) == raw
    assert raw_of({"raw": text.replace("-", "+").replace("_", "/")}) == raw


@pytest.mark.parametrize("raw", [None, "", "a", "ab!c", "äöü", 5, [], "ab cd"])
def test_what_is_no_base64_is_an_error_and_never_half_a_message(raw: object) -> None:
    """The usual decoder drops what it does not know and gives the rest."""
    with pytest.raises(ValueError, match="Gmail sent no"):
        raw_of({"raw": raw})


@given(JSON)
def test_no_answer_raises_anything_but_a_value_error(value: object) -> None:
    """What the server sends is not ours to trust: it must end as an error of one message."""
    for data in ({"payload": value}, {"payload": {"headers": value, "parts": value, "body": value, "mimeType": value}}):
        try:
            kept_of_large(data, size=5, limit=1)
        except ValueError:
            assert not isinstance(data["payload"], dict)
    assert isinstance(size_of({"sizeEstimate": value}), int)
    received = received_ms_of({"internalDate": value})
    assert received is None or abs(received) < 2**53


@pytest.mark.parametrize(
    ("value", "wanted"), [("1778493600000", 1778493600000), ("-5", -5), (12, 12), ("", None), ("--5", None)]
)
def test_dates_are_milliseconds(value: object, wanted: int | None) -> None:
    """The API writes 64-bit numbers as text."""
    assert received_ms_of({"internalDate": value}) == wanted


def test_structure_of_a_deep_message_ends() -> None:
    """A mail nested a thousand levels deep must not end the process."""
    part: dict[str, object] = {"mimeType": "text/plain", "body": {"size": 3}}
    for _ in range(500):
        part = {"mimeType": "multipart/mixed", "parts": [part]}
    assert kept_of_large({"payload": part}, size=9, limit=1).count(b"multipart/mixed") == 9
