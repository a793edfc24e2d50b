"""Does with the Python client what an agent does, and prints the answers as JSON. Usage: client.py URL MODE MEDIA_URL"""

import asyncio
import json
import os
import re
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError


async def main(url, mode, media_url):
    answers = {"statuses": []}

    async def note_status(response):
        answers["statuses"].append(response.status_code)

    key = os.environ.get("API_KEY")
    headers = {"authorization": f"Bearer {key}"} if key else {}
    try:
        async with (
            httpx2.AsyncClient(headers=headers, event_hooks={"response": [note_status]}) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            answers["version"] = client.protocol_version
            answers["tools"] = [tool.name for tool in (await client.list_tools()).tools]
            answers["guide"] = await call(client, "get_agent_guide")
            answers["refusal"] = (await client.call_tool("svc.estimate_cost", {"endpoint": "no/such"})).meta
            await run_job(client, media_url, answers)
    except* MCPError as errors:
        answers["failed"] = True
        answers["message"] = str(first_of(errors))
    print(json.dumps(answers))


def first_of(error):
    return first_of(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


async def run_job(client, media_url, answers):
    answers["progress"] = []

    async def note_progress(progress, total, message):
        answers["progress"].append([progress, total, message])

    created = await call(client, "create_job", endpoint="audio/detect-silence", media_url=media_url)
    job = {"job_id": created["job_id"]}
    waited = await client.call_tool("svc.get_job", {**job, "wait_seconds": 60}, progress_callback=note_progress)
    answers["status"] = waited.structured_content["job"]["status"]
    answers["result"] = (await call(client, "get_job_result", **job))["result"]
    answers["read"] = await run_by_texts(client, media_url)


async def run_by_texts(client, media_url):
    """The same for a model whose client shows it only texts."""

    async def read(name, **arguments):
        answer = await client.call_tool(f"svc.{name}", arguments)
        return "\n".join(block.text for block in answer.content if block.type == "text")

    created = await read("create_job", endpoint="audio/detect-silence", media_url=media_url, settings={"threshold": -30})
    job_id = re.search(r"job_\w+", created).group()
    waited = await read("get_job", job_id=job_id, wait_seconds=60)
    return [waited, await read("get_job_result", job_id=job_id)]


async def call(client, name, **arguments):
    answer = await client.call_tool(f"svc.{name}", arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content


asyncio.run(main(*sys.argv[1:]))
