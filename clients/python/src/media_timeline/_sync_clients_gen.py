# Made from the declarations of the service: `npx vitest run test/clients -u` makes it again.

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import httpx

from . import _operations as operations
from . import _requests as requests
from . import types_gen as types
from ._sync_batches_gen import SyncBatches, SyncDirectives
from ._operations import OnBytes, OnProgress
from ._transport import SyncTransport, Call
from .jobs_gen import RunJob
from .webhooks import Webhooks


class SyncJobs:
    """Jobs: one search or one cut each."""

    def __init__(self, transport: SyncTransport) -> None:
        self._run = transport.run
        self._list = transport.list
        self.run = cast(RunJob, self._create_and_wait)

    def create(
        self, endpoint: str, *, idempotency_key: str | None = None, **request: Any
    ) -> types.Job:
        return cast(types.Job, self._run(operations.field_of(requests.create_job(endpoint, idempotency_key, request), "job")))

    def get(self, id: str) -> types.Job:
        return cast(types.Job, self._run(operations.field_of(Call("GET", f"/v1/jobs/{id}"), "job")))

    def wait(
        self, id: str, *, timeout_seconds: float | None = None, on_progress: OnProgress | None = None
    ) -> types.Job:
        """Waits until a job has ended. Raises ``FailedError`` if it failed."""
        waiting = operations.wait_for(f"/v1/jobs/{id}", "job", id, timeout_seconds, on_progress)
        return cast(types.Job, self._run(waiting))

    def _create_and_wait(
        self,
        endpoint: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: OnProgress | None = None,
        **request: Any,
    ) -> Any:
        create = requests.create_job(endpoint, idempotency_key, request)
        return self._run(operations.create_and_wait(create, "/v1/jobs", "job", timeout_seconds, on_progress))

    def list(self, **filters: Any) -> Iterator[types.Job]:
        """The newest first, page by page, without their settings and results."""
        return self._list("/v1/jobs", "jobs", filters)

    def cancel(self, id: str) -> types.Job:
        call = Call("POST", f"/v1/jobs/{id}/cancel", body={})
        return cast(types.Job, self._run(operations.field_of(call, "job")))

    def delete(self, id: str) -> types.Deletion:
        """Erases a job with its results and files."""
        return cast(types.Deletion, self._run(operations.json_of(Call("DELETE", f"/v1/jobs/{id}"))))

    def export(self, id: str, as_: str, **options: str) -> str:
        """What a job finds or cuts, as a file for editors, players and spreadsheets."""
        return self._run(operations.text_of(requests.export(f"/v1/jobs/{id}", as_, options)))

    def estimate(self, endpoint: str, **request: Any) -> types.Estimate:
        """The maximum price of a job. Creates nothing."""
        call = requests.estimate(endpoint, request)
        return cast(types.Estimate, self._run(operations.json_of(call)))


class SyncWorkflowRuns:
    """Runs of chains, such as ``remove-dead-space``: several jobs, of which each uses what the one before found."""

    def __init__(self, transport: SyncTransport) -> None:
        self._run = transport.run
        self._list = transport.list

    def plan(self, workflow_id: str, **request: Any) -> types.WorkflowPlan:
        """The steps of a chain and the maximum price of each. Runs nothing."""
        call = requests.create_run(workflow_id, "plan", None, request)
        return cast(types.WorkflowPlan, self._run(operations.field_of(call, "plan")))

    def start(self, workflow_id: str, *, idempotency_key: str | None = None, **request: Any) -> types.WorkflowRun:
        call = requests.create_run(workflow_id, "run_all", idempotency_key, request)
        return cast(types.WorkflowRun, self._run(operations.field_of(call, "run")))

    def get(self, id: str) -> types.WorkflowRun:
        return cast(types.WorkflowRun, self._run(operations.field_of(Call("GET", f"/v1/workflow-runs/{id}"), "run")))

    def wait(
        self, id: str, *, timeout_seconds: float | None = None, on_progress: OnProgress | None = None
    ) -> types.WorkflowRun:
        """Waits until a run has ended. Raises ``FailedError`` if it failed."""
        waiting = operations.wait_for(f"/v1/workflow-runs/{id}", "run", id, timeout_seconds, on_progress)
        return cast(types.WorkflowRun, self._run(waiting))

    def run(
        self,
        workflow_id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: OnProgress | None = None,
        **request: Any,
    ) -> types.WorkflowRun:
        """Runs a whole chain and waits for its result."""
        create = requests.create_run(workflow_id, "run_all", idempotency_key, request)
        running = operations.create_and_wait(create, "/v1/workflow-runs", "run", timeout_seconds, on_progress)
        return cast(types.WorkflowRun, self._run(running))

    def list(self, **filters: Any) -> Iterator[types.WorkflowRun]:
        """The newest first, page by page, without their settings and results."""
        return self._list("/v1/workflow-runs", "runs", filters)

    def cancel(self, id: str) -> types.WorkflowRun:
        call = Call("POST", f"/v1/workflow-runs/{id}/cancel", body={})
        return cast(types.WorkflowRun, self._run(operations.field_of(call, "run")))

    def delete(self, id: str) -> types.Deletion:
        """Erases a run with its jobs and files."""
        return cast(types.Deletion, self._run(operations.json_of(Call("DELETE", f"/v1/workflow-runs/{id}"))))

    def export(self, id: str, as_: str, **options: str) -> str:
        return self._run(operations.text_of(requests.export(f"/v1/workflow-runs/{id}", as_, options)))


