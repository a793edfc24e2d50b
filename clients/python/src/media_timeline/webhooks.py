"""Proves that a request comes from the service."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, TypedDict

from .errors import MediaTimelineError, WebhookSignatureError

# A replayed request is refused once it is this old.
_TOLERANCE_SECONDS = 300


class WebhookEvent(TypedDict):
    """What the service calls a webhook endpoint with."""

    type: str
    timestamp: str
    api_version: str
    data: dict[str, Any]


def callback_secret_of(api_key: str) -> str:
    """The secret that signs the callbacks (``callback_url``) of an API key."""
    digest = hmac.new(api_key.encode(), b"callbacks", hashlib.sha256).digest()
    return f"whsec_{base64.b64encode(digest).decode()}"


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """The event of a request, if the service sent it: signed with ``secret`` as Standard Webhooks 1.0 describes, within five minutes.

    ``body`` is the text that arrived, before any parser. Raises ``WebhookSignatureError`` for every other request.
    """
    given = {name.lower(): value for name, value in headers.items()}
    id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    signatures = given.get("webhook-signature", "")
    if not id or not signatures or not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookSignatureError("The request is not signed.")
    if abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookSignatureError(
            "The request is more than five minutes old, or the clock of this machine is wrong."
        )
    content = body.encode() if isinstance(body, str) else body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    # Everybody can sign with an empty key, such as that of a variable that is not set.
    if not key:
        raise MediaTimelineError("The secret is empty. Give the one that the webhook endpoint was created with.")
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(digest).decode()}".encode()
    if not any(hmac.compare_digest(signature.encode(), expected) for signature in signatures.split(" ")):
        raise WebhookSignatureError("The signature does not match the secret.")
    event: WebhookEvent = json.loads(content)
    return event


class Webhooks:
    """Proves that a request comes from the service."""

    def __init__(self, api_key: str) -> None:
        self.callback_secret = callback_secret_of(api_key)
        """Signs the callbacks of this client's jobs and runs."""

    def verify(self, body: bytes | str, headers: Mapping[str, str], secret: str) -> WebhookEvent:
        return verify_webhook(body, headers, secret)
