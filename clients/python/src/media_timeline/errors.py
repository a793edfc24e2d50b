"""What the library raises."""

from __future__ import annotations


class MediaTimelineError(Exception):
    """Anything that the library raises."""


class ApiError(MediaTimelineError):
    """The service answered with an error. Its message says what to do next."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status."""
        self.code = code
        """A code of the service's table of errors, such as ``invalid_request``."""
        self.request_id = request_id
        """Quote it when you report a problem."""
        self.retry_after_seconds = retry_after_seconds


class ConnectionFailedError(MediaTimelineError):
    """The service could not be reached, or a request took longer than its time limit."""


class FailedError(MediaTimelineError):
    """A job or a run failed. A job that failed cost nothing; of a run, the jobs that had completed are paid."""

    def __init__(self, message: str, *, code: str, id: str) -> None:
        super().__init__(message)
        self.code = code
        """A code of the service's table of errors, or ``canceled``."""
        self.id = id
        """The id of the job or the run."""


class WaitTimeoutError(MediaTimelineError):
    """A job or a run did not end within the time that the caller gave. It goes on: wait for it again."""

    def __init__(self, id: str, timeout_seconds: float) -> None:
        super().__init__(f"{id} did not end within {timeout_seconds:g} seconds. It goes on: wait for it again.")
        self.id = id


class WebhookSignatureError(MediaTimelineError):
    """A request is not signed by the service, or is too old."""
