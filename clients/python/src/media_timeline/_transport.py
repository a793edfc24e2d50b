"""Sends requests. Operations are generators that yield what they need, so that each is written once for both clients."""

from __future__ import annotations

import asyncio
import random
import re
import time
import uuid
from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, Union

import httpx

from .errors import ApiError, ConnectionFailedError, MediaTimelineError

T = TypeVar("T")

_PATH = re.compile(r"[A-Za-z0-9_/-]+")


@dataclass(frozen=True)
class Call:
    """A request. ``url`` is absolute for signed addresses, which get no key and whose answers are returned as they are."""

    method: str
    url: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout_seconds: float = 60
    retries: int | None = None


@dataclass(frozen=True)
class Sleep:
    seconds: float


Operation = Generator["Call | Sleep", Any, T]

# The arguments of httpx, and what comes of them; None of a pause.
Request = dict[str, Any]
Outcome = Union[httpx.Response, Exception, None]

# The service did not do what was asked, and may do it soon.
_PASSING = {408, 429, 500, 502, 503, 504}
_LONGEST_PAUSE_SECONDS = 60.0


def is_worth_retrying(error: Exception) -> bool:
    return isinstance(error, ConnectionFailedError) or (isinstance(error, ApiError) and error.status in _PASSING)


def pause_before_retry(failures: int, error: Exception) -> float:
    """Half a second, doubled with each failure, up to a quarter of it less by chance, or what the service asks for."""
    usual = min(0.5 * float(2**failures), 8.0) * (1 - random.random() / 4)
    asked = error.retry_after_seconds if isinstance(error, ApiError) else None
    if asked is not None and asked > _LONGEST_PAUSE_SECONDS:
        raise error
    return max(asked or 0.0, usual)


class _Transport:
    def __init__(self, api_key: str, base_url: str, max_retries: int) -> None:
        self._api_key = api_key
        self._base_url = base_url.rstrip("/")
        self._max_retries = max_retries

    def _steps(self, operation: Operation[T]) -> Generator[Request | Sleep, Outcome, T]:
        """The requests and pauses of an operation, with those that try a call again. What a request raised is sent back like an answer."""
        answer: httpx.Response | None = None
        error: Exception | None = None
        while True:
            try:
                step = operation.throw(error) if error else operation.send(answer)
            except StopIteration as end:
                result: T = end.value
                return result
            answer = error = None
            if isinstance(step, Sleep):
                yield step
                continue
            try:
                answer = yield from self._attempts(step)
            except Exception as failure:
                error = failure

    def _attempts(self, call: Call) -> Generator[Request | Sleep, Outcome, httpx.Response]:
        request = self._request(call)
        retries = self._max_retries if call.retries is None else call.retries
        failures = 0
        while True:
            try:
                return _checked(call, (yield request))
            except Exception as error:
                if failures >= retries or not is_worth_retrying(error):
                    raise
                yield Sleep(pause_before_retry(failures, error))
                failures += 1

    def _request(self, call: Call) -> Request:
        is_signed = call.url.startswith(("http:", "https:"))
        headers = dict(call.headers)
        if not is_signed:
            # An id such as "../keys/key_1" would reach another resource.
            if not _PATH.fullmatch(call.url):
                raise MediaTimelineError(f"{call.url} contains what is no id. Give ids as the service returned them.")
            headers["authorization"] = f"Bearer {self._api_key}"
            if call.method == "POST":
                # What creates something may run twice when its answer is lost, unless the attempts share a key.
                headers.setdefault("idempotency-key", str(uuid.uuid4()))
        return {
            "method": call.method,
            "url": call.url if is_signed else self._base_url + call.url,
            "params": _flat(call.query) or None,
            "headers": headers,
            "timeout": call.timeout_seconds,
            # A redirect would carry the key to another host.
            "follow_redirects": False,
            **({"json": dict(call.body)} if call.body is not None else {}),
            **({"content": call.content} if call.content is not None else {}),
        }


class SyncTransport(_Transport):
    def __init__(self, api_key: str, base_url: str, max_retries: int, http: httpx.Client | None) -> None:
        super().__init__(api_key, base_url, max_retries)
        self.http = http or httpx.Client()

    def run(self, operation: Operation[T]) -> T:
        steps, outcome = self._steps(operation), None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            outcome = self._take(step)

    def list(self, path: str, name: str, query: Mapping[str, Any] | None) -> Iterator[Any]:
        while query is not None:
            items, query = self.run(_page_of(path, name, query))
            yield from items

    def _take(self, step: Request | Sleep) -> Outcome:
        if isinstance(step, Sleep):
            time.sleep(step.seconds)
            return None
        try:
            return _released(self.http.request(**step))
        except Exception as error:
            return error


class AsyncTransport(_Transport):
    def __init__(self, api_key: str, base_url: str, max_retries: int, http: httpx.AsyncClient | None) -> None:
        super().__init__(api_key, base_url, max_retries)
        self.http = http or httpx.AsyncClient()

    async def run(self, operation: Operation[T]) -> T:
        steps, outcome = self._steps(operation), None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            outcome = await self._take(step)

    async def list(self, path: str, name: str, query: Mapping[str, Any] | None) -> AsyncIterator[Any]:
        while query is not None:
            items, query = await self.run(_page_of(path, name, query))
            for item in items:
                yield item

    async def _take(self, step: Request | Sleep) -> Outcome:
        if isinstance(step, Sleep):
            await asyncio.sleep(step.seconds)
            return None
        try:
            return _released(await self.http.request(**step))
        except Exception as error:
            return error


def _released(response: httpx.Response) -> httpx.Response:
    """Lets go of what was sent: a response and its stream hold each other, so that parts of uploads would stay until the next garbage collection."""
    response.stream = httpx.ByteStream(b"")
    return response


def _checked(call: Call, outcome: Outcome) -> httpx.Response:
    if isinstance(outcome, httpx.TimeoutException):
        raise ConnectionFailedError(f"The service did not answer within {call.timeout_seconds:g} seconds.") from outcome
    if isinstance(outcome, httpx.TransportError):
        raise ConnectionFailedError(f"The service cannot be reached: {outcome}") from outcome
    if not isinstance(outcome, httpx.Response):
        raise outcome or TypeError("a request has no outcome")
    is_signed = call.url.startswith(("http:", "https:"))
    if outcome.is_success or (is_signed and outcome.status_code not in _PASSING):
        return outcome
    code, message = "unexpected_answer", f"The service answered {outcome.status_code}."
    try:
        error = outcome.json()["error"]
        code, message = str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        pass
    retry_after = outcome.headers.get("retry-after", "")
    raise ApiError(
        message,
        status=outcome.status_code,
        code=code,
        request_id=outcome.headers.get("x-request-id"),
        retry_after_seconds=float(retry_after) if retry_after.isdigit() else None,
    )


def _page_of(path: str, name: str, query: Mapping[str, Any]) -> Operation[tuple[list[Any], Mapping[str, Any] | None]]:
    """The items of a page, and the query of the next one."""
    page = (yield Call("GET", path, query=query)).json()
    cursor = page.get("next_cursor")
    return page[name], None if cursor is None else {**query, "cursor": cursor}


def _flat(query: Mapping[str, Any]) -> dict[str, str]:
    """``{"metadata": {"episode": "12"}}`` is ``?metadata[episode]=12``."""
    pairs: dict[str, str] = {}
    for name, value in query.items():
        if isinstance(value, Mapping):
            pairs.update({f"{name}[{key}]": str(text) for key, text in value.items()})
        elif value is not None:
            pairs[name] = str(value)
    return pairs
