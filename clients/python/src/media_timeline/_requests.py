"""The requests of the clients."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ._transport import Call
from .errors import MediaTimelineError

_DEFAULT_URL = "http://127.0.0.1:3000"


def connection(api_key: str | None, base_url: str | None) -> tuple[str, str]:
    key = api_key or os.environ.get("MEDIA_TIMELINE_API_KEY")
    if not key:
        raise MediaTimelineError("There is no API key. Give api_key, or set MEDIA_TIMELINE_API_KEY.")
    return key, base_url or os.environ.get("MEDIA_TIMELINE_URL") or _DEFAULT_URL


def keyed(idempotency_key: str | None) -> dict[str, str]:
    return {} if idempotency_key is None else {"idempotency-key": idempotency_key}


def _given(request: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in request.items() if value is not None}


def create_job(endpoint: str, idempotency_key: str | None, request: Mapping[str, Any]) -> Call:
    body = {"endpoint": endpoint, **_given(request)}
    return Call("POST", "/v1/jobs", body=body, headers=keyed(idempotency_key))


def estimate(endpoint: str, request: Mapping[str, Any]) -> Call:
    body = {"endpoint": endpoint, **_given(request)}
    # Of a job, and not of its estimate.
    for name in ("callback_url", "max_price_usd"):
        body.pop(name, None)
    return Call("POST", "/v1/estimate", body=body)


def create_run(workflow_id: str, mode: str, idempotency_key: str | None, request: Mapping[str, Any]) -> Call:
    body = {**_given(request), "mode": mode}
    return Call("POST", f"/v1/workflows/{workflow_id}/runs", body=body, headers=keyed(idempotency_key))


def export(path: str, as_: str, options: Mapping[str, str]) -> Call:
    return Call("GET", f"{path}/export", query={"as": as_, **options})


def create(path: str, request: Mapping[str, Any], idempotency_key: str | None = None) -> Call:
    return Call("POST", path, body=_given(request), headers=keyed(idempotency_key))
