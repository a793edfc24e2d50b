import * as z from 'zod/mini'
import { keptIn, keptPrefixes } from '../components/kept.ts'

/** Where the bytes of an upload go, for a week. */
const session = z.object({
  id: z.string(),
  media_url: z.string(),
  upload_url: z.string(),
  upload_headers: z.record(z.string(), z.string()),
})
export type Session = z.output<typeof session>

const keptUpload = z.object({ name: z.string(), size: z.number(), sentBytes: z.number(), session })

/** An upload that has not ended, and whose file must be chosen again to go on. */
export interface KeptUpload extends z.output<typeof keptUpload> {
  readonly key: string
}

export type KeptUploads = ReturnType<typeof createKeptUploads>

/** The uploads of a person that a page began, kept for pages that are opened later. A file is known by its name, size and time. */
export function createKeptUploads(storage: Storage, userId: string) {
  const own = `${keptPrefixes.uploads}${userId} `
  const kept = keptIn(storage, own, keptUpload)
  const keyOf = ({ name, size, lastModified }: File) => `${own}${lastModified} ${size} ${name}`
  return {
    keyOf,
    find: (file: File): Session | undefined => kept.find(keyOf(file))?.session,
    keep: (file: File, opened: Session, sentBytes: number) => {
      const { name, size } = file
      kept.keep(keyOf(file), { name, size, sentBytes, session: opened })
    },
    forget: (key: string) => storage.removeItem(key),
    list: (): KeptUpload[] =>
      kept.keys().flatMap((key) => {
        const found = kept.find(key)
        return found ? [{ key, ...found }] : []
      }),
  }
}
