"""The client of Media Timeline: finds moments in video and audio, and cuts clips exact to the frame."""

from . import types_gen as types
from ._async_clients import AsyncMediaTimeline
from ._sync_clients_gen import MediaTimeline
from .errors import (
    ApiError,
    ConnectionFailedError,
    FailedError,
    MediaTimelineError,
    WaitTimeoutError,
    WebhookSignatureError,
)
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "ApiError",
    "AsyncMediaTimeline",
    "ConnectionFailedError",
    "FailedError",
    "MediaTimeline",
    "MediaTimelineError",
    "WaitTimeoutError",
    "WebhookEvent",
    "WebhookSignatureError",
    "types",
    "verify_webhook",
]
