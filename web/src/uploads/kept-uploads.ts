import * as z from 'zod/mini'

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

const prefix = 'upload '

/** The uploads of a person that a page began, kept for pages that are opened later. A file is known by its name, size and time. */
export function createKeptUploads(storage: Storage, userId: string) {
  const own = `${prefix}${userId} `
  const keyOf = ({ name, size, lastModified }: File) => `${own}${lastModified} ${size} ${name}`
  const read = (key: string): KeptUpload[] => {
    const found = keptUpload.safeParse(JSON.parse(storage.getItem(key) ?? 'null'))
    return found.success ? [{ key, ...found.data }] : []
  }
  return {
    keyOf,
    find: (file: File): Session | undefined => read(keyOf(file))[0]?.session,
    keep: (file: File, kept: Session, sentBytes: number) => {
      const { name, size } = file
      storage.setItem(keyOf(file), JSON.stringify({ name, size, sentBytes, session: kept }))
    },
    forget: (key: string) => storage.removeItem(key),
    list: (): KeptUpload[] =>
      Object.keys(storage)
        .filter((key) => key.startsWith(own))
        .flatMap(read),
  }
}

/** The next person at this browser gets none of them. */
export function forgetKeptUploads(storage: Storage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key)
}
