import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import type { Constraints } from '../../src/storage/signing.ts'
import {
  ObjectExistsError,
  type ObjectInfo,
  type ObjectPart,
  type ObjectParts,
  type Storage,
} from '../../src/storage/storage.ts'
import { uploadIdleSeconds } from '../../src/uploads/uploads.ts'
import { assertUnchanged, interruptedOr, limitedUpload } from './receive-object.ts'
import type { HeldClaim, UploadClaims } from './register.ts'

interface PartInput {
  readonly storage: Storage
  readonly parts: ObjectParts
  readonly claims: UploadClaims
}

type Allowed = Constraints & ObjectPart

/** The object once all its bytes have arrived; before that, how many have. */
type Arrived = { readonly object: ObjectInfo } | { readonly object?: undefined; readonly bytes: number }

/**
 * One PUT of a resumable upload, by the protocol of the sessions of Google Cloud Storage. What has arrived stays when a PUT breaks off.
 * https://cloud.google.com/storage/docs/performing-resumable-uploads
 */
export async function receivePart(
  { storage, parts, claims }: PartInput,
  allowed: Allowed,
  { raw }: FastifyRequest,
): Promise<Arrived> {
  const { key, contentType } = allowed
  const total = allowed.maxBytes ?? 0
  raw.setTimeout(uploadIdleSeconds * 1000)
  let claim: HeldClaim | undefined
  let object: ObjectInfo | undefined
  try {
    assertUnchanged(allowed, raw)
    const sent = sentRange(raw.headers['content-range'], total)
    const held = await claims.claim(key, total, { session: allowed.session })
    claim = held
    object = await storage.stat(key)
    if (object) return { object }
    let bytes = await parts.bytesOf(allowed)
    if (bytes > total) {
      // Another PUT wrote too, whose claim had lapsed. The client sends the file again.
      await parts.discard(key)
      bytes = 0
    }
    if (sent && sent.start <= bytes && bytes <= sent.end) {
      const body = limitedUpload(raw.iterator({ destroyOnReturn: false }), sent.end - sent.start + 1, held)
      bytes = await parts.append(allowed, withoutFirst(body, bytes - sent.start), bytes)
    }
    if (bytes !== total) return { bytes }
    object = await parts.finish(allowed, contentType, () => held.arrived())
    return { object }
  } catch (error) {
    if (error instanceof ObjectExistsError) throw new ServiceError('not_found', undefined, { cause: error })
    throw interruptedOr(error, raw)
  } finally {
    await claim?.release(object?.bytes)
  }
}

const rangePattern = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/
/** Of all parts but the last. */
const partUnitBytes = 256 * 1024

/** The bytes that the PUT sends. Undefined if it only asks how many have arrived. Throws `invalid_request`. */
function sentRange(header: string | undefined, total: number): { start: number; end: number } | undefined {
  const [, first, last, ofTotal] = rangePattern.exec(header ?? '') ?? []
  if (ofTotal === undefined)
    throw wrongRange(
      `Send the header "content-range: bytes FIRST-LAST/${total}", or "bytes */${total}" without a body.`,
    )
  if (Number(ofTotal) !== total)
    throw wrongRange(`This upload has ${total} bytes. Presign another for a file of another size.`)
  if (first === undefined || last === undefined) return undefined
  const [start, end] = [Number(first), Number(last)]
  if (end < start || end >= total) throw wrongRange(`The range is not within the ${total} bytes of the file.`)
  if (end + 1 < total && (end + 1 - start) % partUnitBytes !== 0)
    throw wrongRange(`Send a multiple of ${partUnitBytes} bytes, except at the end of the file.`)
  return { start, end }
}

function wrongRange(message: string): ServiceError {
  return new ServiceError('invalid_request', message)
}

async function* withoutFirst(body: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of body) {
    if (left < chunk.length) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}
