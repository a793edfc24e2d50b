"""Sends requests. Operations are generators that yield what they need, so that each is written once for both clients."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx

from .errors import ApiError, ConnectionFailedError

T = TypeVar("T")


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

    def _request(self, call: Call) -> dict[str, Any]:
        is_signed = call.url.startswith(("http:", "https:"))
        headers = dict(call.headers)
        if not is_signed:
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

    def _retries(self, call: Call) -> int:
        return self._max_retries if call.retries is None else call.retries


class SyncTransport(_Transport):
    def __init__(self, api_key: str, base_url: str, max_retries: int, http: httpx.Client | None) -> None:
        super().__init__(api_key, base_url, max_retries)
        self.http = http or httpx.Client()

    def run(self, operation: Operation[T]) -> T:
        answer: Any = None
        error: Exception | None = None
        while True:
            try:
                step = operation.throw(error) if error else operation.send(answer)
            except StopIteration as end:
                result: T = end.value
                return result
            answer = error = None
            if isinstance(step, Sleep):
                time.sleep(step.seconds)
                continue
            try:
                answer = self._send(step)
            except Exception as failure:
                error = failure

    def _send(self, call: Call) -> httpx.Response:
        request = self._request(call)
        failures = 0
        while True:
            try:
                return _checked(call, self.http.request(**request))
            except Exception as raised:
                error = _described(raised, call)
                if failures >= self._retries(call) or not is_worth_retrying(error):
                    raise error from raised
                time.sleep(pause_before_retry(failures, error))
                failures += 1


class AsyncTransport(_Transport):
    def __init__(self, api_key: str, base_url: str, max_retries: int, http: httpx.AsyncClient | None) -> None:
        super().__init__(api_key, base_url, max_retries)
        self.http = http or httpx.AsyncClient()

    async def run(self, operation: Operation[T]) -> T:
        answer: Any = None
        error: Exception | None = None
        while True:
            try:
                step = operation.throw(error) if error else operation.send(answer)
            except StopIteration as end:
                result: T = end.value
                return result
            answer = error = None
            if isinstance(step, Sleep):
                await asyncio.sleep(step.seconds)
                continue
            try:
                answer = await self._send(step)
            except Exception as failure:
                error = failure

    async def _send(self, call: Call) -> httpx.Response:
        request = self._request(call)
        failures = 0
        while True:
            try:
                return _checked(call, await self.http.request(**request))
            except Exception as raised:
                error = _described(raised, call)
                if failures >= self._retries(call) or not is_worth_retrying(error):
                    raise error from raised
                await asyncio.sleep(pause_before_retry(failures, error))
                failures += 1


def _described(raised: Exception, call: Call) -> Exception:
    if isinstance(raised, httpx.TimeoutException):
        return ConnectionFailedError(f"The service did not answer within {call.timeout_seconds:g} seconds.")
    if isinstance(raised, httpx.TransportError):
        return ConnectionFailedError(f"The service cannot be reached: {raised}")
    return raised


def _checked(call: Call, response: httpx.Response) -> httpx.Response:
    is_signed = call.url.startswith(("http:", "https:"))
    if response.is_success or (is_signed and response.status_code not in _PASSING):
        return response
    code, message = "unexpected_answer", f"The service answered {response.status_code}."
    try:
        error = response.json()["error"]
        code, message = str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        pass
    retry_after = response.headers.get("retry-after", "")
    raise ApiError(
        message,
        status=response.status_code,
        code=code,
        request_id=response.headers.get("x-request-id"),
        retry_after_seconds=float(retry_after) if retry_after.isdigit() else None,
    )


def _flat(query: Mapping[str, Any]) -> dict[str, str]:
    """``{"metadata": {"episode": "12"}}`` is ``?metadata[episode]=12``."""
    pairs: dict[str, str] = {}
    for name, value in query.items():
        if isinstance(value, Mapping):
            pairs.update({f"{name}[{key}]": str(text) for key, text in value.items()})
        elif value is not None:
            pairs[name] = str(value)
    return pairs
