import * as z from 'zod/mini'
import { type Draft, newEditor } from './editor.ts'

const edit = z.object({ kind: z.enum(['cut', 'keep']), start: z.number(), end: z.number() })
const setting = z.exactOptional(z.number())

const keptDraft = z.object({
  keptAt: z.number(),
  draft: z.object({
    settings: z.object({ thresholdDb: setting, minSeconds: setting, keptSeconds: setting }),
    edits: z.array(edit).check(z.maxLength(5000)),
  }),
})

const prefix = 'draft '
const mostDrafts = 20

/** The drafts of the newest 20 uploads that a person changed, kept for pages that are opened later. */
export function createKeptDrafts(storage: Storage, now: () => number = Date.now) {
  const keys = () => Object.keys(storage).filter((key) => key.startsWith(prefix))
  const read = (key: string) => keptDraft.safeParse(parsedText(storage.getItem(key))).data
  return {
    find: (uploadId: string): Draft => read(prefix + uploadId)?.draft ?? newEditor.draft,
    keep: (uploadId: string, draft: Draft): void => {
      const key = prefix + uploadId
      if (draft.edits.length === 0 && Object.keys(draft.settings).length === 0) {
        storage.removeItem(key)
        return
      }
      try {
        storage.setItem(key, JSON.stringify({ keptAt: now(), draft }))
      } catch {
        // The storage is full. The page itself still has the draft.
      }
      const all = keys()
      if (all.length <= mostDrafts) return
      const oldestFirst = all
        .map((each) => ({ key: each, keptAt: read(each)?.keptAt ?? 0 }))
        .toSorted((a, b) => a.keptAt - b.keptAt)
      for (const { key: old } of oldestFirst.slice(0, -mostDrafts)) storage.removeItem(old)
    },
  }
}

/** The next person at this browser gets none of them. */
export function forgetKeptDrafts(storage: Storage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key)
}

function parsedText(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
