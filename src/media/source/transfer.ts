import { ServiceError } from '../../core/errors.ts'
import type { RequestHeaders, SourceResponse } from './request-source.ts'
import { unreachable } from './source-errors.ts'

/** How far a download is, across its connections. */
export interface Transfer {
  bytes: number
  /** Undefined where the server does not say. */
  totalBytes: number | undefined
  /** The strong ETag that lets the download be resumed. */
  etag: string | undefined
}

type Head = Pick<SourceResponse, 'status' | 'headers'>

export function newTransfer(): Transfer {
  return { bytes: 0, totalBytes: undefined, etag: undefined }
}

export function canResume({ etag }: Transfer): boolean {
  return etag !== undefined
}

/** Asks for the rest where the transfer can be resumed: the server answers 206 with it, or 200 with another file. */
export function rangeHeaders({ bytes, etag }: Transfer): RequestHeaders {
  return bytes > 0 && etag !== undefined ? { range: `bytes=${bytes}-`, 'if-range': etag } : {}
}

/** Takes up the transfer with a 206, or starts it over with a 200. An answer that does not fit ends it. */
export function beginTransfer(transfer: Transfer, head: Head, maxBytes: number): void {
  if (head.status === 416) throw inPart()
  Object.assign(transfer, head.status === 206 ? resumed(transfer, head) : started(head))
  if ((transfer.totalBytes ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

/** Counts bytes that arrived. */
export function addBytes(transfer: Transfer, bytes: number, maxBytes: number): void {
  transfer.bytes += bytes
  if (transfer.bytes > maxBytes) throw tooLarge(maxBytes)
}

export function endTransfer({ bytes, totalBytes }: Transfer): void {
  if (totalBytes !== undefined && bytes !== totalBytes) throw inPart()
}

/** An ETag that changes with every byte (RFC 9110, 8.8.1). */
export function strongEtag({ etag }: Head['headers']): string | undefined {
  return etag?.startsWith('"') ? etag : undefined
}

function started({ headers }: Head): Transfer {
  const acceptsRanges = headers['accept-ranges']?.toLowerCase() !== 'none'
  const length = headers['content-length']
  return {
    bytes: 0,
    totalBytes: length === undefined ? undefined : Number(length),
    etag: acceptsRanges ? strongEtag(headers) : undefined,
  }
}

function resumed(transfer: Transfer, { headers }: Head): Transfer {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  const isSame = headers.etag === undefined || headers.etag === transfer.etag
  const isWhole = transfer.totalBytes === undefined || Number(total) === transfer.totalBytes
  if (Number(start) !== transfer.bytes || !isSame || !isWhole) {
    transfer.etag = undefined
    throw inPart()
  }
  return { ...transfer, totalBytes: Number(total) }
}

function inPart(): ServiceError {
  return unreachable('The media changed while it was read, or arrived in part. Try again', true)
}

export function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('media_too_large', `The media is larger than ${maxBytes} bytes. Use a smaller file.`)
}
