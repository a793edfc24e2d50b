import { hourMs } from './durations.ts'
import { escapeMarkup, oneLine } from './text.ts'

/** A text with its time in seconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Captions that can be part of a picture simultaneously. Two speakers and a title are three. */
export const maxShownCues = 8

/** The first time at which more than `maxShownCues` are shown, in seconds. The cues are in the order of their starts. */
export function crowdedAt(cues: readonly Cue[]): number | undefined {
  const ends = cues.map(({ end }) => end).toSorted((a, b) => a - b)
  let ended = 0
  return cues.find(({ start }, index) => {
    while ((ends[ended] ?? Infinity) <= start) ended += 1
    return index + 1 - ended > maxShownCues
  })?.start
}

/** The parts of a file in WebVTT. https://www.w3.org/TR/webvtt1/ */
export function* webVtt(cues: Iterable<Cue>): Generator<string> {
  yield 'WEBVTT\n'
  for (const cue of cues) yield `\n${times(cue, '.')}\n${escapeMarkup(oneLine(cue.text))}\n`
}

/**
 * The parts of a file in SubRip, which has no specification: numbers from 1, a comma before milliseconds, a blank line after each.
 * Players drop text that looks like a tag, and SubRip has no escape, so angle brackets are replaced by ‹ and ›.
 */
export function* subRip(cues: Iterable<Cue>): Generator<string> {
  let count = 0
  for (const cue of cues) {
    count += 1
    const text = oneLine(cue.text).replaceAll('<', '‹').replaceAll('>', '›')
    yield `${count}\n${times(cue, ',')}\n${text}\n\n`
  }
}

/** A cue that ended as it starts would not be shown. */
function times({ start, end }: Cue, decimal: ',' | '.'): string {
  const from = Math.round(start * 1000)
  const to = Math.max(from + 1, Math.round(end * 1000))
  return `${clock(from, decimal)} --> ${clock(to, decimal)}`
}

function clock(milliseconds: number, decimal: ',' | '.'): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const whole = `${two(milliseconds / hourMs)}:${two((milliseconds / 60_000) % 60)}:${two((milliseconds / 1000) % 60)}`
  return `${whole}${decimal}${String(milliseconds % 1000).padStart(3, '0')}`
}

/** How captions look that are part of the picture. */
export const captionStyles = ['plain', 'boxed', 'large'] as const
export type CaptionStyle = (typeof captionStyles)[number]
