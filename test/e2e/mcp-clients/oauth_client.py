"""Connects with the Python client's own OAuth flow, and prints what it got as JSON. Its person has the pages of a browser, by plain HTTP.

Usage, with EMAIL and PASSWORD: oauth_client.py connect URL CLIENT_ID REDIRECT_URI
or, with a real browser, for which it prints the address, and whose last address it reads: oauth_client.py browse URL CLIENT_ID REDIRECT_URI
or, for another client that waits at the redirect address: oauth_client.py approve AUTHORIZE_URL REDIRECT_URI
"""

import asyncio
import html
import json
import os
import re
import sys
from urllib.parse import parse_qs, urljoin, urlparse

import httpx2
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata


class Tokens(TokenStorage):
    def __init__(self, client):
        self.client = client
        self.all = []

    async def get_tokens(self):
        return self.all[-1] if self.all else None

    async def set_tokens(self, tokens):
        self.all.append(tokens)

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, info):
        self.client = info


async def approve(url, redirect_uri):
    """Signs in and approves, as the forms of the pages say, and returns the query that the client gets."""
    typed = {"email": os.environ["EMAIL"], "password": os.environ["PASSWORD"], "monthly_cap_usd": "1"}
    parts = urlparse(url)
    async with httpx2.AsyncClient(headers={"accept": "text/html"}) as browser:
        answer = await browser.get(url)
        for _ in range(8):
            if answer.status_code == 303:
                location = urljoin(str(answer.url), answer.headers["location"])
                if location.startswith(redirect_uri):
                    return {name: values[0] for name, values in parse_qs(urlparse(location).query).items()}
                answer = await browser.get(location)
                continue
            assert answer.status_code == 200, answer.text
            action, body = re.search(r'<form method="post" action="([^"]*)">(.*)</form>', answer.text, re.S).groups()
            form = {}
            for field in re.findall(r"<input[^>]*>", body):
                name = re.search(r'name="([^"]*)"', field)[1]
                value = re.search(r'value="([^"]*)"', field)
                if 'type="radio"' not in field or " checked" in field:
                    form[name] = html.unescape(value[1]) if value else typed[name]
            if 'name="scope"' in body:
                form.setdefault("scope", "all")
            if "decision" in body:
                form["decision"] = "approve"
            origin = {"origin": f"{parts.scheme}://{parts.netloc}"}
            answer = await browser.post(urljoin(str(answer.url), action), data=form, headers=origin)
    raise AssertionError("the pages lead nowhere")


async def approve_for_other(url, redirect_uri):
    async with httpx2.AsyncClient() as browser:
        await browser.get(redirect_uri, params=await approve(url, redirect_uri))


async def approve_in_browser(url, _redirect_uri):
    print(url, flush=True)
    landed = await asyncio.to_thread(sys.stdin.readline)
    return {name: values[0] for name, values in parse_qs(urlparse(landed.strip()).query).items()}


async def connect(url, client_id, redirect_uri, approve=approve):
    common = {"redirect_uris": [redirect_uri], "token_endpoint_auth_method": "none"}
    common |= {"grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"]}
    tokens = Tokens(OAuthClientInformationFull(client_id=client_id, **common))
    asked, landed = {}, {}

    async def open_browser(authorize_url):
        asked.update({name: values[0] for name, values in parse_qs(urlparse(authorize_url).query).items()})
        landed.update(await approve(authorize_url, redirect_uri))

    async def wait_for_code():
        return AuthorizationCodeResult(code=landed["code"], state=landed.get("state"), iss=landed.get("iss"))

    oauth = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(client_name="test", **common),
        storage=tokens,
        redirect_handler=open_browser,
        callback_handler=wait_for_code,
    )
    async with (
        httpx2.AsyncClient(auth=oauth, timeout=30) as http,
        streamable_http_client(url, http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        jobs = await session.call_tool("svc.list_jobs", {})
        oauth.context.token_expiry_time = 1
        limits = await session.call_tool("svc.get_account_limits", {})
    print(
        json.dumps(
            {
                "resource": asked.get("resource"),
                "scope": tokens.all[-1].scope,
                "tokens": [token.access_token[:7] for token in tokens.all],
                "jobs": jobs.structured_content["jobs"],
                "cap": limits.structured_content["limits"]["key"]["monthly_cap_usd"],
            }
        )
    )


async def browse(url, client_id, redirect_uri):
    await connect(url, client_id, redirect_uri, approve_in_browser)


modes = {"connect": connect, "browse": browse, "approve": approve_for_other}
asyncio.run(modes[sys.argv[1]](*sys.argv[2:]))
