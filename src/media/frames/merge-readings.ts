import type { TextLine } from '../../models/read-text/text-lines.ts'
import { isSameLine, moveBetween } from './same-text.ts'
import type { ScreenLine } from './screen-text.ts'

/** What a picture shows, from its time until the next reading. */
export interface Reading {
  readonly seconds: number
  readonly lines: readonly TextLine[]
}

/** A line that a model misses in between for this long is still shown. */
const maxMissedSeconds = 0.5
/** What is shown for a shorter time is text only if it has several letters, and was read twice or surely: a pattern looks like a letter at times. */
const glimpseSeconds = 1
const minConfidenceOfGlimpse = 0.8

interface Sighting extends TextLine {
  readonly seconds: number
}

interface OpenLine {
  start: number
  end: number
  readonly sightings: Sighting[]
}

/** Merges readings, in the order of time, into lines with the time that each is shown. The last reading lasts until the end. */
export function mergeReadings(readings: readonly Reading[], endSeconds: number): ScreenLine[] {
  const all: OpenLine[] = []
  let open: OpenLine[] = []
  for (const [index, { seconds, lines }] of readings.entries()) {
    const until = readings[index + 1]?.seconds ?? endSeconds
    open = open.filter(({ end }) => seconds - end <= maxMissedSeconds)
    const free = new Set(open)
    for (const line of lines) {
      const known = nearest(line, free)
      const sighting = { ...line, seconds: until - seconds }
      if (known) {
        free.delete(known)
        known.end = until
        known.sightings.push(sighting)
      } else {
        const found = { start: seconds, end: until, sightings: [sighting] }
        all.push(found)
        open.push(found)
      }
    }
  }
  return all.flatMap((line) => {
    const read = presentLine(line)
    const isSure = line.sightings.length > 1 || read.confidence >= minConfidenceOfGlimpse
    const isText = isSure && read.text.length > 1
    return line.end - line.start < glimpseSeconds && !isText ? [] : [read]
  })
}

/** The open line that this one continues, with how far it has moved. */
function nearest(line: TextLine, lines: ReadonlySet<OpenLine>): OpenLine | undefined {
  let best: { readonly open: OpenLine; readonly move: number } | undefined
  for (const open of lines) {
    const last = open.sightings.at(-1)
    if (!last || !isSameLine(line, last)) continue
    const move = moveBetween(line, last)
    if (!best || move < best.move) best = { open, move }
  }
  return best?.open
}

/** With the text that was read for the longest time, each time weighted with its confidence. */
function presentLine({ start, end, sightings }: OpenLine): ScreenLine {
  const weights = new Map<string, number>()
  for (const { text, seconds, confidence } of sightings)
    weights.set(text, (weights.get(text) ?? 0) + seconds * confidence)
  const weightOf = ({ text }: Sighting) => weights.get(text) ?? 0
  const [best] = sightings.toSorted((a, b) => weightOf(b) - weightOf(a) || b.confidence - a.confidence)
  if (!best) throw new Error('a line without a reading')
  return { text: best.text, start, end, box: best.box, confidence: best.confidence }
}
