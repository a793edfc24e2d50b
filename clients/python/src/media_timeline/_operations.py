"""What the clients do, without their input and output."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from ._transport import Call, Operation, Sleep, is_worth_retrying
from .errors import ApiError, ConnectionFailedError, FailedError, MediaTimelineError, WaitTimeoutError

OnProgress = Callable[[float], None]
OnBytes = Callable[[int, int], None]

_POLL_SECONDS = 50.0
# A long poll says nothing of the progress before it ends. Who is told of it asks every two seconds, and less often the longer
# the work takes.
_SHOWN_SECONDS = 2.0
_SHOWN_SHARE = 0.05
# Parts are a multiple of 256 KiB, as Google Cloud Storage wants them.
_PART_BYTES = 8 * 2**20
_PART_SECONDS = 600.0
# Attempts of a part: enough for a service that restarts.
_PART_RETRIES = 8


def json_of(call: Call) -> Operation[Any]:
    response = yield call
    return response.json()


def text_of(call: Call) -> Operation[str]:
    response = yield call
    return str(response.text)


def field_of(call: Call, name: str) -> Operation[Any]:
    answer = yield from json_of(call)
    return answer[name]


def wait_for(
    path: str, name: str, id: str, timeout_seconds: float | None, on_progress: OnProgress | None
) -> Operation[Any]:
    """Asks until a job, a run or a batch has ended. A service that restarts meanwhile is waited for."""
    first = time.monotonic()
    deadline = None if timeout_seconds is None else first + timeout_seconds
    shown: float | None = None
    failures = 0
    while True:
        began = time.monotonic()
        left = _POLL_SECONDS if deadline is None else deadline - began
        if left <= 0:
            raise WaitTimeoutError(id, timeout_seconds or 0)
        longest = max(_SHOWN_SECONDS, (began - first) * _SHOWN_SHARE) if on_progress else _POLL_SECONDS
        wait = min(_POLL_SECONDS, longest, left)
        try:
            # Further attempts of a request would go on after the deadline.
            limit, retries = (wait + 20, None) if deadline is None else (min(wait + 20, left + 1), 0)
            call = Call("GET", path, query={"wait": f"{wait:.3f}"}, timeout_seconds=limit, retries=retries)
            found = yield from field_of(call, name)
            failures = 0
            progress = _progress_of(found)
            if progress is not None and progress != shown:
                shown = progress
                if on_progress:
                    on_progress(progress)
            # A canceled batch has ended, and its items say how; canceled jobs and runs are failed.
            if found["status"] in ("completed", "canceled"):
                return found
            if found["status"] == "failed":
                raise _failure_of(found)
        except Exception as error:
            if not is_worth_retrying(error):
                raise
            failures += 1
        # A service that is down is asked rarely, and one that has too many waits answers early.
        earliest = began + min(10, 1 + failures)
        yield Sleep(max(0.0, min(earliest, deadline or earliest) - time.monotonic()))


def _progress_of(found: Mapping[str, Any]) -> float | None:
    """A run has none of its own: its steps count alike."""
    own: float | None = found.get("progress")
    steps = found.get("steps")
    if not steps:
        return own
    return sum(float(step.get("job", {}).get("progress", 0)) for step in steps) / len(steps)


def _failure_of(found: Mapping[str, Any]) -> FailedError:
    error = found.get("error")
    if error:
        return FailedError(error["message"], code=error["code"], id=found["id"])
    is_canceled = found.get("status_detail") == "canceled"
    message = f"{found['id']} {'was canceled' if is_canceled else 'failed'}."
    return FailedError(message, code="canceled" if is_canceled else "processing_failed", id=found["id"])


def create_and_wait(
    create: Call, path: str, name: str, timeout_seconds: float | None, on_progress: OnProgress | None
) -> Operation[Any]:
    created = yield from field_of(create, name)
    found = yield from wait_for(f"{path}/{created['id']}", name, created["id"], timeout_seconds, on_progress)
    return found


def next_events(after: str | None, type: str | None, is_known: bool) -> Operation[tuple[list[Any], str | None]]:
    """The events after another one, which is known once the service has named it, and the id to go on after. Waits for one, also for a service that restarts."""
    failures = 0
    while True:
        began = time.monotonic()
        # A wait that breaks would begin again at a later event.
        wait = 0.0 if after == "latest" else _POLL_SECONDS
        query = {"after": after, "type": type, "wait": f"{wait:g}"}
        try:
            page = yield from json_of(Call("GET", "/v1/events", query=query, timeout_seconds=wait + 20))
            failures, is_known = 0, True
            after = page.get("next_after")
            if page["events"] or wait == 0:
                return page["events"], after
        except Exception as error:
            if is_known and isinstance(error, ApiError) and error.code == "not_found":
                # The service keeps events for some days only: all that it has come after one that it had.
                after = None
            elif not is_worth_retrying(error):
                raise
            failures += 1
        # A service that is down is asked rarely, and one that has too many waits answers early.
        yield Sleep(max(0.0, began + min(10, 1 + failures) - time.monotonic()))


def upload(file: str | os.PathLike[str] | BinaryIO, name: str | None, on_bytes: OnBytes | None) -> Operation[Any]:
    """Sends a file in parts, and goes on where it was when a connection breaks or the service restarts."""
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            uploaded = yield from _upload_open(opened, name or os.path.basename(os.fspath(file)), on_bytes)
            return uploaded
    uploaded = yield from _upload_open(file, name or os.path.basename(str(getattr(file, "name", "file"))), on_bytes)
    return uploaded


def _upload_open(file: BinaryIO, name: str, on_bytes: OnBytes | None) -> Operation[Any]:
    total = file.seek(0, os.SEEK_END)
    request = {"filename": name, "bytes": total, "resumable": True}
    session = yield from field_of(Call("POST", "/v1/uploads/presign", body=request), "upload")
    sent = 0
    failures = 0
    is_certain = True
    is_done = False
    while not is_done:
        try:
            if not is_certain:
                sent, is_done = yield from _put(session, f"bytes */{total}", b"", total)
            if is_done:
                break
            is_certain = False
            file.seek(sent)
            part = file.read(_PART_BYTES)
            span = f"{sent}-{sent + len(part) - 1}" if part else "*"
            taken, is_done = yield from _put(session, f"bytes {span}/{total}", part, total)
            if taken <= sent and not is_done:
                raise ConnectionFailedError("The storage takes nothing of the file.")
            sent = taken
            is_certain = True
            failures = 0
            if on_bytes:
                on_bytes(sent, total)
        except Exception as error:
            failures += 1
            if failures > _PART_RETRIES or not is_worth_retrying(error):
                raise
            yield Sleep(min(0.5 * 2**failures, 8.0))
    uploaded = yield from field_of(Call("GET", f"/v1/uploads/{session['id']}"), "upload")
    return uploaded


def _put(session: Mapping[str, Any], content_range: str, part: bytes, total: int) -> Operation[tuple[int, bool]]:
    headers = {**session["upload_headers"], "content-range": content_range}
    answer = yield Call(
        "PUT", session["upload_url"], content=part, headers=headers, timeout_seconds=_PART_SECONDS, retries=0
    )
    if answer.is_success:
        return total, True
    if answer.status_code == 308:
        stored = answer.headers.get("range", "")
        return (int(stored.rsplit("-", 1)[1]) + 1 if "-" in stored else 0), False
    if answer.status_code == 409:
        # Another request still sends a part, such as one whose connection broke.
        raise ConnectionFailedError("The storage is busy with another part.")
    raise MediaTimelineError(f"The storage answered {answer.status_code}. Upload the file again.")
