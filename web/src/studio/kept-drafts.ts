import * as z from 'zod/mini'
import { keptIn, keptPrefixes } from '../components/kept.ts'
import { type Draft, newEditor } from './editor.ts'

const edit = z.object({ kind: z.enum(['cut', 'keep']), start: z.number(), end: z.number() })
const setting = z.exactOptional(z.number())

const keptDraft = z.object({
  keptAt: z.number(),
  draft: z.object({
    settings: z.object({ thresholdDb: setting, minSeconds: setting, keptSeconds: setting }),
    edits: z.array(edit),
  }),
})

const mostDrafts = 20

/** The drafts of the newest 20 uploads that a person changed. */
export function createKeptDrafts(storage: Storage, now: () => number = Date.now) {
  const kept = keptIn(storage, keptPrefixes.drafts, keptDraft)
  const keyOf = (uploadId: string) => keptPrefixes.drafts + uploadId
  return {
    find: (uploadId: string): Draft => kept.find(keyOf(uploadId))?.draft ?? newEditor.draft,
    keep: (uploadId: string, draft: Draft): void => {
      const key = keyOf(uploadId)
      if (draft.edits.length === 0 && Object.keys(draft.settings).length === 0) {
        storage.removeItem(key)
        return
      }
      kept.keep(key, { keptAt: now(), draft: { ...draft, edits: [...draft.edits] } })
      const all = kept.keys()
      if (all.length <= mostDrafts) return
      const oldestFirst = all
        .map((each) => ({ key: each, keptAt: kept.find(each)?.keptAt ?? 0 }))
        .toSorted((a, b) => a.keptAt - b.keptAt)
      for (const { key: old } of oldestFirst.slice(0, -mostDrafts)) storage.removeItem(old)
    },
  }
}
