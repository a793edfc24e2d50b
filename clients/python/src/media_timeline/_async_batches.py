"""Work for many media: batches, and directives for uploads that arrive. ``_sync_batches_gen.py`` derives from it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, cast

from . import _operations as operations
from . import _requests as requests
from . import types_gen as types
from ._operations import OnProgress
from ._transport import AsyncTransport, Call


class AsyncBatches:
    """One chain or endpoint for up to 1,000 media, within one cap."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._run = transport.run
        self._list = transport.list

    async def create(self, *, idempotency_key: str | None = None, **request: Any) -> types.Batch:
        call = requests.create("/v1/batches", request, idempotency_key)
        return cast(types.Batch, await self._run(operations.field_of(call, "batch")))

    async def get(self, id: str) -> types.Batch:
        return cast(types.Batch, await self._run(operations.field_of(Call("GET", f"/v1/batches/{id}"), "batch")))

    async def wait(
        self, id: str, *, timeout_seconds: float | None = None, on_progress: OnProgress | None = None
    ) -> types.Batch:
        """Waits until every item has ended: ``items`` says how many failed."""
        waiting = operations.wait_for(f"/v1/batches/{id}", "batch", id, timeout_seconds, on_progress)
        return cast(types.Batch, await self._run(waiting))

    async def run(
        self,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: OnProgress | None = None,
        **request: Any,
    ) -> types.Batch:
        """Runs a batch and waits for its end."""
        create = requests.create("/v1/batches", request, idempotency_key)
        running = operations.create_and_wait(create, "/v1/batches", "batch", timeout_seconds, on_progress)
        return cast(types.Batch, await self._run(running))

    def list(self, **page: Any) -> AsyncIterator[types.Batch]:
        """The newest first."""
        return self._list("/v1/batches", "batches", page)

    def items(self, id: str, **filters: Any) -> AsyncIterator[types.BatchItem]:
        """Its media with their runs, in the order of the request."""
        return self._list(f"/v1/batches/{id}/items", "items", filters)

    async def retry(self, id: str, **request: Any) -> types.Batch:
        """Runs the failed items again."""
        call = requests.create(f"/v1/batches/{id}/retry", request)
        return cast(types.Batch, await self._run(operations.field_of(call, "batch")))

    async def cancel(self, id: str) -> types.Batch:
        call = requests.create(f"/v1/batches/{id}/cancel", {})
        return cast(types.Batch, await self._run(operations.field_of(call, "batch")))

    async def delete(self, id: str) -> types.Deletion:
        """Deletes a batch that has ended. Its runs stay."""
        return cast(types.Deletion, await self._run(operations.json_of(Call("DELETE", f"/v1/batches/{id}"))))


class AsyncDirectives:
    """One chain or endpoint for each upload that arrives and matches."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._run = transport.run
        self._list = transport.list

    async def create(self, *, idempotency_key: str | None = None, **request: Any) -> types.Directive:
        call = requests.create("/v1/directives", request, idempotency_key)
        return cast(types.Directive, await self._run(operations.field_of(call, "directive")))

    async def get(self, id: str) -> types.Directive:
        call = Call("GET", f"/v1/directives/{id}")
        return cast(types.Directive, await self._run(operations.field_of(call, "directive")))

    async def change(self, id: str, **change: Any) -> types.Directive:
        """Turns it on or off, or changes what it may spend."""
        call = Call("PATCH", f"/v1/directives/{id}", body=change)
        return cast(types.Directive, await self._run(operations.field_of(call, "directive")))

    def list(self) -> AsyncIterator[types.Directive]:
        return self._list("/v1/directives", "directives", {})

    def items(self, id: str, **filters: Any) -> AsyncIterator[types.BatchItem]:
        """The uploads that it took with their runs, the newest first."""
        return self._list(f"/v1/directives/{id}/items", "items", filters)

    async def delete(self, id: str) -> types.Deletion:
        return cast(types.Deletion, await self._run(operations.json_of(Call("DELETE", f"/v1/directives/{id}"))))
