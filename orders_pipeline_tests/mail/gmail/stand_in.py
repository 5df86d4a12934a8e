"""A Gmail account on loopback: the documented calls of the API, the batch endpoint, and the token server.

Belongs here: what Gmail answers when all is well. Not here: what goes wrong (``Server.fail``), and the tests.
"""

from __future__ import annotations

import base64
import datetime as dt
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from orders_pipeline_tests.loopback import Reply, as_json
from orders_pipeline_tests.mail.gmail.http_stand_in import Request, Server

ACCOUNT = "robin@alder.example"
SCOPE = "https://www.googleapis.com/auth/gmail.readonly"
_MESSAGES = "/gmail/v1/users/me/messages"
_PACIFIC = dt.timezone(dt.timedelta(hours=-8))


@dataclass
class Stored:
    """One message of the account."""

    id: str
    raw: bytes
    received_at: dt.datetime
    size: int
    labels: tuple[str, ...] = ("INBOX",)

    @property
    def received_ms(self) -> int:
        return round(self.received_at.timestamp() * 1000)


def error(status: int, reason: str = "", message: str = "", *, new_form: bool = False, **headers: str) -> Reply:
    """An error as the API gives it, in the old form or the new."""
    told: dict[str, Any] = {"code": status, "message": message or reason or f"Error {status}"}
    if reason and new_form:
        told["details"] = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}]
    elif reason:
        told["errors"] = [{"domain": "global", "reason": reason, "message": told["message"]}]
    return as_json({"error": told}, status, **headers)


@dataclass
class TokenServer:
    """Its client, and the tokens that it gave."""

    client_id: str = "orders.apps.example"
    client_secret: str = "client-secret-7Q"
    refresh_token: str = "refresh-token-4Z"
    rotates: bool = False
    gives_refresh_token: bool = True
    granted: str | None = SCOPE
    expires_in: int = 3600
    valid: set[str] = field(default_factory=set)
    codes: dict[str, tuple[str, str]] = field(default_factory=dict)  # code -> challenge, redirect address
    count: int = 0


