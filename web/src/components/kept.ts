import * as z from 'zod/mini'

export const keptPrefixes = { drafts: 'draft ', uploads: 'upload ' } as const

/** What pages keep for those that are opened later, under names that begin with a prefix. */
export function keptIn<Schema extends z.ZodMiniType>(storage: Storage, prefix: string, schema: Schema) {
  return {
    keys: () => Object.keys(storage).filter((key) => key.startsWith(prefix)),
    find: (key: string): z.output<Schema> | undefined => schema.safeParse(parsed(storage.getItem(key))).data,
    keep: (key: string, value: z.output<Schema>): void => {
      try {
        storage.setItem(key, JSON.stringify(value))
      } catch {
        // The storage is full. The page itself still has it.
      }
    },
  }
}

/** The next person at this browser gets nothing of it. */
export function forgetKept(storage: Storage): void {
  for (const prefix of Object.values(keptPrefixes))
    for (const key of keptIn(storage, prefix, z.unknown()).keys()) storage.removeItem(key)
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
