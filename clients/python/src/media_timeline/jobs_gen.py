# Made from the declarations of the service: `npx vitest run test/clients -u` makes it again.

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal, Protocol, overload

from typing_extensions import NotRequired, TypedDict, Unpack

from . import types_gen as types


class JobFields(TypedDict):
    """The fields of every completed job."""

    id: str
    status: Literal["completed"]
    progress: float
    warnings: list[str]
    created_at: str
    run_id: NotRequired[str]
    media: NotRequired[types.JobMedia]
    media_seconds: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    final_price_usd: NotRequired[float]


class RequestFields(TypedDict, total=False):
    """What a job is created with, beside its endpoint and settings."""

    media_url: str
    start: float | str
    end: float | str
    metadata: dict[str, str]
    callback_url: str


class VideoClipWindowJob(JobFields):
    endpoint: Literal["video/clip-window"]
    result: types.VideoClipWindowResult


class VideoClipNearJob(JobFields):
    endpoint: Literal["video/clip-near"]
    result: types.VideoClipNearResult


class AudioDetectSilenceJob(JobFields):
    endpoint: Literal["audio/detect-silence"]
    result: types.AudioDetectSilenceResult


class AudioDetectEnergyJob(JobFields):
    endpoint: Literal["audio/detect-energy"]
    result: types.AudioDetectEnergyResult


class AudioDetectLaughterJob(JobFields):
    endpoint: Literal["audio/detect-laughter"]
    result: types.AudioDetectLaughterResult


class AudioFindWordsJob(JobFields):
    endpoint: Literal["audio/find-words"]
    result: types.AudioFindWordsResult


class AudioSemanticChunksJob(JobFields):
    endpoint: Literal["audio/semantic-chunks"]
    result: types.AudioSemanticChunksResult


class VideoBestFramesJob(JobFields):
    endpoint: Literal["video/best-frames"]
    result: types.VideoBestFramesResult


class VideoThumbnailScoreJob(JobFields):
    endpoint: Literal["video/thumbnail-score"]
    result: types.VideoThumbnailScoreResult


class VideoTextFramesJob(JobFields):
    endpoint: Literal["video/text-frames"]
    result: types.VideoTextFramesResult


class TimelineSuggestRangesJob(JobFields):
    endpoint: Literal["timeline/suggest-ranges"]
    result: types.TimelineSuggestRangesResult


class TimelineFindHighlightsJob(JobFields):
    endpoint: Literal["timeline/find-highlights"]
    result: types.TimelineFindHighlightsResult


class TimelineMergeJob(JobFields):
    endpoint: Literal["timeline/merge"]
    result: types.TimelineMergeResult


class TimelineSyncJob(JobFields):
    endpoint: Literal["timeline/sync"]
    result: types.TimelineSyncResult


class RunJob(Protocol):
    """Creates a job and waits for its result, which is typed by its endpoint."""

    @overload
    def __call__(
        self,
        endpoint: Literal["video/clip-window"],
        *,
        settings: types.VideoClipWindowSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> VideoClipWindowJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["video/clip-near"],
        *,
        settings: types.VideoClipNearSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> VideoClipNearJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/detect-silence"],
        *,
        settings: types.AudioDetectSilenceSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> AudioDetectSilenceJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/detect-energy"],
        *,
        settings: types.AudioDetectEnergySettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> AudioDetectEnergyJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/detect-laughter"],
        *,
        settings: types.AudioDetectLaughterSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> AudioDetectLaughterJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/find-words"],
        *,
        settings: types.AudioFindWordsSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> AudioFindWordsJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/semantic-chunks"],
        *,
        settings: types.AudioSemanticChunksSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> AudioSemanticChunksJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["video/best-frames"],
        *,
        settings: types.VideoBestFramesSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> VideoBestFramesJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["video/thumbnail-score"],
        *,
        settings: types.VideoThumbnailScoreSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> VideoThumbnailScoreJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["video/text-frames"],
        *,
        settings: types.VideoTextFramesSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> VideoTextFramesJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["timeline/suggest-ranges"],
        *,
        settings: types.TimelineSuggestRangesSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> TimelineSuggestRangesJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["timeline/find-highlights"],
        *,
        settings: types.TimelineFindHighlightsSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> TimelineFindHighlightsJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["timeline/merge"],
        *,
        settings: types.TimelineMergeSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> TimelineMergeJob: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["timeline/sync"],
        *,
        settings: types.TimelineSyncSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> TimelineSyncJob: ...


class RunJobAsync(Protocol):
    """Creates a job and waits for its result, which is typed by its endpoint."""

    @overload
    def __call__(
        self,
        endpoint: Literal["video/clip-window"],
        *,
        settings: types.VideoClipWindowSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[VideoClipWindowJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["video/clip-near"],
        *,
        settings: types.VideoClipNearSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[VideoClipNearJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/detect-silence"],
        *,
        settings: types.AudioDetectSilenceSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[AudioDetectSilenceJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/detect-energy"],
        *,
        settings: types.AudioDetectEnergySettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[AudioDetectEnergyJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/detect-laughter"],
        *,
        settings: types.AudioDetectLaughterSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[AudioDetectLaughterJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/find-words"],
        *,
        settings: types.AudioFindWordsSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[AudioFindWordsJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["audio/semantic-chunks"],
        *,
        settings: types.AudioSemanticChunksSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[AudioSemanticChunksJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["video/best-frames"],
        *,
        settings: types.VideoBestFramesSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[VideoBestFramesJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["video/thumbnail-score"],
        *,
        settings: types.VideoThumbnailScoreSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[VideoThumbnailScoreJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["video/text-frames"],
        *,
        settings: types.VideoTextFramesSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[VideoTextFramesJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["timeline/suggest-ranges"],
        *,
        settings: types.TimelineSuggestRangesSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[TimelineSuggestRangesJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["timeline/find-highlights"],
        *,
        settings: types.TimelineFindHighlightsSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[TimelineFindHighlightsJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["timeline/merge"],
        *,
        settings: types.TimelineMergeSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[TimelineMergeJob]: ...

    @overload
    def __call__(
        self,
        endpoint: Literal["timeline/sync"],
        *,
        settings: types.TimelineSyncSettings = ...,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        on_progress: Callable[[float], None] | None = None,
        **request: Unpack[RequestFields],
    ) -> Awaitable[TimelineSyncJob]: ...