class GmailStandIn(Server):
    """The account. ``reads_days`` makes it read after: and before: as days of the Pacific coast, as Gmail has done."""

    def __init__(self) -> None:
        self.messages: dict[str, Stored] = {}
        self.tokens = TokenServer()
        self.reads_days = False
        self.page_size = 500
        self.after_page: Callable[[int], object] = lambda number: None
        self._pages = 0
        super().__init__()

    def add(
        self,
        raw: bytes,
        received_at: dt.datetime,
        *,
        labels: tuple[str, ...] = ("INBOX",),
        size: int | None = None,
        id: str | None = None,
    ) -> str:
        """Deliver a message; returns its id."""
        name = id or f"{0x19A0000000000000 + len(self.messages):016x}"
        self.messages[name] = Stored(name, raw, received_at, len(raw) if size is None else size, labels)
        return name

    def kind_of(self, path: str) -> str:
        path = path.removeprefix("/through/a/proxy")
        if path.startswith(f"{_MESSAGES}/"):
            return "get"
        return {_MESSAGES: "list", "/batch": "batch", "/token": "token"}.get(path) or path.rpartition("/")[2]

    def answer(self, request: Request) -> Reply:
        if request.kind == "token":
            return self._token(request.parameters)
        if request.headers.get("authorization", "").removeprefix("Bearer ") not in self.tokens.valid:
            return error(401, "authError", "Invalid Credentials")
        if request.kind == "batch":
            return self._batch(request)
        if request.kind == "profile":
            return as_json({"emailAddress": ACCOUNT, "messagesTotal": len(self.messages), "historyId": "1"})
        if request.kind == "list":
            return self._list(dict(request.parameters))
        if request.kind == "get":
            return self._get(request.path.rpartition("/")[2], dict(request.parameters))
        return error(404, "notFound", "Not Found")

    def gets(self, format: str = "raw") -> list[str]:
        """The ids asked for in a format, in order."""
        return [r.path.rpartition("/")[2] for r in self.asked("get") if r.parameters.get("format") == format]

    # ------------------------------------------------------------------------------------------ tokens

    def _token(self, given: Any) -> Reply:
        ours = self.tokens
        if given.get("client_id") != ours.client_id or given.get("client_secret", "") != ours.client_secret:
            return as_json({"error": "invalid_client", "error_description": "The OAuth client was not found."}, 401)
        if given.get("grant_type") == "authorization_code":
            challenge, redirect_uri = ours.codes.pop(given.get("code", ""), ("", ""))
            if not challenge or challenge != challenge_of(given["code_verifier"]):
                return as_json({"error": "invalid_grant", "error_description": "Malformed auth code."}, 400)
            if given.get("redirect_uri") != redirect_uri:
                return as_json({"error": "redirect_uri_mismatch"}, 400)
            return as_json({**self._access(), **({"scope": ours.granted} if ours.granted else {})})
        if given.get("refresh_token") != ours.refresh_token:
            told = "Token has been expired or revoked."
            return as_json({"error": "invalid_grant", "error_description": told}, 400)
        return as_json(self._access(renewal=True))

    def _access(self, *, renewal: bool = False) -> dict[str, Any]:
        ours = self.tokens
        ours.count += 1
        token = f"access-token-{ours.count}-9Xk"
        ours.valid.add(token)
        answer = {"access_token": token, "expires_in": ours.expires_in, "token_type": "Bearer"}
        if renewal and ours.rotates:
            ours.refresh_token = f"refresh-token-{ours.count}-4Z"
            answer["refresh_token"] = ours.refresh_token
        if not renewal and ours.gives_refresh_token:
            answer["refresh_token"] = ours.refresh_token
        return answer

    # ---------------------------------------------------------------------------------------- messages

    def _list(self, given: dict[str, str]) -> Reply:
        found = sorted(self._matching(given), key=lambda m: (-m.received_ms, m.id))
        start = int(given.get("pageToken", "page0").removeprefix("page"))
        size = min(int(given.get("maxResults", "100")), self.page_size)
        page = found[start : start + size]
        self._pages += 1
        data: dict[str, Any] = {"resultSizeEstimate": min(len(found), 201)}
        if page:
            data["messages"] = [{"id": m.id, "threadId": m.id} for m in page]
        if start + size < len(found):
            data["nextPageToken"] = f"page{start + size}"
        self.after_page(self._pages)
        return as_json(data)

    def _matching(self, given: dict[str, str]) -> Iterable[Stored]:
        query = given.get("q", "")
        after, before = (self._border(query, name) for name in ("after", "before"))
        words = " ".join(re.findall(r"\(([^()]*)\)", query)).split()
        for message in self.messages.values():
            if given.get("includeSpamTrash", "false") == "false" and {"SPAM", "TRASH"} & set(message.labels):
                continue
            seconds = message.received_ms // 1000
            if (after is not None and seconds < after) or (before is not None and seconds >= before):
                continue
            if all(word.encode() in message.raw for word in words):
                yield message

    def _border(self, query: str, name: str) -> float | None:
        if day := re.search(rf"{name}:(\d{{4}})/(\d\d)/(\d\d)", query):
            return dt.datetime(int(day[1]), int(day[2]), int(day[3]), tzinfo=_PACIFIC).timestamp()
        if not (seconds := re.search(rf"{name}:(\d+)", query)):
            return None
        if not self.reads_days:
            return float(seconds[1])
        local = dt.datetime.fromtimestamp(int(seconds[1]), _PACIFIC)
        return local.replace(hour=0, minute=0, second=0).timestamp()

    def _get(self, message_id: str, given: dict[str, str]) -> Reply:
        message = self.messages.get(message_id)
        if message is None:
            return error(404, "notFound", "Requested entity was not found.")
        data: dict[str, Any] = {
            "id": message.id,
            "internalDate": str(message.received_ms),
            "sizeEstimate": message.size,
            "labelIds": list(message.labels),
        }
        if given.get("format") == "raw":
            data["raw"] = base64.urlsafe_b64encode(message.raw).decode().rstrip("=")
        if given.get("format", "full") == "full":
            data["payload"] = _payload(message_from_bytes(message.raw), with_data="data" in given.get("fields", "data"))
        return as_json(data)

    def _batch(self, request: Request) -> Reply:
        head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
        parts = []
        for part in _parts(message_from_bytes(head + request.body)):
            line, _, rest = str(part.get_payload()).lstrip().partition("\n")
            url = urlsplit(line.split(" ")[1])
            inner = Request(
                self.kind_of(url.path), url.path, dict(parse_qsl(url.query)),
                {"authorization": request.headers.get("authorization", "")},
            )  # fmt: skip
            parts.append((part["Content-ID"].strip(" <>"), self.reply_to(inner)))
            assert rest.strip().startswith("Content-Type"), "a part of a batch is a request with headers"
        # A part that "drops" is one that the server left out.
        body = b"".join(_answer_part(name, reply) for name, reply in parts if reply.cut_after != -1) + b"--batch_x--"
        return Reply(200, body, content_type="multipart/mixed; boundary=batch_x")


def challenge_of(verifier: str) -> str:
    """PKCE's S256."""
    import hashlib

    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def _parts(message: Message) -> list[Any]:
    payload = message.get_payload()
    assert isinstance(payload, list), "a batch is multipart/mixed"
    assert len(payload) <= 100, "a batch holds 100 requests at most"
    return payload


def _answer_part(name: str, reply: Reply) -> bytes:
    lines = [
        "--batch_x",
        "Content-Type: application/http",
        f"Content-ID: <response-{name}>",
        "",
        f"HTTP/1.1 {reply.status} Status",
        f"Content-Type: {reply.content_type}",
        *(f"{key}: {value}" for key, value in reply.headers.items()),
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + reply.body[: reply.cut_after] + b"\r\n"


def _payload(part: Message, *, with_data: bool) -> dict[str, Any]:
    inner = part.get_payload()
    headers = [{"name": name, "value": str(value)} for name, value in part.items()]
    data: dict[str, Any] = {
        "mimeType": part.get_content_type(),
        "filename": part.get_filename() or "",
        "headers": headers,
    }
    if isinstance(inner, list):
        data["body"] = {"size": 0}
        data["parts"] = [_payload(p, with_data=with_data) for p in inner if isinstance(p, Message)]
    else:
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        packed = {"data": base64.urlsafe_b64encode(content).decode()} if with_data else {}
        data["body"] = {"size": len(content), **packed}
    return data
