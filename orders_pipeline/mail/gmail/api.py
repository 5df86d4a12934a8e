"""The calls of Gmail's API that are used, each with its answer proven to be one.

Belongs here: requests and batches through Google's client library, and the tries again that every call gets. Not here:
which messages are wanted, and what they hold.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.gmail.faults import Fault, Kind, fault_of, torn
from orders_pipeline.mail.gmail.patience import Patience
from orders_pipeline.mail.gmail.transport import Transport
from orders_pipeline.mail.http_client import HttpFault
from orders_pipeline.mail.oauth import access_token
from orders_pipeline.mailbox_settings import GmailMailbox

SCOPES = ("https://www.googleapis.com/auth/gmail.readonly",)
PAGE_SIZE = 500  # the most that messages.list gives
BATCH_COUNT = 50  # Google's advice: larger ones run into the rate limit
_SMALL_ANSWER = 16 * 1024 * 1024

# What the library makes of an answer that is no batch, or torn, or lacks a part.
_LIBRARY_ERRORS = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError)

# What came of one message: its JSON, or what stood in the way.
Got = tuple[str, dict[str, Any] | Fault]


class PageTokenExpired(Exception):
    """The listing must start anew."""


class GmailApi:
    """A connection to one account. Every failure is ``MailboxError``; ``sleep`` takes seconds."""

    def __init__(self, settings: GmailMailbox, *, sleep: Callable[[float], object] = time.sleep) -> None:
        self.what = f"mailbox {settings.name}"
        self._sleep = sleep
        self._endpoint = f"{settings.endpoint.rstrip('/')}/" if settings.endpoint else None
        self._transport = Transport(
            settings.timeout_seconds,
            lambda rejected: access_token(
                settings.token_file,
                what=self.what,
                rejected=rejected,
                timeout=settings.timeout_seconds,
                sleep=sleep,
            ),
        )
        self._batch_count = BATCH_COUNT

    def profile(self) -> dict[str, Any]:
        """The account: ``emailAddress``, ``messagesTotal``."""
        return self._ask(lambda: self._users.getProfile(userId="me"), lambda data: "emailAddress" in data)

    def page(self, query: str, token: str | None) -> dict[str, Any]:
        """One page of ids that match a query, newest first. Raises ``PageTokenExpired`` too."""
        return self._ask(
            lambda: self._messages.list(
                userId="me", q=query, pageToken=token, maxResults=PAGE_SIZE, includeSpamTrash=False
            ),
            lambda data: _is_page(data, first=token is None),
            has_page_token=token is not None,
        )

    def get_one(self, message_id: str, *, max_bytes: int, **parameters: str) -> dict[str, Any] | Fault:
        """One message on its own; a fault when it is gone, too large, or the only one that the server cannot give."""
        patience = Patience(self.what, self._sleep)
        renewed = False
        while True:
            got, whole = self._single(self._get(message_id, parameters), max_bytes=max_bytes)
            if not isinstance(got, Fault) or got.kind is Kind.GONE or got.too_large:
                return got
            renewed = self._after_login_fault(got, renewed)
            if got.kind is Kind.LOGIN:
                continue
            if got.kind is Kind.SERVER and whole and not patience.allows(got):
                self.profile()  # raises when it is not the message's fault
                return got
            patience.wait(got)

    def get_many(self, message_ids: Iterable[str], *, max_bytes: int, **parameters: str) -> Iterator[Got]:
        """Messages in batches, each as it comes, in any order, each exactly once.

        A message that is gone, that alone is over ``max_bytes``, or that alone the server cannot give for as long as
        patience lasts, is a ``Fault``.
        """
        waiting = deque(message_ids)
        total, patience, renewed = len(waiting), Patience(self.what, self._sleep), False
        while waiting:
            asked = [waiting.popleft() for _ in range(min(self._batch_count, len(waiting)))]
            answers, whole = self._batch(asked, parameters, max_bytes=max_bytes)
            again: dict[str, Fault] = {}
            for message_id in asked:
                got = answers.get(message_id) or whole or torn("Gmail left a message out of its answer")
                if not isinstance(got, Fault) or got.kind is Kind.GONE or (got.too_large and len(asked) == 1):
                    renewed = False
                    patience.progress()
                    yield message_id, got
                else:
                    again[message_id] = got
            if not again:
                self._batch_count = min(BATCH_COUNT, self._batch_count + 5)
                continue
            # Behind those that were not asked for yet: what fails for ever must not keep the others waiting.
            waiting.extend(again)
            worst = max(
                again.values(), key=lambda f: (f.kind is Kind.REFUSED, f.kind is Kind.LOGIN, f.retry_after or 0)
            )
            renewed = self._after_login_fault(worst, renewed)
            if worst.kind is Kind.LOGIN:
                continue
            self._batch_count = max(1, self._batch_count // 2)
            if worst.too_large:
                continue
            if patience.allows(worst):
                patience.wait(worst)
            elif whole is None and all(f.kind is Kind.SERVER for f in again.values()):
                self.profile()  # raises when it is not these messages' fault
                for message_id, fault in again.items():
                    waiting.remove(message_id)
                    yield message_id, fault
                patience.progress()
            else:
                names = ", ".join(printable_line(i, 40) for i in list(waiting)[:3])
                raise MailboxError(f"{patience.exhausted(worst)} ({len(waiting)} of {total} not read: {names})")

    def close(self) -> None:
        """Let go of the connection."""
        self._transport.close()

    @cached_property
    def _service(self) -> Any:
        from googleapiclient.discovery import build  # 0.2 s: only when such a mailbox is read

        options = {"api_endpoint": self._endpoint} if self._endpoint else None
        return build("gmail", "v1", http=self._transport, static_discovery=True, client_options=options)

    @cached_property
    def _users(self) -> Any:
        return self._service.users()

    @cached_property
    def _messages(self) -> Any:
        return self._users.messages()  # the library takes 2 ms to make it

    def _get(self, message_id: str, parameters: dict[str, str]) -> Any:
        return self._messages.get(userId="me", id=message_id, **parameters)

    def _ask(
        self, request: Callable[[], Any], proof: Callable[[dict[str, Any]], bool], *, has_page_token: bool = False
    ) -> dict[str, Any]:
        patience, renewed = Patience(self.what, self._sleep), False
        while True:
            got, _ = self._single(request(), max_bytes=_SMALL_ANSWER, has_page_token=has_page_token)
            if not isinstance(got, Fault):
                if proof(got):
                    return got
                got = torn("Gmail's answer lacks what the API promises")
            if got.kind is Kind.PAGE:
                raise PageTokenExpired
            if got.kind is Kind.GONE:
                raise MailboxError(f"{self.what}: {got.text}; check endpoint in the configuration")
            renewed = self._after_login_fault(got, renewed)
            if got.kind is not Kind.LOGIN:
                patience.wait(got)

    def _after_login_fault(self, fault: Fault, renewed: bool) -> bool:
        """Renew the token at the first refusal of it; raise at the second, and at what only a person can mend."""
        if fault.kind is Kind.REFUSED or (fault.kind is Kind.LOGIN and renewed):
            raise MailboxError(f"{self.what}: {fault.text}")
        if fault.kind is Kind.LOGIN:
            self._transport.renew()
            return True
        return renewed

    def _single(
        self, request: Any, *, max_bytes: int, has_page_token: bool = False
    ) -> tuple[dict[str, Any] | Fault, bool]:
        """What one request gives, and whether the server itself answered."""
        self._transport.max_bytes = max_bytes
        found: list[dict[str, Any] | Fault] = []
        request.postproc = lambda response, content: found.append(self._read(response, content, has_page_token))
        from googleapiclient.errors import Error, HttpError

        try:
            request.execute(num_retries=0)
        except HttpError as error:
            return self._read(error.resp, error.content, has_page_token), True
        except HttpFault as fault:
            return Fault(kind=Kind.SERVER, text=str(fault), too_large=fault.too_large), False
        except (*_LIBRARY_ERRORS, Error):
            return torn("Gmail's answer is torn"), True
        return found[0], True

    def _batch(
        self, message_ids: list[str], parameters: dict[str, str], *, max_bytes: int
    ) -> tuple[dict[str, dict[str, Any] | Fault], Fault | None]:
        """What a batch gives by id, and the fault of the batch as a whole. Each part's own status counts."""
        from googleapiclient.errors import Error, HttpError
        from googleapiclient.http import BatchHttpRequest

        answers: dict[str, dict[str, Any] | Fault] = {}
        batch: Any = self._service.new_batch_http_request()
        if self._endpoint:  # the library's batches go to Google whatever the endpoint
            batch = BatchHttpRequest(batch_uri=f"{self._endpoint}batch")
        # Renewing the token is ours: the library would ask its own transport for credentials.
        batch._refresh_and_apply_credentials = lambda request, http: None
        for message_id in message_ids:
            request = self._get(message_id, parameters)
            request.postproc = self._read
            batch.add(request, callback=_collector(answers, self._read), request_id=message_id)
        self._transport.max_bytes = max_bytes
        try:
            batch.execute(http=self._transport)
        except HttpError as error:
            return answers, self._read_fault(error.resp, error.content)
        except HttpFault as fault:
            return answers, Fault(kind=Kind.SERVER, text=str(fault), too_large=fault.too_large)
        except (*_LIBRARY_ERRORS, Error):
            # It stops at the first part that is missing: those behind it came all the same.
            came = getattr(batch, "_responses", {})
            answers |= {i: self._read(*came[i]) for i in message_ids if i in came and i not in answers}
            return answers, None if answers else torn("Gmail's answer to a batch is torn")
        return answers, None

    def _read(self, response: Any, content: bytes, has_page_token: bool = False) -> dict[str, Any] | Fault:
        if response.status >= 300:
            return self._read_fault(response, content, has_page_token)
        try:
            data = json.loads(content)
        except (ValueError, RecursionError):
            return torn("Gmail's answer is torn: no JSON")
        return data if isinstance(data, dict) else torn("Gmail's answer is no JSON object")

    def _read_fault(self, response: Any, content: bytes, has_page_token: bool = False) -> Fault:
        if response.status < 300:  # what the library cannot make a batch of, it calls an HTTP error too
            return torn("Gmail's answer is torn: no batch")
        return fault_of(response.status, response, content, what=self.what, has_page_token=has_page_token)


def _collector(answers: dict[str, Any], read: Callable[[Any, bytes], Any]) -> Callable[..., None]:
    def collect(request_id: str, response: Any, error: Any) -> None:
        answers[request_id] = response if error is None else read(error.resp, error.content)

    return collect


def _is_page(data: dict[str, Any], *, first: bool) -> bool:
    """Whether an answer is a page. The first one without messages says so: an estimate of 0."""
    messages, estimate, token = data.get("messages"), data.get("resultSizeEstimate"), data.get("nextPageToken")
    if token is not None and not (isinstance(token, str) and token):
        return False
    if messages is None:
        return isinstance(estimate, int) and not (first and estimate and not token)
    return isinstance(messages, list) and all(isinstance(m, dict) and _is_id(m.get("id")) for m in messages)


def _is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 64 and value.isascii() and value.isalnum()
