"""Both clients do the same, with a service that is busy, breaks connections and answers in pages. Prints what it saw."""

import asyncio
import json

import httpx
from media_timeline import ApiError, AsyncMediaTimeline, ConnectionFailedError, MediaTimeline

seen: list[list[str]] = []
answers: list[httpx.Response | httpx.TransportError] = []


def answer(request: httpx.Request) -> httpx.Response:
    seen.append([request.method, str(request.url), request.headers.get("idempotency-key", "")])
    found = answers.pop(0)
    if isinstance(found, httpx.TransportError):
        raise found
    return found


def script() -> None:
    busy = httpx.Response(503, json={"error": {"code": "service_unavailable", "message": "Busy."}})
    refused = httpx.Response(400, json={"error": {"code": "invalid_request", "message": "No."}})
    created = httpx.Response(202, json={"job": {"id": "job_1"}})
    pages = [{"jobs": [{"id": "job_1"}], "next_cursor": "c1"}, {"jobs": [{"id": "job_2"}]}]
    lost = [httpx.ConnectError("gone") for _ in range(3)]
    answers.extend([busy, httpx.ReadError("broken"), created, *[httpx.Response(200, json=page) for page in pages], refused, *lost])


def run_sync() -> list[str]:
    client = MediaTimeline("key", base_url="http://service.example", http=httpx.Client(transport=httpx.MockTransport(answer)))
    told = [client.jobs.create("audio/detect-silence", media_url="x")["id"]]
    told += [job["id"] for job in client.jobs.list(limit=1)]
    for _ in range(2):
        try:
            client.jobs.get("job_1")
        except (ApiError, ConnectionFailedError) as error:
            told.append(str(error))
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
