import leven from 'leven'
import { invalidRequest } from '../../core/errors.ts'
import { normalForm } from '../../core/text.ts'
import { mapInTurns, startTurns } from '../../core/turns.ts'
import type { TextLine } from '../../models/models.ts'
import type { ScreenLine } from './text-reader.ts'

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

/** More lines than anybody reads: a film of noise or of code that scrolls. */
const maxLines = 100_000

interface Sighting {
  readonly line: TextLine
  readonly seconds: number
}

interface OpenLine {
  start: number
  end: number
  readonly sightings: Sighting[]
}

/**
 * Merges readings, in the order of time, into lines with the time that each is shown. The last reading lasts until the end. Throws
 * `invalid_request` for too many lines.
 */
export async function mergeReadings(readings: readonly Reading[], endSeconds: number): Promise<ScreenLine[]> {
  const turns = startTurns()
  const all: OpenLine[] = []
  let open: OpenLine[] = []
  for (const [index, { seconds, lines }] of readings.entries()) {
    const until = readings[index + 1]?.seconds ?? endSeconds
    open = open.filter(({ end }) => seconds - end <= maxMissedSeconds)
    const free = new Set(open)
    for (const line of lines) {
      if (turns.isDue()) await turns.next()
      const known = nearest(line, free)
      const sighting = { line, seconds: until - seconds }
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
    if (all.length > maxLines)
      throw invalidRequest(`The picture shows more than ${maxLines} lines of text. Choose a shorter window.`)
  }
  return (await mapInTurns(all, presentLine)).flatMap((line) => line ?? [])
}

/** The open line that this one continues, with how far it has moved. */
function nearest(line: TextLine, lines: ReadonlySet<OpenLine>): OpenLine | undefined {
  let best: { readonly open: OpenLine; readonly move: number } | undefined
  for (const open of lines) {
    const last = open.sightings.at(-1)
    if (!last || !isSameLine(line, last.line)) continue
    const move = moveBetween(line, last.line)
    if (!best || move < best.move) best = { open, move }
  }
  return best?.open
}

/** With the text that was read for the longest time, each time weighted with its confidence. Undefined for what is no text. */
function presentLine({ start, end, sightings }: OpenLine): ScreenLine | undefined {
  const weights = new Map<string, number>()
  for (const { line, seconds } of sightings)
    weights.set(line.text, (weights.get(line.text) ?? 0) + seconds * line.confidence)
  const weightOf = ({ text }: TextLine) => weights.get(text) ?? 0
  const { text, box, confidence } = sightings
    .map(({ line }) => line)
    .reduce((best, line) => {
      const more = weightOf(line) - weightOf(best) || line.confidence - best.confidence
      return more > 0 ? line : best
    })
  const isSure = sightings.length > 1 || confidence >= minConfidenceOfGlimpse
  const isText = isSure && text.length > 1
  return end - start < glimpseSeconds && !isText ? undefined : { text, start, end, box, confidence }
}

/** Of the picture's width and height: a line that moves further between two readings, such as in quick credits, counts as another. */
const maxMove = 0.25
/** A model reads one letter in this many differently in the next frame. Digits that differ are another text: clocks and scores change. */
const lettersPerMisreading = 6

/** Whether both are one line of text on the screen, read twice. */
function isSameLine(one: Omit<TextLine, 'confidence'>, other: Omit<TextLine, 'confidence'>): boolean {
  return moveBetween(one, other) <= maxMove && (one.text === other.text || isSameText(formOf(one), formOf(other)))
}

/** The distance of the middles, in shares of the picture. */
function moveBetween({ box: one }: Pick<TextLine, 'box'>, { box: other }: Pick<TextLine, 'box'>): number {
  const across = one.x + one.width / 2 - other.x - other.width / 2
  const down = one.y + one.height / 2 - other.y - other.height / 2
  return Math.hypot(across, down)
}

/** Whether both pictures show the same lines. */
export async function showSameLines(ones: readonly TextLine[], others: readonly TextLine[]): Promise<boolean> {
  return ones.length === others.length && (await areAllIn(ones, others)) && areAllIn(others, ones)
}

async function areAllIn(lines: readonly TextLine[], others: readonly TextLine[]): Promise<boolean> {
  const turns = startTurns()
  for (const line of lines) {
    if (!others.some((other) => isSameLine(line, other))) return false
    if (turns.isDue()) await turns.next()
  }
  return true
}

/** What is compared of a text. */
interface TextForm {
  /** Without case, spaces and punctuation, which models miss most easily. */
  readonly letters: string
  readonly digits: string
}

/** A line is compared with hundreds of others. */
const forms = new WeakMap<object, TextForm>()

function formOf(line: Pick<TextLine, 'text'>): TextForm {
  const known = forms.get(line)
  if (known) return known
  const letters = normalForm(line.text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  const form = { letters, digits: letters.replaceAll(/\P{N}/gu, '') }
  forms.set(line, form)
  return form
}

function isSameText({ letters: one, digits }: TextForm, { letters: other, digits: otherDigits }: TextForm): boolean {
  if (one === other) return one !== ''
  const most = Math.floor(Math.min(one.length, other.length) / lettersPerMisreading)
  if (digits !== otherDigits || Math.abs(one.length - other.length) > most) return false
  return leven(one, other, { maxDistance: most + 1 }) <= most
}
