# Made from the declarations of the service: `npx vitest run test/clients -u` makes it again.

from __future__ import annotations

from typing import Any, Literal, Union

from typing_extensions import NotRequired, TypedDict


class AccountDeletion(TypedDict):
    request_id: str
    id: str
    status: Literal["deleted", "deleting"]
    unpaid_usd: float


class AccountLimitsLimitsConcurrency(TypedDict):
    running_jobs: int


class AccountLimitsLimitsStorage(TypedDict):
    stored_bytes: int
    max_bytes: int


class AccountLimitsLimitsRates(TypedDict):
    requests_per_minute: int


class AccountLimitsLimitsKey(TypedDict):
    monthly_cap_usd: Union[float, None]
    may_raise_limits: bool
    spent_usd: float
    held_usd: float


class AccountLimitsLimits(TypedDict):
    month: str
    monthly_cap_usd: Union[float, None]
    alert_percents: list[int]
    spent_usd: float
    held_usd: float
    credits_left_usd: float
    billing: Literal["inactive", "active"]
    takes_payments: bool
    concurrency: "AccountLimitsLimitsConcurrency"
    storage: "AccountLimitsLimitsStorage"
    rates: "AccountLimitsLimitsRates"
    key: NotRequired["AccountLimitsLimitsKey"]


class AccountLimits(TypedDict):
    request_id: str
    limits: "AccountLimitsLimits"


class AccountLimitsRequest(TypedDict):
    monthly_cap_usd: Union[float, None]
    alert_percents: NotRequired[list[int]]


