import * as z from 'zod/mini'
import type { Job } from '../../api/queries.ts'
import { Moments, titleOfList } from '../../components/moments.tsx'
import { nounsOf } from '../../components/work-title.ts'

const entry = z.object({
  start: z.optional(z.number()),
  end: z.optional(z.number()),
  time: z.optional(z.number()),
  title: z.optional(z.string()),
  text: z.optional(z.string()),
})
const lists = z.record(z.string(), z.unknown())

/** What a job found, as lists of times. */
export function Found({ job: { endpoint, result } }: { readonly job: Job }) {
  const found = lists.safeParse(result).data ?? {}
  const all = { ...found, ...lists.safeParse(found['transcript']).data }
  const named = Object.entries(nounsOf(endpoint)).map(([list, noun]) => [noun, entriesOf(all[list])] as const)
  // Of lists of the same things, one is enough.
  return [...new Map(named.toReversed())]
    .toReversed()
    .map(
      ([noun, entries]) =>
        entries.length > 0 && <Moments key={noun} title={titleOfList(noun)} total={entries.length} entries={entries} />,
    )
}

function entriesOf(list: unknown) {
  const entries = z.array(entry).safeParse(list).data ?? []
  return entries.map(({ time = 0, start = time, end = time, title, text }) => ({ start, end, text: title ?? text }))
}
