import type { Chunk } from './chunks.ts'
import { GcsError } from './failures.ts'
import type { GcsLimits } from './limits.ts'
import type { ObjectResource } from './object-resource.ts'
import { retrying } from './request.ts'
import type { Answer, UploadSession } from './upload-session.ts'

export interface SendChunkInput {
  readonly chunk: Chunk
  /** MD5 of the whole object in base64; sent with the last chunk. */
  readonly md5?: string | undefined
  readonly limits: GcsLimits
  readonly signal?: AbortSignal | undefined
}

/** Sends a chunk until all of it has arrived. Returns the object after the last chunk. */
export async function sendChunk(session: UploadSession, input: SendChunkInput): Promise<ObjectResource | undefined> {
  const { chunk, md5, limits, signal } = input
  const end = chunk.start + chunk.bytes.length
  // Undefined after a failure: the next round first asks how much has arrived.
  let arrived: number | undefined = chunk.start

  async function step(): Promise<Answer> {
    const from = arrived
    arrived = undefined
    if (from === undefined) return session.put({ range: 'bytes */*', bytes: Buffer.alloc(0) })
    const bounds = from === end ? '*' : `${from}-${end - 1}`
    const total = chunk.isLast ? end : '*'
    const bytes = chunk.bytes.subarray(from - chunk.start)
    const answer = await session.put({ range: `bytes ${bounds}/${total}`, bytes, md5 })
    if (answer.object || answer.arrivedBytes > from) return answer
    throw new GcsError('the upload makes no progress', { isPassing: true })
  }

  return retrying(limits, signal, async () => {
    for (;;) {
      const answer = await step()
      if (answer.object) return verified(answer.object, md5)
      const { arrivedBytes } = answer
      if (arrivedBytes < chunk.start || arrivedBytes > end) throw new GcsError('the upload lost its place')
      if (arrivedBytes === end && !chunk.isLast) return undefined
      arrived = arrivedBytes
    }
  })
}

function verified(object: ObjectResource, md5: string | undefined): ObjectResource {
  if (object.md5Hash === undefined || object.md5Hash === md5) return object
  throw new GcsError(`${object.name} arrived damaged`)
}