class AudioDetectEnergyJob(TypedDict):
    id: str
    endpoint: Literal["audio/detect-energy"]
    settings: NotRequired["AudioDetectEnergySettings"]
    result: NotRequired["AudioDetectEnergyResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class AudioDetectEnergyJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "AudioDetectEnergyJob"
    page: NotRequired["ResultPage"]


class AudioDetectEnergyResultSegmentsItem(TypedDict):
    start: float
    end: float
    duration: float
    mean_db: float
    peak_db: float
    score: float


class AudioDetectEnergyResultEnvelope(TypedDict):
    seconds_per_point: float
    rms_db: list[float]


class AudioDetectEnergyResultPreview(TypedDict):
    url: str
    expires_at: str
    content_type: str


class AudioDetectEnergyResult(TypedDict):
    media_seconds: float
    segments: list["AudioDetectEnergyResultSegmentsItem"]
    envelope: "AudioDetectEnergyResultEnvelope"
    total_segment_seconds: float
    analysis: Literal["computed", "reused"]
    preview: "AudioDetectEnergyResultPreview"


class AudioDetectEnergySettings(TypedDict):
    threshold: NotRequired[float]
    quiet_threshold: NotRequired[float]
    min_segment_seconds: NotRequired[float]
    top: NotRequired[int]
    window_seconds: NotRequired[float]
    audio_track: NotRequired[Union[Literal["default"], Literal["all"], int]]


class AudioDetectLaughterJob(TypedDict):
    id: str
    endpoint: Literal["audio/detect-laughter"]
    settings: NotRequired["AudioDetectLaughterSettings"]
    result: NotRequired["AudioDetectLaughterResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class AudioDetectLaughterJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "AudioDetectLaughterJob"
    page: NotRequired["ResultPage"]


class AudioDetectLaughterResultSegmentsItem(TypedDict):
    start: float
    end: float
    duration: float
    score: float
    kind: Literal["laughter", "baby_laughter", "giggle", "snicker", "belly_laugh", "chuckle"]


class AudioDetectLaughterResult(TypedDict):
    media_seconds: float
    segments: list["AudioDetectLaughterResultSegmentsItem"]
    total_segment_seconds: float
    analysis: Literal["computed", "reused"]


class AudioDetectLaughterSettings(TypedDict):
    threshold: NotRequired[float]
    min_segment_seconds: NotRequired[float]
    audio_track: NotRequired[Union[Literal["default"], int]]


class AudioDetectSilenceJob(TypedDict):
    id: str
    endpoint: Literal["audio/detect-silence"]
    settings: NotRequired["AudioDetectSilenceSettings"]
    result: NotRequired["AudioDetectSilenceResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class AudioDetectSilenceJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "AudioDetectSilenceJob"
    page: NotRequired["ResultPage"]


class AudioDetectSilenceResultSilencesItem(TypedDict):
    start: float
    end: float
    duration: float


class AudioDetectSilenceResultSegmentsItem(TypedDict):
    start: float
    end: float
    duration: float


class AudioDetectSilenceResultPreview(TypedDict):
    url: str
    expires_at: str
    content_type: str


class AudioDetectSilenceResult(TypedDict):
    media_seconds: float
    silences: list["AudioDetectSilenceResultSilencesItem"]
    segments: list["AudioDetectSilenceResultSegmentsItem"]
    total_silence_seconds: float
    total_segment_seconds: float
    threshold_db: float
    analysis: Literal["computed", "reused"]
    preview: "AudioDetectSilenceResultPreview"


class AudioDetectSilenceSettings(TypedDict):
    threshold: NotRequired[Union[float, Literal["auto"]]]
    min_silence_seconds: NotRequired[float]
    min_segment_seconds: NotRequired[float]
    padding_seconds: NotRequired[float]
    audio_track: NotRequired[Union[Literal["default"], Literal["all"], int]]


class AudioFindWordsJob(TypedDict):
    id: str
    endpoint: Literal["audio/find-words"]
    settings: NotRequired["AudioFindWordsSettings"]
    result: NotRequired["AudioFindWordsResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class AudioFindWordsJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "AudioFindWordsJob"
    page: NotRequired["ResultPage"]


class AudioFindWordsResultMatchesItem(TypedDict):
    start: float
    end: float
    duration: float
    query: str
    text: str
    confidence: float
    before: str
    after: str


class AudioFindWordsResultSegmentsItem(TypedDict):
    start: float
    end: float
    duration: float


class AudioFindWordsResultTranscriptSentencesItem(TypedDict):
    start: float
    end: float
    duration: float
    text: str


class AudioFindWordsResultTranscriptWordsItem(TypedDict):
    text: str
    start: float
    end: float
    confidence: float


class AudioFindWordsResultTranscript(TypedDict):
    language: Literal["en"]
    text: str
    sentences: list["AudioFindWordsResultTranscriptSentencesItem"]
    words: list["AudioFindWordsResultTranscriptWordsItem"]


class AudioFindWordsResult(TypedDict):
    media_seconds: float
    matches: list["AudioFindWordsResultMatchesItem"]
    segments: list["AudioFindWordsResultSegmentsItem"]
    transcript: "AudioFindWordsResultTranscript"
    total_segment_seconds: float
    analysis: Literal["computed", "reused"]
    output: "OutputFile"
    output_url: str
    outputs: NotRequired[list["OutputFile"]]


class AudioFindWordsSettings(TypedDict):
    queries: NotRequired[list[str]]
    match: NotRequired[Literal["exact", "stem", "fuzzy"]]
    min_confidence: NotRequired[float]
    audio_track: NotRequired[Union[Literal["default"], int]]
    language: NotRequired[Literal["en"]]


class AudioSemanticChunksJob(TypedDict):
    id: str
    endpoint: Literal["audio/semantic-chunks"]
    settings: NotRequired["AudioSemanticChunksSettings"]
    result: NotRequired["AudioSemanticChunksResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class AudioSemanticChunksJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "AudioSemanticChunksJob"
    page: NotRequired["ResultPage"]


class AudioSemanticChunksResultChunksItem(TypedDict):
    start: float
    end: float
    duration: float
    title: str
    text: str
    keywords: list[str]


class AudioSemanticChunksResultSegmentsItem(TypedDict):
    start: float
    end: float
    duration: float
    title: str


class AudioSemanticChunksResult(TypedDict):
    media_seconds: float
    max_chapters: Union[int, None]
    chunks: list["AudioSemanticChunksResultChunksItem"]
    segments: list["AudioSemanticChunksResultSegmentsItem"]
    total_segment_seconds: float
    analysis: Literal["computed", "reused"]


class AudioSemanticChunksSettings(TypedDict):
    target_seconds: NotRequired[float]
    min_seconds: NotRequired[float]
    min_chapters: NotRequired[int]
    max_chapters: NotRequired[int]
    text_job_id: NotRequired[str]
    audio_track: NotRequired[Union[Literal["default"], int]]


class BatchItems(TypedDict):
    waiting: int
    running: int
    completed: int
    failed: int


class Batch(TypedDict):
    id: str
    name: str
    workflow_id: str
    settings: dict[str, dict[str, Any]]
    metadata: NotRequired[dict[str, str]]
    max_price_usd: float
    items: "BatchItems"
    created_at: str
    status: Literal["running", "completed", "canceled"]
    progress: float
    cap_usd: float
    spent_usd: float
    ended_at: NotRequired[str]


class BatchEnvelope(TypedDict):
    request_id: str
    batch: "Batch"


class BatchItemError(TypedDict):
    code: str
    message: str


class BatchItem(TypedDict):
    media_url: NotRequired[str]
    upload_id: NotRequired[str]
    status: Literal["waiting", "running", "completed", "failed"]
    run_id: NotRequired[str]
    error: NotRequired["BatchItemError"]
    created_at: str


class BatchItemPage(TypedDict):
    request_id: str
    items: list["BatchItem"]
    next_cursor: NotRequired[str]


class BatchPage(TypedDict):
    request_id: str
    batches: list["Batch"]
    next_cursor: NotRequired[str]


class BatchRequest(TypedDict):
    name: NotRequired[str]
    workflow_id: NotRequired[Literal["find-funny-clips", "remove-dead-space", "clean-speech", "find-exact-words", "find-highlights", "pick-thumbnails", "searchable-media-memory"]]
    endpoint: NotRequired[Literal["video/clip-window", "video/clip-near", "audio/detect-silence", "audio/detect-energy", "audio/detect-laughter", "audio/find-words", "audio/semantic-chunks", "video/best-frames", "video/thumbnail-score", "video/text-frames"]]
    settings: NotRequired[dict[str, Any]]
    metadata: NotRequired[dict[str, str]]
    media_urls: list[str]
    max_price_usd: NotRequired[float]
    cap_usd: float


class BatchRetry(TypedDict):
    cap_usd: NotRequired[float]


class BillingLinkBillingLink(TypedDict):
    url: str
    expires_in_seconds: int


class BillingLink(TypedDict):
    request_id: str
    billing_link: "BillingLinkBillingLink"


class BrandMargins(TypedDict):
    top: float
    bottom: float
    left: float
    right: float


class Brand(TypedDict):
    id: str
    name: str
    font_upload_id: NotRequired[str]
    logo_upload_id: NotRequired[str]
    logo_position: Literal["top_left", "top_right", "bottom_left", "bottom_right"]
    logo_width: float
    colour: NotRequired[str]
    highlight_colour: NotRequired[str]
    box_colour: NotRequired[str]
    margins: NotRequired["BrandMargins"]
    created_at: str


class BrandChangeMargins1(TypedDict):
    top: NotRequired[float]
    bottom: NotRequired[float]
    left: NotRequired[float]
    right: NotRequired[float]


class BrandChange(TypedDict):
    name: NotRequired[str]
    font_upload_id: NotRequired[Union[str, None]]
    logo_upload_id: NotRequired[Union[str, None]]
    logo_position: NotRequired[Literal["top_left", "top_right", "bottom_left", "bottom_right"]]
    logo_width: NotRequired[float]
    colour: NotRequired[Union[str, None]]
    highlight_colour: NotRequired[Union[str, None]]
    box_colour: NotRequired[Union[str, None]]
    margins: NotRequired[Union["BrandChangeMargins1", None]]


class BrandEnvelope(TypedDict):
    request_id: str
    brand: "Brand"


class BrandList(TypedDict):
    request_id: str
    brands: list["Brand"]


class BrandRequestMargins(TypedDict):
    top: NotRequired[float]
    bottom: NotRequired[float]
    left: NotRequired[float]
    right: NotRequired[float]


class BrandRequest(TypedDict):
    name: str
    font_upload_id: NotRequired[str]
    logo_upload_id: NotRequired[str]
    logo_position: NotRequired[Literal["top_left", "top_right", "bottom_left", "bottom_right"]]
    logo_width: NotRequired[float]
    colour: NotRequired[str]
    highlight_colour: NotRequired[str]
    box_colour: NotRequired[str]
    margins: NotRequired["BrandRequestMargins"]


class CatalogEndpointsItem(TypedDict):
    id: str


class Catalog(TypedDict):
    request_id: str
    version: str
    endpoints: list["CatalogEndpointsItem"]


class ClipAroundMoment(TypedDict):
    moment: float
    start: float
    end: float
    start_edge: "ClipEdge"
    end_edge: "ClipEdge"


class ClipEdge(TypedDict):
    asked: float
    chosen: float
    reason: Literal["quiet", "between_words", "keyframe", "asked", "start_of_media", "end_of_media", "no_quiet_point", "no_keyframe"]


class ClipReceiptRequested(TypedDict):
    start: float
    end: float


class ClipReceiptStored(TypedDict):
    start: float
    end: float


class ClipReceiptPresented(TypedDict):
    start: float
    end: float


class ClipReceiptRangesItemRequested(TypedDict):
    start: float
    end: float


class ClipReceiptRangesItemPresented(TypedDict):
    start: float
    end: float


class ClipReceiptRangesItem(TypedDict):
    requested: "ClipReceiptRangesItemRequested"
    presented: "ClipReceiptRangesItemPresented"
    at: float


class ClipReceiptPieces(TypedDict):
    rendered: int
    reused: int


class ClipReceiptLoudnessItem(TypedDict):
    integrated_lufs: float
    true_peak_dbtp: float


class ClipReceiptPictureStretchesItem(TypedDict):
    start: float
    end: float
    follows: list[Literal["faces", "motion", "text", "point", "held", "centre"]]


class ClipReceiptPicture(TypedDict):
    width: int
    height: int
    aspect: Literal["source", "9:16", "1:1", "4:5", "16:9"]
    fit: Literal["crop", "pad", "blur", "scale"]
    follows: NotRequired[Literal["faces", "motion", "text", "point", "held", "centre"]]
    stretches: NotRequired[list["ClipReceiptPictureStretchesItem"]]


ClipReceiptCaptions = TypedDict(
    "ClipReceiptCaptions",
    {
        "as": "Literal['sidecar', 'burn']",
        "style": "NotRequired[Literal['plain', 'boxed', 'large', 'highlight', 'highlight_box', 'one_word']]",
        "count": "int",
        "outside": "int",
    },
)


class ClipReceiptBrand(TypedDict):
    id: str
    name: str


class ClipReceipt(TypedDict):
    requested: "ClipReceiptRequested"
    stored: "ClipReceiptStored"
    presented: "ClipReceiptPresented"
    ranges: NotRequired[list["ClipReceiptRangesItem"]]
    joints: int
    joint_steps_db: NotRequired[list[float]]
    drift_ms: int
    mode: Literal["exact", "smart", "copy"]
    fallback_reason: NotRequired[str]
    frames_encoded: int
    frames_copied: int
    pieces: NotRequired["ClipReceiptPieces"]
    audio_video_offset_ms: Union[float, None]
    variable_frame_rate: bool
    video_codec: Union[str, None]
    audio_codec: Union[str, None]
    loudness: NotRequired[list["ClipReceiptLoudnessItem"]]
    picture: NotRequired["ClipReceiptPicture"]
    captions: NotRequired["ClipReceiptCaptions"]
    substitutions: list[str]
    dropped_streams: list[str]
    warnings: list[str]
    bytes_read: Union[int, None]
    brand: NotRequired["ClipReceiptBrand"]


class Connector(TypedDict):
    id: str
    name: str
    scope: str
    prefix: str
    last_four: NotRequired[str]
    monthly_cap_usd: Union[float, None]
    created_at: str
    last_used_at: NotRequired[str]
    expires_at: NotRequired[str]
    revoked_at: NotRequired[str]
    client_id: NotRequired[str]


class ConnectorEnvelope(TypedDict):
    request_id: str
    connector: "Connector"


class ConnectorList(TypedDict):
    request_id: str
    connectors: list["Connector"]


class ConnectorRequest(TypedDict):
    name: str
    scope: NotRequired[Literal["all", "video/*", "audio/*", "timeline/*"]]
    expires_at: NotRequired[str]
    monthly_cap_usd: NotRequired[Union[float, None]]


class Deletion(TypedDict):
    request_id: str
    id: str
    status: Literal["deleted", "deleting"]


class DirectiveItems(TypedDict):
    waiting: int
    running: int
    completed: int
    failed: int


class DirectiveMatch(TypedDict):
    file_name: str
    metadata: dict[str, str]


class Directive(TypedDict):
    id: str
    name: str
    workflow_id: str
    settings: dict[str, dict[str, Any]]
    metadata: NotRequired[dict[str, str]]
    max_price_usd: float
    items: "DirectiveItems"
    created_at: str
    match: "DirectiveMatch"
    status: Literal["on", "off", "revoked"]
    monthly_cap_usd: float
    spent_usd: float


class DirectiveChange(TypedDict):
    name: NotRequired[str]
    enabled: NotRequired[bool]
    max_price_usd: NotRequired[float]
    monthly_cap_usd: NotRequired[float]


class DirectiveEnvelope(TypedDict):
    request_id: str
    directive: "Directive"


class DirectiveList(TypedDict):
    request_id: str
    directives: list["Directive"]


class DirectiveRequestMatch(TypedDict):
    file_name: NotRequired[str]
    metadata: NotRequired[dict[str, str]]


class DirectiveRequest(TypedDict):
    name: NotRequired[str]
    workflow_id: NotRequired[Literal["find-funny-clips", "remove-dead-space", "clean-speech", "find-exact-words", "find-highlights", "pick-thumbnails", "searchable-media-memory"]]
    endpoint: NotRequired[Literal["video/clip-window", "video/clip-near", "audio/detect-silence", "audio/detect-energy", "audio/detect-laughter", "audio/find-words", "audio/semantic-chunks", "video/best-frames", "video/thumbnail-score", "video/text-frames"]]
    settings: NotRequired[dict[str, Any]]
    metadata: NotRequired[dict[str, str]]
    match: "DirectiveRequestMatch"
    max_price_usd: float
    monthly_cap_usd: float


class ErrorBody(TypedDict):
    code: str
    message: str
    request_id: str
    docs_url: NotRequired[str]
    job_id: NotRequired[str]


class ErrorEnvelope(TypedDict):
    error: "ErrorBody"


class EstimatePrice(TypedDict):
    usd: float
    unit: str


class Estimate(TypedDict):
    request_id: str
    endpoint: str
    estimated_price_usd: float
    billable_seconds: float
    media_seconds: NotRequired[float]
    price: "EstimatePrice"
    assumptions: list[str]
    warnings: list[str]


class EventData(TypedDict):
    id: str
    object: Literal["job", "workflow_run", "batch", "upload", "webhook_endpoint"]


class Event(TypedDict):
    id: str
    type: Literal["job.completed", "job.failed", "job.canceled", "workflow_run.completed", "workflow_run.failed", "workflow_run.canceled", "batch.completed", "upload.received", "webhook.test"]
    timestamp: str
    api_version: str
    data: "EventData"


class EventEnvelope(TypedDict):
    request_id: str
    event: "Event"


class EventList(TypedDict):
    request_id: str
    events: list["Event"]
    next_after: NotRequired[str]


class EventReplayEnvelope(TypedDict):
    request_id: str
    webhook_endpoint_ids: list[str]


class EventReplayRequest(TypedDict):
    webhook_endpoint_id: NotRequired[str]


class HealthStorage(TypedDict):
    ok: bool
    latency_ms: float


class HealthNewWork(TypedDict):
    ok: bool
    process: bool
    disk: bool


class HealthJobsDatabase(TypedDict):
    ok: bool
    latency_ms: float


class HealthJobsTemporal(TypedDict):
    ok: bool
    latency_ms: float


class HealthJobsWorkers(TypedDict):
    ok: bool
    latency_ms: float
    count: int
    confined: int
    blocked_last_hour: int
    last_blocked_at: Union[str, None]


class HealthJobs(TypedDict):
    database: "HealthJobsDatabase"
    temporal: "HealthJobsTemporal"
    workers: "HealthJobsWorkers"


class Health(TypedDict):
    request_id: str
    ok: bool
    storage: "HealthStorage"
    new_work: "HealthNewWork"
    jobs: "HealthJobs"


class InvoiceListInvoicesItem(TypedDict):
    id: str
    month: str
    status: Literal["preparing", "open", "past_due", "paid", "void"]
    amount_usd: float
    created_at: str
    paid_at: NotRequired[str]


class InvoiceList(TypedDict):
    request_id: str
    invoices: list["InvoiceListInvoicesItem"]


class JobCreateRequest(TypedDict):
    endpoint: Literal["video/clip-window", "video/clip-near", "audio/detect-silence", "audio/detect-energy", "audio/detect-laughter", "audio/find-words", "audio/semantic-chunks", "video/best-frames", "video/thumbnail-score", "video/text-frames", "timeline/suggest-ranges", "timeline/find-highlights", "timeline/merge", "timeline/sync"]
    media_url: NotRequired[str]
    start: NotRequired[Union[float, str]]
    end: NotRequired[Union[float, str]]
    settings: NotRequired[dict[str, Any]]
    metadata: NotRequired[dict[str, str]]
    callback_url: NotRequired[str]
    max_price_usd: NotRequired[float]


class JobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "Job"
    page: NotRequired["ResultPage"]


class JobMedia(TypedDict):
    name: NotRequired[str]
    upload_id: NotRequired[str]
    host: NotRequired[str]


class JobPage(TypedDict):
    request_id: str
    jobs: list["Job"]
    next_cursor: NotRequired[str]


class JobPreview(TypedDict):
    request_id: str
    job_id: str
    settings: dict[str, Any]
    result: dict[str, Any]
    warnings: list[str]


class Key(TypedDict):
    id: str
    name: str
    scope: str
    prefix: str
    last_four: str
    monthly_cap_usd: Union[float, None]
    may_raise_limits: bool
    created_at: str
    last_used_at: NotRequired[str]
    expires_at: NotRequired[str]
    revoked_at: NotRequired[str]


class KeyChange(TypedDict):
    name: NotRequired[str]
    monthly_cap_usd: NotRequired[Union[float, None]]


class KeyEnvelope(TypedDict):
    request_id: str
    key: "Key"


class KeyList(TypedDict):
    request_id: str
    keys: list["Key"]


class KeyRequest(TypedDict):
    name: str
    scope: NotRequired[Literal["all", "video/*", "audio/*", "timeline/*"]]
    expires_at: NotRequired[str]
    monthly_cap_usd: NotRequired[Union[float, None]]
    may_raise_limits: NotRequired[bool]


class NewConnectorEnvelope(TypedDict):
    request_id: str
    connector: "Connector"
    secret: str


class NewKeyEnvelope(TypedDict):
    request_id: str
    key: "Key"
    secret: str


class NewShareEnvelope(TypedDict):
    request_id: str
    share: "Share"
    url: str


class NewWebhookEndpointEnvelope(TypedDict):
    request_id: str
    webhook_endpoint: "WebhookEndpoint"
    secret: str


class NoticeListNoticesItem(TypedDict):
    id: str
    kind: str
    subject: str
    text: str
    data: dict[str, Any]
    created_at: str
    mailed_at: NotRequired[str]


class NoticeList(TypedDict):
    request_id: str
    notices: list["NoticeListNoticesItem"]


class OutputFilePoster1(TypedDict):
    url: str
    expires_at: str
    bytes: int
    content_type: str
    width: Union[int, None]
    height: Union[int, None]


class OutputFile(TypedDict):
    name: str
    url: str
    expires_at: str
    bytes: int
    content_type: str
    download_url: str
    duration: float
    width: Union[int, None]
    height: Union[int, None]
    poster: Union["OutputFilePoster1", None]


class PreviewRequest(TypedDict):
    settings: dict[str, Any]


class ProtocolErrorError(TypedDict):
    code: int
    message: str


class ProtocolError(TypedDict):
    jsonrpc: Literal["2.0"]
    error: "ProtocolErrorError"


class ProtocolRefusalError(TypedDict):
    code: int
    message: str
    data: "ErrorBody"


class ProtocolRefusal(TypedDict):
    jsonrpc: Literal["2.0"]
    id: Union[Union[str, int], None]
    error: "ProtocolRefusalError"


class ReadUploadEnvelopeUploadPlayback(TypedDict):
    url: str
    expires_at: str


class ReadUploadEnvelopeUpload(TypedDict):
    id: str
    name: str
    media_url: str
    content_type: str
    metadata: NotRequired[dict[str, str]]
    kept_until: str
    status: Literal["waiting", "received"]
    bytes: NotRequired[int]
    created_at: str
    playback: NotRequired["ReadUploadEnvelopeUploadPlayback"]


class ReadUploadEnvelope(TypedDict):
    request_id: str
    upload: "ReadUploadEnvelopeUpload"


class Readiness(TypedDict):
    request_id: str
    ready: Literal[True]


class ReceivedUploadEnvelopeUpload(TypedDict):
    id: str
    name: str
    media_url: str
    content_type: str
    metadata: NotRequired[dict[str, str]]
    kept_until: str
    bytes: int


class ReceivedUploadEnvelope(TypedDict):
    request_id: str
    upload: "ReceivedUploadEnvelopeUpload"


class ResultPageListsValue(TypedDict):
    total: int
    shown: int


class ResultPage(TypedDict):
    lists: dict[str, "ResultPageListsValue"]
    next_from_seconds: NotRequired[float]


class SampleEnvelope(TypedDict):
    request_id: str
    job_ids: list[str]


class SampleRequest(TypedDict):
    media_url: str


class SearchPageResultsItem(TypedDict):
    job_id: str
    run_id: NotRequired[str]
    endpoint: str
    media: NotRequired["JobMedia"]
    start: float
    end: float
    text: str
    highlight: str
    score: float


class SearchPage(TypedDict):
    request_id: str
    results: list["SearchPageResultsItem"]
    next_cursor: NotRequired[str]


class Share(TypedDict):
    id: str
    job_id: NotRequired[str]
    run_id: NotRequired[str]
    work: str
    media_name: NotRequired[str]
    allow_download: bool
    allow_embed: bool
    include_source: bool
    include_transcript: bool
    created_at: str
    expires_at: str


class ShareList(TypedDict):
    request_id: str
    shares: list["Share"]


class ShareRequest(TypedDict):
    job_id: NotRequired[str]
    run_id: NotRequired[str]
    expires_in_seconds: NotRequired[int]
    allow_download: NotRequired[bool]
    allow_embed: NotRequired[bool]
    include_source: NotRequired[bool]
    include_transcript: NotRequired[bool]


class TimelineFindHighlightsJob(TypedDict):
    id: str
    endpoint: Literal["timeline/find-highlights"]
    settings: NotRequired["TimelineFindHighlightsSettings"]
    result: NotRequired["TimelineFindHighlightsResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class TimelineFindHighlightsJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "TimelineFindHighlightsJob"
    page: NotRequired["ResultPage"]


class TimelineFindHighlightsResultRangesItemReasonsItem(TypedDict):
    kind: Literal["laughter", "loud", "question", "topic"]
    start: float
    end: float
    text: NotRequired[str]


class TimelineFindHighlightsResultRangesItem(TypedDict):
    start: float
    end: float
    duration: float
    rank: int
    score: float
    text: str
    reasons: list["TimelineFindHighlightsResultRangesItemReasonsItem"]


class TimelineFindHighlightsResult(TypedDict):
    ranges: list["TimelineFindHighlightsResultRangesItem"]


class TimelineFindHighlightsSettingsSentencesItem(TypedDict):
    start: float
    end: float
    text: str


class TimelineFindHighlightsSettingsLaughsItem(TypedDict):
    start: float
    end: float


class TimelineFindHighlightsSettingsLoudItem(TypedDict):
    start: float
    end: float


class TimelineFindHighlightsSettings(TypedDict):
    words_job_id: NotRequired[str]
    laughter_job_id: NotRequired[str]
    energy_job_id: NotRequired[str]
    topics_job_id: NotRequired[str]
    sentences: NotRequired[list["TimelineFindHighlightsSettingsSentencesItem"]]
    laughs: NotRequired[list["TimelineFindHighlightsSettingsLaughsItem"]]
    loud: NotRequired[list["TimelineFindHighlightsSettingsLoudItem"]]
    min_seconds: NotRequired[float]
    max_seconds: NotRequired[float]
    max_highlights: NotRequired[int]


class TimelineMergeJob(TypedDict):
    id: str
    endpoint: Literal["timeline/merge"]
    settings: NotRequired["TimelineMergeSettings"]
    result: NotRequired["TimelineMergeResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class TimelineMergeJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "TimelineMergeJob"
    page: NotRequired["ResultPage"]


class TimelineMergeResultSegmentsItem(TypedDict):
    start: float
    end: float
    duration: float
    label: NotRequired[str]
    sources: list[int]


class TimelineMergeResultSourcesItem(TypedDict):
    name: NotRequired[str]
    job_id: NotRequired[str]
    segments: int


class TimelineMergeResult(TypedDict):
    media_seconds: NotRequired[float]
    segments: list["TimelineMergeResultSegmentsItem"]
    total_segment_seconds: float
    sources: list["TimelineMergeResultSourcesItem"]


class TimelineMergeSettingsTimelinesItemSegmentsItem(TypedDict):
    start: float
    end: float
    label: NotRequired[str]


class TimelineMergeSettingsTimelinesItem(TypedDict):
    segments: list["TimelineMergeSettingsTimelinesItemSegmentsItem"]
    media_seconds: NotRequired[float]
    name: NotRequired[str]


class TimelineMergeSettingsRecordingsItem(TypedDict):
    job_id: NotRequired[str]
    name: NotRequired[str]
    synced: bool
    offset_seconds: NotRequired[float]
    drift_ppm: NotRequired[float]
    residual_ms: NotRequired[float]
    confidence: float


class TimelineMergeSettings(TypedDict):
    timelines: NotRequired[list["TimelineMergeSettingsTimelinesItem"]]
    job_ids: NotRequired[list[str]]
    recordings: NotRequired[list["TimelineMergeSettingsRecordingsItem"]]
    mode: NotRequired[Literal["union", "intersection", "subtract", "interleave"]]


class TimelineSuggestRangesJob(TypedDict):
    id: str
    endpoint: Literal["timeline/suggest-ranges"]
    settings: NotRequired["TimelineSuggestRangesSettings"]
    result: NotRequired["TimelineSuggestRangesResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class TimelineSuggestRangesJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "TimelineSuggestRangesJob"
    page: NotRequired["ResultPage"]


class TimelineSuggestRangesResultRangesItem(TypedDict):
    start: float
    end: float
    duration: float


class TimelineSuggestRangesResultCutsItem(TypedDict):
    start: float
    end: float
    duration: float
    text: str
    reason: Literal["word", "repeat", "not_in_text", "sound"]


class TimelineSuggestRangesResultUncutItem(TypedDict):
    start: float
    end: float
    duration: float
    text: str
    reason: Literal["word", "repeat", "not_in_text", "sound"]


class TimelineSuggestRangesResult(TypedDict):
    media_seconds: float
    ranges: list["TimelineSuggestRangesResultRangesItem"]
    kept_seconds: float
    saved_seconds: float
    gaps_kept: int
    cuts: NotRequired[list["TimelineSuggestRangesResultCutsItem"]]
    uncut: NotRequired[list["TimelineSuggestRangesResultUncutItem"]]


class TimelineSuggestRangesSettingsSegmentsItem(TypedDict):
    start: float
    end: float


class TimelineSuggestRangesSettingsPaddingSeconds2(TypedDict):
    before: float
    after: float


class TimelineSuggestRangesSettings(TypedDict):
    segments: NotRequired[list["TimelineSuggestRangesSettingsSegmentsItem"]]
    media_seconds: NotRequired[float]
    job_id: NotRequired[str]
    keep: NotRequired[Literal["sound", "silence"]]
    preset: NotRequired[Literal["gentle", "normal", "tight"]]
    max_pause_seconds: NotRequired[float]
    margin_seconds: NotRequired[float]
    padding_seconds: NotRequired[Union[float, "TimelineSuggestRangesSettingsPaddingSeconds2"]]
    min_cut_seconds: NotRequired[float]
    merge_gap_seconds: NotRequired[float]
    min_segment_seconds: NotRequired[float]
    allow_large_cuts: NotRequired[bool]
    remove_words: NotRequired[list[str]]
    remove_repeats: NotRequired[bool]
    keep_text: NotRequired[str]


class TimelineSyncJob(TypedDict):
    id: str
    endpoint: Literal["timeline/sync"]
    settings: NotRequired["TimelineSyncSettings"]
    result: NotRequired["TimelineSyncResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class TimelineSyncJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "TimelineSyncJob"
    page: NotRequired["ResultPage"]


class TimelineSyncResultRecordingsItem(TypedDict):
    job_id: NotRequired[str]
    name: NotRequired[str]
    synced: bool
    offset_seconds: NotRequired[float]
    drift_ppm: NotRequired[float]
    residual_ms: NotRequired[float]
    confidence: float


class TimelineSyncResult(TypedDict):
    recordings: list["TimelineSyncResultRecordingsItem"]


class TimelineSyncSettingsTimelinesItemSegmentsItem(TypedDict):
    start: float
    end: float


class TimelineSyncSettingsTimelinesItem(TypedDict):
    segments: list["TimelineSyncSettingsTimelinesItemSegmentsItem"]
    name: NotRequired[str]


class TimelineSyncSettings(TypedDict):
    job_ids: NotRequired[list[str]]
    timelines: NotRequired[list["TimelineSyncSettingsTimelinesItem"]]


class ToolManifestAuthentication(TypedDict):
    type: Literal["bearer"]
    scopes: list[str]


class ToolManifestToolsItem(TypedDict):
    name: str
    title: str
    description: str
    auth: Literal["none", "key", "account"]
    inputSchema: dict[str, Any]
    outputSchema: NotRequired[dict[str, Any]]


class ToolManifest(TypedDict):
    name: str
    title: str
    version: str
    endpoint: str
    protocol_versions: list[str]
    authentication: "ToolManifestAuthentication"
    tools: list["ToolManifestToolsItem"]


class Upload(TypedDict):
    id: str
    name: str
    media_url: str
    content_type: str
    metadata: NotRequired[dict[str, str]]
    kept_until: str
    status: Literal["waiting", "received"]
    bytes: NotRequired[int]
    created_at: str


class UploadEnvelopeUpload(TypedDict):
    id: str
    name: str
    media_url: str
    content_type: str
    metadata: NotRequired[dict[str, str]]
    kept_until: str
    upload_url: str
    upload_method: Literal["PUT"]
    upload_headers: dict[str, str]
    upload_page_url: str
    expires_in_seconds: int
    resumable: NotRequired[Literal[True]]


class UploadEnvelope(TypedDict):
    request_id: str
    upload: "UploadEnvelopeUpload"


class UploadForm(TypedDict):
    file: str


class UploadPage(TypedDict):
    request_id: str
    uploads: list["Upload"]
    next_cursor: NotRequired[str]


class UploadRequest(TypedDict):
    filename: str
    bytes: NotRequired[int]
    content_type: NotRequired[str]
    resumable: NotRequired[bool]
    metadata: NotRequired[dict[str, str]]


class UsageUsageItem(TypedDict):
    day: NotRequired[str]
    endpoint: NotRequired[str]
    key_id: NotRequired[Union[str, None]]
    key_name: NotRequired[str]
    jobs_completed: int
    jobs_failed: int
    billed_seconds: float
    amount_usd: float


class UsageTotal(TypedDict):
    jobs_completed: int
    jobs_failed: int
    billed_seconds: float
    amount_usd: float


Usage = TypedDict(
    "Usage",
    {
        "request_id": "str",
        "from": "str",
        "to": "str",
        "usage": "list['UsageUsageItem']",
        "total": "UsageTotal",
    },
)


class VideoBestFramesJob(TypedDict):
    id: str
    endpoint: Literal["video/best-frames"]
    settings: NotRequired["VideoBestFramesSettings"]
    result: NotRequired["VideoBestFramesResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class VideoBestFramesJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "VideoBestFramesJob"
    page: NotRequired["ResultPage"]


class VideoBestFramesResultFramesItemShot(TypedDict):
    start: float
    end: float
    duration: float


class VideoBestFramesResultFramesItemMeasures(TypedDict):
    sharpness: float
    exposure: float
    contrast: float
    colour: float
    stillness: float
    faces: float


class VideoBestFramesResultFramesItemFacesItem(TypedDict):
    x: float
    y: float
    width: float
    height: float
    score: float


class VideoBestFramesResultFramesItem(TypedDict):
    time: float
    score: float
    reasons: list[str]
    shot: "VideoBestFramesResultFramesItemShot"
    measures: "VideoBestFramesResultFramesItemMeasures"
    faces: list["VideoBestFramesResultFramesItemFacesItem"]


class VideoBestFramesResult(TypedDict):
    media_seconds: float
    frames: list["VideoBestFramesResultFramesItem"]
    analysis: Literal["computed", "reused"]
    output: NotRequired["OutputFile"]
    output_url: NotRequired[str]
    outputs: NotRequired[list["OutputFile"]]


class VideoBestFramesSettings(TypedDict):
    count: NotRequired[int]


class VideoClipNearJob(TypedDict):
    id: str
    endpoint: Literal["video/clip-near"]
    settings: NotRequired["VideoClipNearSettings"]
    result: NotRequired["VideoClipNearResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class VideoClipNearJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "VideoClipNearJob"
    page: NotRequired["ResultPage"]


class VideoClipNearResultOutputsItemPoster1(TypedDict):
    url: str
    expires_at: str
    bytes: int
    content_type: str
    width: Union[int, None]
    height: Union[int, None]


class VideoClipNearResultOutputsItem(TypedDict):
    name: str
    url: str
    expires_at: str
    bytes: int
    content_type: str
    download_url: str
    duration: float
    width: Union[int, None]
    height: Union[int, None]
    poster: Union["VideoClipNearResultOutputsItemPoster1", None]
    receipt: Any


class VideoClipNearResult(TypedDict):
    media_seconds: float
    window: "ClipAroundMoment"
    windows: list["ClipAroundMoment"]
    receipt: "ClipReceipt"
    receipts: list["ClipReceipt"]
    output: "OutputFile"
    output_url: str
    outputs: NotRequired[list["VideoClipNearResultOutputsItem"]]


VideoClipNearSettingsCaptions = TypedDict(
    "VideoClipNearSettingsCaptions",
    {
        "job_id": "NotRequired[str]",
        "text": "NotRequired[str]",
        "as": "NotRequired[Literal['sidecar', 'burn']]",
        "style": "NotRequired[Literal['plain', 'boxed', 'large', 'highlight', 'highlight_box', 'one_word']]",
        "position": "NotRequired[Literal['bottom', 'middle', 'top']]",
        "safe_area": "NotRequired[Literal['shorts', 'reels', 'all']]",
        "colour": "NotRequired[str]",
        "highlight_colour": "NotRequired[str]",
    },
)


class VideoClipNearSettingsFocus2(TypedDict):
    x: float
    y: float


class VideoClipNearSettingsFocusPointsItem(TypedDict):
    start: float
    end: float
    x: float
    y: float


class VideoClipNearSettings(TypedDict):
    before_seconds: NotRequired[float]
    after_seconds: NotRequired[float]
    moments: NotRequired[list[Union[float, str]]]
    join: NotRequired[bool]
    snap: NotRequired[Literal["silence", "keyframe", "none"]]
    format: NotRequired[Literal["mp4", "mov", "webm", "m4v", "mp3", "wav", "m4a", "aac", "ogg", "opus", "flac", "aiff"]]
    aspect: NotRequired[Literal["source", "9:16", "1:1", "4:5", "16:9"]]
    height: NotRequired[int]
    quality: NotRequired[Literal["high", "balanced", "fast"]]
    captions: NotRequired["VideoClipNearSettingsCaptions"]
    brand: NotRequired[str]
    loudness: NotRequired[Union[Literal["keep"], float]]
    audio_only: NotRequired[bool]
    fit: NotRequired[Literal["crop", "pad", "blur"]]
    focus: NotRequired[Union[Literal["faces", "motion", "text"], "VideoClipNearSettingsFocus2"]]
    focus_points: NotRequired[list["VideoClipNearSettingsFocusPointsItem"]]
    mode: NotRequired[Literal["exact", "smart", "copy"]]
    deinterlace: NotRequired[bool]
    audio_fade_ms: NotRequired[float]
    quiet_threshold: NotRequired[float]
    min_segment_seconds: NotRequired[float]


class VideoClipWindowJob(TypedDict):
    id: str
    endpoint: Literal["video/clip-window"]
    settings: NotRequired["VideoClipWindowSettings"]
    result: NotRequired["VideoClipWindowResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class VideoClipWindowJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "VideoClipWindowJob"
    page: NotRequired["ResultPage"]


class VideoClipWindowResultOutputsItemPoster1(TypedDict):
    url: str
    expires_at: str
    bytes: int
    content_type: str
    width: Union[int, None]
    height: Union[int, None]


class VideoClipWindowResultOutputsItem(TypedDict):
    name: str
    url: str
    expires_at: str
    bytes: int
    content_type: str
    download_url: str
    duration: float
    width: Union[int, None]
    height: Union[int, None]
    poster: Union["VideoClipWindowResultOutputsItemPoster1", None]
    receipt: Any


class VideoClipWindowResult(TypedDict):
    media_seconds: float
    receipt: "ClipReceipt"
    receipts: NotRequired[list["ClipReceipt"]]
    output: "OutputFile"
    output_url: str
    outputs: NotRequired[list["VideoClipWindowResultOutputsItem"]]


class VideoClipWindowSettingsRangesItem(TypedDict):
    start: Union[float, str]
    end: Union[float, str]


VideoClipWindowSettingsCaptions = TypedDict(
    "VideoClipWindowSettingsCaptions",
    {
        "job_id": "NotRequired[str]",
        "text": "NotRequired[str]",
        "as": "NotRequired[Literal['sidecar', 'burn']]",
        "style": "NotRequired[Literal['plain', 'boxed', 'large', 'highlight', 'highlight_box', 'one_word']]",
        "position": "NotRequired[Literal['bottom', 'middle', 'top']]",
        "safe_area": "NotRequired[Literal['shorts', 'reels', 'all']]",
        "colour": "NotRequired[str]",
        "highlight_colour": "NotRequired[str]",
    },
)


class VideoClipWindowSettingsFocus2(TypedDict):
    x: float
    y: float


class VideoClipWindowSettingsFocusPointsItem(TypedDict):
    start: float
    end: float
    x: float
    y: float


class VideoClipWindowSettings(TypedDict):
    ranges: NotRequired[list["VideoClipWindowSettingsRangesItem"]]
    format: NotRequired[Literal["mp4", "mov", "webm", "m4v", "mp3", "wav", "m4a", "aac", "ogg", "opus", "flac", "aiff"]]
    aspect: NotRequired[Literal["source", "9:16", "1:1", "4:5", "16:9"]]
    height: NotRequired[int]
    quality: NotRequired[Literal["high", "balanced", "fast"]]
    captions: NotRequired["VideoClipWindowSettingsCaptions"]
    brand: NotRequired[str]
    loudness: NotRequired[Union[Literal["keep"], float]]
    audio_only: NotRequired[bool]
    fit: NotRequired[Literal["crop", "pad", "blur"]]
    focus: NotRequired[Union[Literal["faces", "motion", "text"], "VideoClipWindowSettingsFocus2"]]
    focus_points: NotRequired[list["VideoClipWindowSettingsFocusPointsItem"]]
    mode: NotRequired[Literal["exact", "smart", "copy"]]
    deinterlace: NotRequired[bool]
    audio_fade_ms: NotRequired[float]
    ranges_mode: NotRequired[Literal["keep", "remove"]]
    join: NotRequired[bool]


class VideoTextFramesJob(TypedDict):
    id: str
    endpoint: Literal["video/text-frames"]
    settings: NotRequired["VideoTextFramesSettings"]
    result: NotRequired["VideoTextFramesResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class VideoTextFramesJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "VideoTextFramesJob"
    page: NotRequired["ResultPage"]


class VideoTextFramesResultMatchesItemBox(TypedDict):
    x: float
    y: float
    width: float
    height: float


class VideoTextFramesResultMatchesItem(TypedDict):
    start: float
    end: float
    duration: float
    text: str
    box: "VideoTextFramesResultMatchesItemBox"
    confidence: float
    query: str


class VideoTextFramesResultSegmentsItem(TypedDict):
    start: float
    end: float
    duration: float


class VideoTextFramesResultLinesItemBox(TypedDict):
    x: float
    y: float
    width: float
    height: float


class VideoTextFramesResultLinesItem(TypedDict):
    start: float
    end: float
    duration: float
    text: str
    box: "VideoTextFramesResultLinesItemBox"
    confidence: float


class VideoTextFramesResult(TypedDict):
    media_seconds: float
    matches: list["VideoTextFramesResultMatchesItem"]
    segments: list["VideoTextFramesResultSegmentsItem"]
    lines: list["VideoTextFramesResultLinesItem"]
    total_segment_seconds: float
    analysis: Literal["computed", "reused"]


class VideoTextFramesSettingsRegion(TypedDict):
    x: float
    y: float
    width: float
    height: float


class VideoTextFramesSettings(TypedDict):
    queries: NotRequired[list[str]]
    match: NotRequired[Literal["exact", "stem", "fuzzy"]]
    min_confidence: NotRequired[float]
    region: NotRequired["VideoTextFramesSettingsRegion"]


class VideoThumbnailScoreJob(TypedDict):
    id: str
    endpoint: Literal["video/thumbnail-score"]
    settings: NotRequired["VideoThumbnailScoreSettings"]
    result: NotRequired["VideoThumbnailScoreResult"]
    run_id: NotRequired[str]
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "succeeded", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled"]]
    progress: float
    media_seconds: NotRequired[float]
    media_frame_rate: NotRequired[float]
    estimated_price_usd: NotRequired[float]
    final_price_usd: NotRequired[float]
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]


class VideoThumbnailScoreJobEnvelope(TypedDict):
    request_id: str
    job_id: str
    job: "VideoThumbnailScoreJob"
    page: NotRequired["ResultPage"]


class VideoThumbnailScoreResultFramesItemMeasures(TypedDict):
    faces: float
    sharpness: float
    exposure: float
    contrast: float
    colour: float
    legibility: float


class VideoThumbnailScoreResultFramesItemFacesItem(TypedDict):
    x: float
    y: float
    width: float
    height: float
    score: float


class VideoThumbnailScoreResultFramesItemPointOfInterest(TypedDict):
    x: float
    y: float


class VideoThumbnailScoreResultFramesItemCropsItem(TypedDict):
    shape: Literal["16:9", "9:16", "1:1"]
    left: int
    top: int
    width: int
    height: int


class VideoThumbnailScoreResultFramesItem(TypedDict):
    rank: int
    time: NotRequired[float]
    upload_id: NotRequired[str]
    score: float
    reasons: list[str]
    measures: "VideoThumbnailScoreResultFramesItemMeasures"
    faces: list["VideoThumbnailScoreResultFramesItemFacesItem"]
    point_of_interest: "VideoThumbnailScoreResultFramesItemPointOfInterest"
    crops: list["VideoThumbnailScoreResultFramesItemCropsItem"]


class VideoThumbnailScoreResult(TypedDict):
    media_seconds: NotRequired[float]
    frames: list["VideoThumbnailScoreResultFramesItem"]
    output: NotRequired["OutputFile"]
    output_url: NotRequired[str]
    outputs: NotRequired[list["OutputFile"]]


class VideoThumbnailScoreSettings(TypedDict):
    job_id: NotRequired[str]
    times: NotRequired[list[Union[float, str]]]
    upload_ids: NotRequired[list[str]]
    crops: NotRequired[list[Literal["16:9", "9:16", "1:1"]]]


class WaveformLevelsItem(TypedDict):
    level: int
    ms_per_point: int
    tiles: int


class Waveform(TypedDict):
    request_id: str
    job_id: str
    track: int
    start: float
    end: float
    version: str
    points_per_tile: int
    levels: list["WaveformLevelsItem"]


class WebhookDelivery(TypedDict):
    event_id: str
    type: Literal["job.completed", "job.failed", "job.canceled", "workflow_run.completed", "workflow_run.failed", "workflow_run.canceled", "batch.completed", "upload.received", "webhook.test"]
    status: Literal["pending", "delivered", "failed", "canceled"]
    attempts: int
    next_attempt_at: NotRequired[str]
    last_attempt_at: NotRequired[str]
    last_status: NotRequired[int]
    last_error: NotRequired[str]
    created_at: str


class WebhookDeliveryPage(TypedDict):
    request_id: str
    deliveries: list["WebhookDelivery"]
    next_cursor: NotRequired[str]


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    description: str
    event_types: list[Literal["job.completed", "job.failed", "job.canceled", "workflow_run.completed", "workflow_run.failed", "workflow_run.canceled", "batch.completed", "upload.received", "webhook.test"]]
    status: Literal["active", "paused", "disabled"]
    disabled_reason: NotRequired[Literal["failing", "gone"]]
    failing_since: NotRequired[str]
    created_at: str


class WebhookEndpointChange(TypedDict):
    url: NotRequired[str]
    description: NotRequired[str]
    event_types: NotRequired[list[Literal["job.completed", "job.failed", "job.canceled", "workflow_run.completed", "workflow_run.failed", "workflow_run.canceled", "batch.completed", "upload.received", "webhook.test"]]]
    status: NotRequired[Literal["active", "paused"]]


class WebhookEndpointEnvelope(TypedDict):
    request_id: str
    webhook_endpoint: "WebhookEndpoint"


class WebhookEndpointList(TypedDict):
    request_id: str
    webhook_endpoints: list["WebhookEndpoint"]


class WebhookEndpointRequest(TypedDict):
    url: str
    description: NotRequired[str]
    event_types: NotRequired[list[Literal["job.completed", "job.failed", "job.canceled", "workflow_run.completed", "workflow_run.failed", "workflow_run.canceled", "batch.completed", "upload.received", "webhook.test"]]]


class WebhookReplayEnvelope(TypedDict):
    request_id: str
    replayed: int
    next_after: NotRequired[str]


class WebhookReplayRequest(TypedDict):
    since: NotRequired[str]
    after: NotRequired[str]
    status: NotRequired[Literal["delivered", "failed", "canceled"]]


class WebhookTestEnvelope(TypedDict):
    request_id: str
    event_id: str


class WorkflowStepsItem(TypedDict):
    endpoint: str
    stage: Literal["live", "preview"]
    summary: str
    filled: list[str]


class Workflow(TypedDict):
    id: str
    title: str
    summary: str
    stage: Literal["live", "preview"]
    steps: list["WorkflowStepsItem"]
    missing: list[str]
    max_usd_per_hour: NotRequired[float]


class WorkflowFirstJob(TypedDict):
    request_id: str
    job_id: str
    job: "Job"
    plan: NotRequired["WorkflowPlan"]


class WorkflowList(TypedDict):
    request_id: str
    workflows: list["Workflow"]


class WorkflowPlanStepsItem(TypedDict):
    endpoint: str
    max_price_usd: float


class WorkflowPlan(TypedDict):
    media_seconds: float
    steps: list["WorkflowPlanStepsItem"]
    max_price_usd: float
    warnings: list[str]


class WorkflowPlanned(TypedDict):
    request_id: str
    plan: "WorkflowPlan"


class WorkflowRunStepsItem(TypedDict):
    endpoint: str
    job_id: NotRequired[str]
    job: NotRequired["Job"]


class WorkflowRunSaved(TypedDict):
    seconds_in: float
    seconds_out: float
    cuts: int


class WorkflowRun(TypedDict):
    id: str
    workflow_id: str
    media: NotRequired["JobMedia"]
    start: NotRequired[float]
    end: NotRequired[float]
    settings: NotRequired[dict[str, Any]]
    metadata: NotRequired[dict[str, str]]
    status: Literal["queued", "running", "completed", "failed"]
    status_detail: NotRequired[Literal["canceling", "canceled", "awaiting_consent"]]
    steps: list["WorkflowRunStepsItem"]
    result: NotRequired[dict[str, Any]]
    output_url: NotRequired[str]
    outputs: NotRequired[list[dict[str, Any]]]
    saved: NotRequired["WorkflowRunSaved"]
    price_limit_usd: float
    price_usd: float
    error: NotRequired["ErrorBody"]
    warnings: list[str]
    created_at: str
    ended_at: NotRequired[str]


class WorkflowRunEnvelope(TypedDict):
    request_id: str
    run_id: str
    run: "WorkflowRun"


class WorkflowRunPage(TypedDict):
    request_id: str
    runs: list["WorkflowRun"]
    next_cursor: NotRequired[str]


class WorkflowRunRequest(TypedDict):
    media_url: NotRequired[str]
    start: NotRequired[Union[float, str]]
    end: NotRequired[Union[float, str]]
    mode: NotRequired[Literal["plan", "queue_first", "run_all"]]
    media_seconds: NotRequired[float]
    settings: NotRequired[dict[str, dict[str, Any]]]
    metadata: NotRequired[dict[str, str]]
    callback_url: NotRequired[str]
    max_price_usd: NotRequired[float]


class WorkflowRunStarted(TypedDict):
    request_id: str
    run_id: str
    run: "WorkflowRun"
    plan: NotRequired["WorkflowPlan"]


Job = Union["VideoClipWindowJob", "VideoClipNearJob", "AudioDetectSilenceJob", "AudioDetectEnergyJob", "AudioDetectLaughterJob", "AudioFindWordsJob", "AudioSemanticChunksJob", "VideoBestFramesJob", "VideoThumbnailScoreJob", "VideoTextFramesJob", "TimelineSuggestRangesJob", "TimelineFindHighlightsJob", "TimelineMergeJob", "TimelineSyncJob"]


WorkflowRunCreated = Union["WorkflowRunStarted", "WorkflowFirstJob", "WorkflowPlanned"]
