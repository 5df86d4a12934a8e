"""One validated configuration, read from ``orders_pipeline.toml``.

Belongs here: every setting with its default and its limits, and where the file and the data folder are found.
Not here: the mailboxes' own settings (mailbox_settings.py), secrets (secret.py), and any reading of mail or store.
"""

from __future__ import annotations

import datetime as dt
import os
import tomllib
import zoneinfo
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import ConfigError
from orders_pipeline.mailbox_settings import MAILBOX_KINDS, Day, MailboxSettings, Section, path_fields
from orders_pipeline.model_settings import ModelSettings
from orders_pipeline.usage_settings import UsageLogSettings

CONFIG_NAME = "orders_pipeline.toml"
FIRST_START = dt.date(1970, 1, 1)
_DAYS = Field(ge=0, le=36_500)
_SECONDS = 366 * 86_400  # the longest wait that makes sense


class OwnerSettings(Section):
    """Whose mail this is: addresses whose forwards count as the original mail."""

    addresses: tuple[str, ...] = ()


class FetchSettings(Section):
    """How mail is saved: one archive file a batch, bounded by count and bytes.

    Of a message over ``max_message_bytes`` the headers and the structure are kept, and its body is left out.
    """

    batch_messages: Annotated[int, Field(ge=1, le=10_000)] = 200
    batch_bytes: Annotated[int, Field(ge=1)] = 32 * 1024 * 1024
    max_message_bytes: Annotated[int, Field(ge=1024, le=1024**3)] = 64 * 1024 * 1024
    max_tries: Annotated[int, Field(ge=1, le=100)] = 5


class ParseSettings(Section):
    """``exclude_senders``: addresses or domains whose mail gets the outcome ``excluded``.

    ``accept_failed_authentication`` reads mail as an order although its Authentication-Results say that it failed.
    ``processes`` is how many read mail at once where there is much of it; 0 is one a core, up to four.
    """

    exclude_senders: tuple[str, ...] = ()
    accept_failed_authentication: bool = False
    # Left out where settings become a digest: no result depends on it.
    processes: Annotated[int, Field(ge=0, le=16, exclude=True)] = 0


class ExtractSettings(Section):
    """``model`` lets the model in ``[review.model]`` read mail with words of an order that no rule reads."""

    model: bool = False


class ReviewSettings(Section):
    """The judges and the queue. ``max_per_template`` caps near-duplicates in the queue, ``max_new`` what is there only
    because its sender or its form is new, ``max_sample`` the random sample of parses that were found fine.

    With ``judge = "model"`` each parse owes a verdict of the rules and one of the model in ``[review.model]``.
    """

    judge: Literal["rules", "model"] = "rules"
    max_tries: Annotated[int, Field(ge=1, le=100)] = 5
    max_per_template: Annotated[int, Field(ge=1)] = 3
    queue_limit: Annotated[int, Field(ge=1)] = 500
    max_new: Annotated[int, Field(ge=0)] = 20
    max_sample: Annotated[int, Field(ge=0)] = 50
    sample_of_fine: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.01
    sample_seed: Annotated[int, Field(ge=0)] = 0
    model: ModelSettings = ModelSettings()


class AlertSettings(Section):
    """When an order needs a person. All limits are in days."""

    cancelled_days: Annotated[int, _DAYS] = 14
    overdue_after_days: Annotated[int, _DAYS] = 2
    overdue_for_days: Annotated[int, _DAYS] = 30
    unshipped_after_days: Annotated[int, _DAYS] = 7
    unshipped_until_days: Annotated[int, _DAYS] = 90
    assume_delivered_after_days: Annotated[int, _DAYS] = 10
    exclude_merchants: tuple[str, ...] = ()


class SensorSettings(Section):
    """How much the sensor asks for, and how it waits between tries of a day (seconds, doubling up to the limit)."""

    max_days_per_run: Annotated[int, Field(ge=1, le=366)] = 30
    max_runs_in_flight: Annotated[int, Field(ge=1, le=16)] = 2
    retry_first_seconds: Annotated[int, Field(ge=0, le=_SECONDS)] = 60
    retry_limit_seconds: Annotated[int, Field(ge=0, le=_SECONDS)] = 6 * 3600
    relist_recent_days: Annotated[int, Field(ge=0)] = 7
    relist_recent_every_seconds: Annotated[int, Field(ge=60)] = 3600
    relist_all_every_seconds: Annotated[int, Field(ge=60)] = 7 * 86400


class StoreSettings(Section):
    """How long a process waits for the store's lock, in seconds."""

    lock_timeout_seconds: Annotated[float, Field(gt=0)] = 120.0


class Config(Section):
    """Everything a run needs to know. ``zone`` and ``start_date`` define the partitions."""

    zone: str
    start_date: Day
    mailbox: Annotated[tuple[MailboxSettings, ...], Field(min_length=1)]
    owner: OwnerSettings = OwnerSettings()
    fetch: FetchSettings = FetchSettings()
    parse: ParseSettings = ParseSettings()
    extract: ExtractSettings = ExtractSettings()
    review: ReviewSettings = ReviewSettings()
    alerts: AlertSettings = AlertSettings()
    sensor: SensorSettings = SensorSettings()
    store: StoreSettings = StoreSettings()
    usage: tuple[UsageLogSettings, ...] = ()

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        if not is_zone(zone):
            raise ValueError(f"unknown time zone {zone!r}; use an IANA name such as Europe/Berlin")
        return zone

    @model_validator(mode="after")
    def _unique_names(self) -> Config:
        names = [m.name for m in self.mailbox]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise ValueError(f"mailbox name used twice: {', '.join(twice)}; each mailbox needs a name of its own")
        return self

    def owing(self, day: dt.date) -> frozenset[str]:
        """The names of the mailboxes that owe a day a complete listing."""
        return frozenset(m.name for m in self.mailbox if m.since is None or m.since <= day)

    @model_validator(mode="after")
    def _model_is_named(self) -> Config:
        asks = "review.judge is 'model'" if self.review.judge == "model" else "extract.model is true"
        if (self.review.judge == "model" or self.extract.model) and not self.review.model.model:
            raise ValueError(f"{asks}, but review.model.model is empty; write the model's name there")
        return self

    @model_validator(mode="after")
    def _logs_can_be_judged(self) -> Config:
        names = [log.name for log in self.usage]
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise ValueError(f"usage log name used twice: {', '.join(twice)}; each log needs a name of its own")
        if names and not self.review.model.model:
            raise ValueError("there is a [[usage]] log, but review.model.model is empty; write the model's name there")
        return self

    @property
    def tz(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.zone)


