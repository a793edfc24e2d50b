import { type FileHandle, open, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { onDisk } from '../../core/disk-errors.ts'
import { ServiceError } from '../../core/errors.ts'
import { createDeadline } from './deadline.ts'
import { openUrl } from './open-url.ts'
import type { SourceAccess, SourceResponse } from './request-source.ts'
import {
  addBytes,
  beginTransfer,
  canResume,
  endTransfer,
  newTransfer,
  rangeHeaders,
  type Transfer,
} from './transfer.ts'
import { assertMinimumRate, defaultTotalMs, type TransferLimits, tooLong } from './transfer-limits.ts'

export interface FetchProgress {
  readonly bytes: number
  /** Undefined where the server does not say. */
  readonly totalBytes: number | undefined
}

export interface FetchSourceInput extends SourceAccess, TransferLimits {
  readonly url: URL
  /** An answer to read before any other is asked for. */
  readonly first?: SourceResponse
  /** A file to write; its folder exists. Deleted again when the download fails. */
  readonly destination: string
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Called with every piece that arrives. */
  readonly onProgress?: (progress: FetchProgress) => void
}

export interface SavedSource {
  readonly bytes: number
  /** The strong ETag of the bytes, where the server sent one. */
  readonly etag: string | undefined
}

const maxResumes = 3
const resumeDelayMs = 100

/**
 * Downloads what a caller's URL names, through the guarded client. Throws `media_blocked`, `media_unreachable`,
 * `media_too_large`, `server_error` (disk) or the signal's reason; passing failures are marked retryable.
 */
export async function fetchSource(input: FetchSourceInput): Promise<SavedSource> {
  const deadline = createDeadline(input.signal)
  deadline.begin(input.totalMs ?? defaultTotalMs, tooLong)
  try {
    const { bytes, etag } = await download({ ...input, signal: deadline.signal })
    return { bytes, etag }
  } catch (error) {
    await rm(input.destination, { force: true })
    deadline.signal.throwIfAborted()
    throw error
  } finally {
    deadline.stop()
  }
}

/** Takes up a dropped download where it stopped, a few times, if the server can tell that the file is the same. */
async function download(input: FetchSourceInput): Promise<Transfer> {
  const transfer = newTransfer()
  const began = performance.now()
  const onProgress: FetchSourceInput['onProgress'] = (progress) => {
    assertMinimumRate(progress.bytes, performance.now() - began, input)
    input.onProgress?.(progress)
  }
  for (let resumes = 0; ; resumes++) {
    try {
      await pull({ ...input, onProgress }, transfer, resumes === 0 ? input.first : undefined)
      return transfer
    } catch (error) {
      const isPassing = error instanceof ServiceError && error.code === 'media_unreachable' && error.retryable
      if (!isPassing || !canResume(transfer) || resumes === maxResumes || input.signal.aborted) throw error
      await delay(resumeDelayMs * 2 ** resumes, undefined, { signal: input.signal })
    }
  }
}

async function pull(input: FetchSourceInput, transfer: Transfer, opened?: SourceResponse): Promise<void> {
  const response = opened ?? (await openUrl(input.url, input, rangeHeaders(transfer), input.signal))
  try {
    beginTransfer(transfer, response, input.maxBytes)
    const file = await onDisk(() => open(input.destination, transfer.bytes > 0 ? 'a' : 'w'))
    try {
      await save(response.body, file, input, transfer)
    } finally {
      await file.close()
    }
    endTransfer(transfer)
  } finally {
    response.close()
  }
}

async function save(
  body: AsyncIterable<Buffer>,
  file: FileHandle,
  { maxBytes, onProgress }: FetchSourceInput,
  transfer: Transfer,
): Promise<void> {
  for await (const chunk of body) {
    addBytes(transfer, chunk.length, maxBytes)
    await onDisk(() => file.writeFile(chunk))
    onProgress?.({ bytes: transfer.bytes, totalBytes: transfer.totalBytes })
  }
}