class SyncUploads:
    """Files that jobs read."""

    def __init__(self, transport: SyncTransport) -> None:
        self._run = transport.run

    def upload(
        self, file: str | os.PathLike[str] | BinaryIO, *, name: str | None = None, on_bytes: OnBytes | None = None
    ) -> types.Upload:
        """Sends a file in parts, and goes on where it was when a connection breaks or the service restarts. Jobs read its ``media_url``."""
        return cast(types.Upload, self._run(operations.upload(file, name, on_bytes)))

    def get(self, id: str) -> types.Upload:
        return cast(types.Upload, self._run(operations.field_of(Call("GET", f"/v1/uploads/{id}"), "upload")))

    def delete(self, id: str) -> types.Deletion:
        return cast(types.Deletion, self._run(operations.json_of(Call("DELETE", f"/v1/uploads/{id}"))))


class MediaTimeline:
    """The client of a Media Timeline service."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        max_retries: int = 2,
        http: httpx.Client | None = None,
    ) -> None:
        """``api_key`` and ``base_url`` are those of MEDIA_TIMELINE_API_KEY and MEDIA_TIMELINE_URL when left out."""
        key, url = requests.connection(api_key, base_url)
        self._transport = SyncTransport(key, url, max_retries, http)
        self.jobs = SyncJobs(self._transport)
        self.workflow_runs = SyncWorkflowRuns(self._transport)
        self.batches = SyncBatches(self._transport)
        self.directives = SyncDirectives(self._transport)
        self.uploads = SyncUploads(self._transport)
        self.webhooks = Webhooks(key)

    def search(self, text: str, **page: Any) -> types.SearchPage:
        """Finds what was said and what was on the screen, over all jobs of the account."""
        call = Call("GET", "/v1/search", query={"q": text, **page})
        return cast(types.SearchPage, self._transport.run(operations.json_of(call)))

    def usage(self, **days: Any) -> types.Usage:
        """Jobs and costs, of the current month when no days are given. ``from`` is a keyword: ``usage(**{"from": "2026-11-01"})``."""
        return cast(types.Usage, self._transport.run(operations.json_of(Call("GET", "/v1/usage", query=days))))

    def catalog(self) -> types.Catalog:
        """The endpoints of the service, with their settings and prices."""
        return cast(types.Catalog, self._transport.run(operations.json_of(Call("GET", "/v1/catalog"))))

    def events(self, *, after: str | None = None, type: str | None = None) -> Iterator[types.Event]:
        """What happens in the account, the oldest first, for as long as the caller reads: from the oldest event that is kept, after one, or from now on with ``latest``."""
        is_known = False
        while True:
            found, after = self._transport.run(operations.next_events(after, type, is_known))
            is_known = True
            for event in found:
                yield event

    def close(self) -> None:
        self._transport.http.close()

    def __enter__(self) -> MediaTimeline:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
