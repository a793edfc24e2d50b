"""Both clients do the same, with a service that is busy, breaks connections and answers in pages. Prints what it saw."""

import asyncio
import json
import time

import httpx
from media_timeline import ApiError, AsyncMediaTimeline, ConnectionFailedError, MediaTimeline, MediaTimelineError

seen: list[list[str]] = []
answers: list[httpx.Response | httpx.TransportError] = []


def answer(request: httpx.Request) -> httpx.Response:
    seen.append([request.method, str(request.url), request.headers.get("idempotency-key", "")])
    if request.url.path in ("/v1/estimate", "/v1/directives"):
        seen[-1].append(request.content.decode())
    found = answers.pop(0)
    if isinstance(found, httpx.TransportError):
        raise found
    return found


def ok(body: object) -> httpx.Response:
    return httpx.Response(200, json=body)


def script() -> None:
    busy = httpx.Response(503, json={"error": {"code": "service_unavailable", "message": "Busy."}})
    refused = httpx.Response(400, json={"error": {"code": "invalid_request", "message": "No."}})
    created = httpx.Response(202, json={"job": {"id": "job_1"}})
    pages = [{"jobs": [{"id": "job_1"}], "next_cursor": "c1"}, {"jobs": [{"id": "job_2"}]}]
    lost = [httpx.ConnectError("gone") for _ in range(3)]
    answers.extend([busy, httpx.ReadError("broken"), created, *map(ok, pages), refused, *lost])
    batch, deleted, directive = ok({"batch": {"id": "bat_1"}}), ok({"status": "deleted"}), ok({"directive": {"id": "dir_1"}})
    answers.extend([batch, batch, deleted, directive, ok({"items": [{"run_id": "run_1"}]}), deleted])
    gone = httpx.Response(404, json={"error": {"code": "not_found", "message": "Gone."}})
    second, third = {"events": [{"id": "evt_2"}], "next_after": "evt_2"}, {"events": [{"id": "evt_3"}]}
    answers.extend([busy, ok(second), gone, ok(third), ok({}), directive])


def unsigned() -> dict[str, str]:
    return {"webhook-id": "evt_1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,"}


def run_sync() -> list[str]:
    client = MediaTimeline("key", base_url="http://service.example", http=httpx.Client(transport=httpx.MockTransport(answer)))
    told = [client.jobs.create("audio/detect-silence", media_url="x")["id"]]
    told += [job["id"] for job in client.jobs.list(limit=1)]
    for _ in range(2):
        try:
            client.jobs.get("job_1")
        except (ApiError, ConnectionFailedError) as error:
            told.append(str(error))
    try:
        client.jobs.cancel("../keys/key_1/revoke?")
    except MediaTimelineError as error:
        told.append(str(error))
    try:
        client.webhooks.verify(b"{}", unsigned(), "whsec_")
    except MediaTimelineError as error:
        told.append(str(error))
    told += [client.batches.retry("bat_1", cap_usd=6)["id"], client.batches.cancel("bat_1")["id"]]
    told += [client.batches.delete("bat_1")["status"], client.directives.change("dir_1", enabled=False)["id"]]
    told += [item["run_id"] for item in client.directives.items("dir_1", status="failed")]
    told.append(client.directives.delete("dir_1")["status"])
    for event in client.events(after="evt_1"):
        told.append(event["id"])
        if event["id"] == "evt_3":
            break
    client.jobs.estimate("audio/detect-silence", media_url="x", max_price_usd=1, callback_url="y", end=None)
    client.directives.create(workflow_id="x", settings=None)
    return told


async def run_async() -> list[str]:
    http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    client = AsyncMediaTimeline("key", base_url="http://service.example", http=http)
    told = [(await client.jobs.create("audio/detect-silence", media_url="x"))["id"]]
    told += [job["id"] async for job in client.jobs.list(limit=1)]
    for _ in range(2):
        try:
            await client.jobs.get("job_1")
        except (ApiError, ConnectionFailedError) as error:
            told.append(str(error))
    try:
        await client.jobs.cancel("../keys/key_1/revoke?")
    except MediaTimelineError as error:
        told.append(str(error))
    try:
        client.webhooks.verify(b"{}", unsigned(), "")
    except MediaTimelineError as error:
        told.append(str(error))
    told += [(await client.batches.retry("bat_1", cap_usd=6))["id"], (await client.batches.cancel("bat_1"))["id"]]
    told += [(await client.batches.delete("bat_1"))["status"]]
    told += [(await client.directives.change("dir_1", enabled=False))["id"]]
    told += [item["run_id"] async for item in client.directives.items("dir_1", status="failed")]
    told.append((await client.directives.delete("dir_1"))["status"])
    async for event in client.events(after="evt_1"):
        told.append(event["id"])
        if event["id"] == "evt_3":
            break
    await client.jobs.estimate("audio/detect-silence", media_url="x", max_price_usd=1, callback_url="y", end=None)
    await client.directives.create(workflow_id="x", settings=None)
    return told


def main() -> None:
    script()
    told = [run_sync()]
    requests = [seen.copy()]
    seen.clear()
    script()
    told.append(asyncio.run(run_async()))
    requests.append(seen.copy())
    print(json.dumps({"told": told, "requests": requests}))


main()
