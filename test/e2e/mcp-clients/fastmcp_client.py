"""Connects with FastMCP's own OAuth helper, which opens the browser that BROWSER names and listens at the redirect address itself. Prints what it got as JSON.

Usage, with BROWSER: fastmcp_client.py URL CLIENT_ID REDIRECT_URI
"""

import asyncio
import json
import sys
from urllib.parse import urlparse

from fastmcp import Client
from fastmcp.client.auth import OAuth


async def connect(url, client_id, redirect_uri):
    callback = urlparse(redirect_uri)
    oauth = OAuth(client_id=client_id, callback_host=callback.hostname, callback_port=callback.port)
    tokens = []
    async with Client(url, auth=oauth) as client:
        for _ in range(2):
            jobs = await client.call_tool("svc.list_jobs", {})
            tokens.append(oauth.context.current_tokens)
            oauth.context.token_expiry_time = 1
    print(
        json.dumps(
            {
                "scope": tokens[-1].scope,
                "tokens": [token.access_token[:7] for token in tokens],
                "refreshed": tokens[0].access_token != tokens[1].access_token,
                "jobs": jobs.structured_content["jobs"],
            }
        )
    )


asyncio.run(connect(*sys.argv[1:]))
