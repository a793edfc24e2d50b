import type { Job } from './jobs.ts'

/** Names media: a public URL, or one generation of an object in our storage. */
export interface MediaReference {
  /** As clients see it, without a signature. */
  readonly url: string
  /** Null if the media is on another server. */
  readonly object: PinnedObject | null
  /** A file name, never a URL; null if the URL names no file. */
  readonly name: string | null
}

export interface PinnedObject {
  readonly key: string
  readonly generation: string
}

/** The row of a job or an estimate: whose media it is, and the id under which a worker keeps it open. */
export type MediaRow = Pick<Job, 'id' | 'accountId' | keyof MediaColumns>

interface MediaColumns {
  readonly mediaUrl: string | null
  readonly mediaKey: string | null
  readonly mediaGeneration: string | null
}

/** The reference in the row of a job, a run or an estimate. Throws if the job reads no media. */
export function referenceOf({
  mediaUrl: url,
  mediaKey: key,
  mediaGeneration: generation,
  mediaName: name = null,
}: MediaColumns & { readonly mediaName?: string | null }): MediaReference {
  if (url === null) throw new TypeError('this row has no media')
  return { url, object: key !== null && generation !== null ? { key, generation } : null, name }
}

/** The columns that hold a reference. */
export function columnsOf({ url, object, name }: MediaReference) {
  return {
    mediaUrl: url,
    mediaKey: object?.key ?? null,
    mediaGeneration: object?.generation ?? null,
    mediaName: name,
  }
}
