"""The settings of the language model that may judge parses, and read what no rule reads.

Belongs here: what ``[review.model]`` may say, and its limits. Not here: secrets (secret.py), talking to the server
(llm/).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from orders_pipeline.mailbox_settings import Section, SomePath, is_loopback

_Price = Annotated[Decimal, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
_Seconds = Annotated[float, Field(gt=0, le=3600)]


class ModelSettings(Section):
    """One model behind an OpenAI-compatible server (``POST base_url/chat/completions``).

    ``http://`` only to this machine. The key is in an environment variable or in a private file; a local server needs
    none. ``timeout_seconds`` ends a call as a whole, however slowly the server sends. Prices are per million tokens,
    in a currency of your choice; ``cost_per_day`` is in the same one and needs them. Days are local days of ``zone``.
    """

    base_url: Annotated[str, Field(pattern=r"^https?://[^\s]+$", max_length=1000)] = "http://127.0.0.1:11434/v1"
    model: Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")] | None = None
    api_key_file: SomePath | None = None
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] = 0.0
    max_output_tokens: Annotated[int, Field(ge=64, le=100_000)] = 1500
    max_input_chars: Annotated[int, Field(ge=1000, le=400_000)] = 12_000
    connect_timeout_seconds: _Seconds = 10.0
    timeout_seconds: _Seconds = 120.0
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    concurrency: Annotated[int, Field(ge=1, le=32)] = 4
    calls_per_minute: Annotated[int, Field(ge=1, le=100_000)] = 60
    calls_per_day: Annotated[int, Field(ge=1, le=1_000_000)] = 500
    cost_per_day: _Price | None = None
    input_price: _Price | None = None
    output_price: _Price | None = None
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"

    @model_validator(mode="after")
    def _is_safe(self) -> ModelSettings:
        url = urlsplit(self.base_url)
        if url.username is not None or url.query or url.fragment:
            raise ValueError("base_url holds more than an address; give the key by api_key_env or api_key_file")
        if url.scheme != "https" and not is_loopback(url.hostname or ""):
            raise ValueError("base_url would send mail in the clear; use https:// (http:// is for this machine)")
        if self.api_key_env is not None and self.api_key_file is not None:
            raise ValueError("has api_key_env and api_key_file; give one of them")
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("has one price; give both input_price and output_price")
        if self.cost_per_day is not None and self.input_price is None:
            raise ValueError("cost_per_day needs input_price and output_price")
        return self

    @property
    def endpoint(self) -> str:
        """Where chat completions are asked for."""
        return self.base_url.rstrip("/") + "/chat/completions"

    @property
    def is_local(self) -> bool:
        """Whether the server is this machine."""
        return is_loopback(urlsplit(self.base_url).hostname or "")

    def cost(self, input_tokens: int, output_tokens: int) -> Decimal | None:
        """What a call costs, to a hundred-millionth; None without prices."""
        if self.input_price is None or self.output_price is None:
            return None
        whole = self.input_price * input_tokens + self.output_price * output_tokens
        return (whole / 1_000_000).quantize(Decimal("0.00000001"))
