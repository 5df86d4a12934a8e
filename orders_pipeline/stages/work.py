"""What every stage works with: the store, the configuration, a clock, and who asks.

Belongs here: the context of a run, and how a day ends. Not here: what a stage does.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field

from orders_pipeline.config import Config
from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.mail.sources import open_mailbox
from orders_pipeline.review.judge import Judge
from orders_pipeline.stages.mail_decoder import MailDecoder
from orders_pipeline.stages.model_access import ModelAccess
from orders_pipeline.stages.parse_message import ParsedMessage, parse_bytes
from orders_pipeline.stages.parser_pool import ParserPool
from orders_pipeline.store.ledger import StageDay
from orders_pipeline.store.publish import publish
from orders_pipeline.store.store import Store


def utc_now() -> dt.datetime:
    """The time now, aware, in UTC."""
    return dt.datetime.now(dt.UTC)


@dataclass(slots=True)
class Work:
    """The context of one run over some days. Mailboxes are opened when first asked for, once a run."""

    store: Store
    config: Config
    run_id: str | None = None
    now: Callable[[], dt.datetime] = utc_now
    warn: Callable[[str], None] = field(default=lambda line: None)
    tell: Callable[[str], None] = field(default=lambda line: None)  # worth a line in the log of a run
    _mailboxes: dict[str, Mailbox] = field(default_factory=dict)
    _model: ModelAccess | None = None
    _decoder: MailDecoder | None = None
    _parser: ParserPool[ParsedMessage] | None = None

    def mailboxes(self, day: dt.date) -> list[Mailbox]:
        """The mailboxes that owe a day, opened."""
        owing = [m for m in self.config.mailbox if m.name in self.config.owing(day)]
        for settings in owing:
            if settings.name not in self._mailboxes:
                self._mailboxes[settings.name] = open_mailbox(settings, self.config.fetch, self.store.folder.cache)
        return [self._mailboxes[m.name] for m in owing]

    def model(self) -> ModelAccess:
        """The configured model, opened when first asked for, once a run."""
        if self._model is None:
            self._model = ModelAccess(self.store, self.config.review.model, now=self.now, warn=self.warn)
        return self._model

    @property
    def has_model(self) -> bool:
        """Whether this run has opened the model."""
        return self._model is not None

    @property
    def parser(self) -> ParserPool[ParsedMessage]:
        """What reads messages, once a run: its processes serve all days of it."""
        if self._parser is None:
            self._parser = self._new_parser()
        return self._parser

    def _new_parser(self) -> ParserPool[ParsedMessage]:
        return ParserPool(parse_bytes, self.config.parse.processes)

    def decoder(self) -> MailDecoder:
        """What decodes mail for the model, once a run."""
        if self._decoder is None:
            self._decoder = MailDecoder(self.config)
        return self._decoder

    def own_judge(self, day: dt.date) -> Judge | None:
        """The judge of a day where it is not the configured ones."""
        return None

    @property
    def retry_spacing(self) -> tuple[float, float]:
        """The first and the longest wait between tries, in seconds."""
        return float(self.config.sensor.retry_first_seconds), float(self.config.sensor.retry_limit_seconds)

    def publish(self) -> None:
        """Renew the copy for readers if it is behind. What is committed stays so when that fails: a warning says that
        readers see the copy of before."""
        try:
            publish(self.store)
        except Exception as error:
            self.warn(f"the copy for readers was not renewed: {error}")

    def close(self) -> None:
        """Close the mailboxes and the model, end the processes that parse and decode."""
        for part in (self._parser, self._model, self._decoder):
            if part is not None:
                part.close()
        self._parser = self._model = self._decoder = None
        while self._mailboxes:
            self._mailboxes.popitem()[1].close()


@dataclass(frozen=True, slots=True, kw_only=True)
class StageReport:
    """What a stage did to a day. ``problems`` are lines for people; the stage of the day is proven when there are none.

    ``counts`` go into the materialization's metadata (rows, outcomes, new messages). ``not_before`` is when another try
    of the day makes sense at the earliest, when that is known.
    """

    stage: str
    day: dt.date
    ledger: StageDay | None
    counts: dict[str, int]
    problems: tuple[str, ...] = ()
    not_before: dt.datetime | None = None