def is_zone(name: str) -> bool:
    """Whether this is the name of a time zone."""
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def home(environ: Mapping[str, str] | None = None) -> Path:
    """The data folder: ``ORDERS_PIPELINE_HOME``, or ``.orders`` in the current folder. Not created here."""
    environ = os.environ if environ is None else environ
    return _expanded(Path(environ.get("ORDERS_PIPELINE_HOME") or ".orders"), "ORDERS_PIPELINE_HOME").absolute()


def config_path(environ: Mapping[str, str] | None = None) -> Path:
    """The configuration file: ``ORDERS_PIPELINE_CONFIG``, or the one in the current folder, or in the data folder."""
    environ = os.environ if environ is None else environ
    if named := environ.get("ORDERS_PIPELINE_CONFIG"):
        return _expanded(Path(named), "ORDERS_PIPELINE_CONFIG").absolute()
    here = Path(CONFIG_NAME).absolute()
    return here if here.exists() else home(environ) / CONFIG_NAME


def load_config(path: Path | None = None, *, today: dt.date | None = None) -> Config:
    """Read and validate the configuration.

    Relative mailbox paths are resolved against the file's folder. ``today`` (for tests) is the local day in the
    configured zone by default. Raises ``ConfigError`` with one line a fault, joined by "; ".
    """
    path = config_path() if path is None else path
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))  # some editors write a byte order mark
    except FileNotFoundError:
        raise ConfigError(
            f"no configuration at {path}: copy orders_pipeline.example.toml there and name your mailbox,"
            " or run `make demo` for a sample"
        ) from None
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {path}: {error.strerror}; check its permissions") from None
    except (ValueError, RecursionError) as error:  # among them what is no TOML, no UTF-8, or nested without end
        raise ConfigError(f"{path} is not valid TOML: {printable_line(str(error), 200)}; correct it there") from None
    return parse_config(data, base=path.parent, source=str(path), today=today)


def parse_config(data: Mapping[str, Any], *, base: Path, source: str, today: dt.date | None = None) -> Config:
    """Validate configuration data; ``base`` resolves relative paths, ``source`` names the file in errors."""
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        inside = [fault for fault in faults if fault["loc"][:1] == ("mailbox",) and len(fault["loc"]) > 1]
        # A mailbox with a fault is dropped, and pydantic then finds too few of them.
        told = [fault for fault in faults if not (inside and fault["loc"] == ("mailbox",))]
        raise ConfigError(f"{source}: " + "; ".join(map(_line, told))) from None
    today = dt.datetime.now(config.tz).date() if today is None else today
    if config.start_date > today:
        raise ConfigError(f"{source}: start_date {config.start_date} lies in the future; use a day up to {today}")
    if config.start_date < FIRST_START:
        raise ConfigError(f"{source}: start_date {config.start_date} lies before {FIRST_START}; use a day from then on")
    base = base.absolute()
    boxes = tuple(
        m.model_copy(
            update={
                key: base / _expanded(path, f"{source}: the {key} of mailbox {m.name}")
                for key, path in path_fields(m).items()
            }
        )
        for m in config.mailbox
    )
    logs = tuple(
        log.model_copy(
            update={
                key: base / _expanded(getattr(log, key), f"{source}: the {key} of usage log {log.name}")
                for key in ("source", "rubric")
            }
        )
        for log in config.usage
    )
    review = _resolved(config.review, base, source)
    return config.model_copy(update={"mailbox": boxes, "usage": logs, "review": review})


def _resolved(review: ReviewSettings, base: Path, source: str) -> ReviewSettings:
    if review.model.api_key_file is None:
        return review
    path = base / _expanded(review.model.api_key_file, f"{source}: review.model.api_key_file")
    return review.model_copy(update={"model": review.model.model_copy(update={"api_key_file": path})})


def _expanded(path: Path, what: str) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise ConfigError(f"{what}: {path} names a user without a home folder; write the whole path") from None


def _line(fault: Mapping[str, Any]) -> str:
    where = printable_line(".".join(str(part) for part in fault["loc"]), 120)
    if fault["type"] == "extra_forbidden":
        return f"unknown key {where}; remove it or check its spelling"
    if where == "mailbox" and fault["type"] in ("missing", "too_short", "tuple_type"):
        return "no mailbox: add a section [[mailbox]] (two brackets) with name, kind and path"
    if fault["type"] == "missing":
        return f"{where} is missing; add it (orders_pipeline.example.toml shows every key)"
    if fault["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return f"{where}.kind: use one of {MAILBOX_KINDS}"
    if fault["type"] == "string_pattern_mismatch":
        return f"{where}: use up to 64 letters, digits, and . _ - (a letter or digit first)"
    if fault["type"].startswith("date"):
        return f"{where} is no day; write it as 2026-05-11"
    message = printable_line(str(fault["msg"]).removeprefix("Value error, "), 300)
    return f"{where}: {message}" if where else message
