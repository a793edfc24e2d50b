import { oneLine, removeHidden } from './text.ts'
import { mapInTurns, nextTurn, startTurns } from './turns.ts'

/** Text with the time at which it is said or shown, in seconds. */
export interface Passage {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The maximum number of passages of one job in the search index, which bounds their writing and the account's part of the index. */
export const maxIndexedPassages = 2_000
export const maxPassageLength = 2_000

/** What the search marks matches with. Stored texts have none of them. */
export const matchStart = '\uE000'
export const matchEnd = '\uE001'

/**
 * The passages as the search stores them: a few thousand at most, each of at most `maxPassageLength`. Long ones are divided, with times by
 * the share of the text; of too many, neighbours are joined. Only text beyond four million characters is left out.
 */
export async function indexedPassages(passages: readonly Passage[]): Promise<Passage[]> {
  const stored = await mapInTurns(passages, ({ text, ...times }) =>
    divided({ ...times, text: removeHidden(oneLine(text)) }),
  )
  const parts = stored.flat()
  await nextTurn()
  return (await joinedTo(maxIndexedPassages, parts)).slice(0, maxIndexedPassages)
}

function divided({ text, start, end }: Passage): Passage[] {
  const parts: Passage[] = []
  const timeAt = (position: number) => start + ((end - start) * position) / text.length
  for (let from = 0; from < text.length; ) {
    const to = text.length - from <= maxPassageLength ? text.length : endOfPart(text, from)
    parts.push({ text: text.slice(from, to).trim(), start: timeAt(from), end: timeAt(to) })
    from = to
  }
  return parts.filter((part) => part.text !== '')
}

/** The last space that is near enough; without any, the end of a whole character. */
function endOfPart(text: string, from: number): number {
  const end = from + maxPassageLength
  const space = text.lastIndexOf(' ', end)
  if (space > from) return space
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end
}

/** Joins as many neighbours as it takes, as long as they are not too long together. */
async function joinedTo(count: number, passages: readonly Passage[]): Promise<Passage[]> {
  const together = Math.ceil(passages.length / count)
  if (together <= 1) return [...passages]
  const turns = startTurns()
  const joined: { text: string; start: number; end: number; members: number }[] = []
  for (const { text, start, end } of passages) {
    if (turns.isDue()) await turns.next()
    const last = joined.at(-1)
    if (last && last.members < together && last.text.length + 1 + text.length <= maxPassageLength) {
      last.text += ` ${text}`
      last.start = Math.min(last.start, start)
      last.end = Math.max(last.end, end)
      last.members += 1
    } else joined.push({ text, start, end, members: 1 })
  }
  return joined.map(({ text, start, end }) => ({ text, start, end }))
}
