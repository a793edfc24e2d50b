import { z } from 'zod'
import { lowerBound } from './many-numbers.ts'
import { roundingSeconds, type Segment } from './segments.ts'
import { escapeContent, oneLine } from './text.ts'
import { hourMs } from './time-code.ts'

/** A text with its time in seconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The index of the word that is said, where a caption changes with each word. */
  readonly spoken?: number
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
  for (const cue of cues) yield `\n${times(cue, '.')}\n${escapeContent(oneLine(cue.text))}\n`
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
export const captionStyles = ['plain', 'boxed', 'large', 'highlight', 'highlight_box', 'one_word'] as const
export type CaptionStyle = (typeof captionStyles)[number]

/** The most characters of a caption that changes with each word, in styles that do. */
export const spokenLengths: Partial<Readonly<Record<CaptionStyle, number>>> = {
  ...{ highlight: 24, highlight_box: 24, one_word: 1 },
}

export const captionPositions = ['bottom', 'middle', 'top'] as const

/** What apps leave free of their own texts and buttons over vertical film. */
export const captionSafeAreas = ['shorts', 'reels', 'all'] as const
export type CaptionSafeArea = (typeof captionSafeAreas)[number]

/** Of a picture, in parts of its height and of its width: what is drawn over film keeps out of them. */
export const frameMargins = z.object({ top: z.number(), bottom: z.number(), left: z.number(), right: z.number() })
export type FrameMargins = z.output<typeof frameMargins>

export const captionLook = z.object({
  style: z.enum(captionStyles),
  position: z.enum(captionPositions),
  safeArea: z.enum(captionSafeAreas).optional(),
  /** Those of the style if left out. */
  margins: frameMargins.optional(),
  /** Such as `#ffffff`: of the text, and of the word that is said or of the box behind it. */
  colour: z.string(),
  highlightColour: z.string(),
  /** Of the box of `boxed`. Black if left out. */
  boxColour: z.string().optional(),
  /** The id of the upload that is the font. DejaVu Sans Bold if left out. */
  fontUploadId: z.string().optional(),
})

export type CaptionLook = z.output<typeof captionLook>

/** Says where captions cannot be read, and what was expected there. */
export class CaptionsError extends Error {
  override readonly name = 'CaptionsError'
}

/** More text than anybody reads in one caption is no caption. */
const maxTextLength = 1_000

const arrow = '-->'
const clockPattern = /^(?:(?:(\d{1,3}):)?([0-5]?\d)|(\d{1,3})):([0-5]?\d)(?:[.,](\d{1,9})(?![\d:.,])|(?![\w:.,]))/

/** Lines that begin a caption: digits before an arrow. */
const timing = /^\s*[\d:.,]+\s*-->/
const number = /^\s*\d+\s*$/
const header = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t]|$)/

/**
 * Parses SubRip, or WebVTT if its first line says so. Programs leave out the blank lines between captions, and write some inside of
 * them, so that a caption ends where the next one begins. Returns what is said, without markup, in the order of start times. Throws
 * `CaptionsError` for everything else.
 */
export function readCaptions(text: string): Cue[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const isVtt = /^WEBVTT(?:[ \t]|$)/.test(lines.find((line) => !isBlank(line)) ?? '')
  const starts = lines.flatMap((line, index) => (timing.test(line) ? [index] : []))
  const first = starts[0] ?? lines.length
  const isNumbered = number.test(lines[first - 1] ?? '')
  const nameBefore = (start: number) => start < lines.length && isName(lines, start - 1, isNumbered)
  if (!isVtt) assertBlank(lines.slice(0, nameBefore(first) ? first - 1 : first))
  const cues = starts.flatMap((start, index) => {
    const next = starts[index + 1]
    const end = next === undefined ? lines.length : next - (nameBefore(next) ? 1 : 0)
    const cue = { ...timesOf(lines[start] ?? '', start), text: textOf(lines, start, end, isVtt) }
    // No player shows a caption without a length, and some programs write them.
    return cue.start === cue.end ? [] : [cue]
  })
  if (cues.length === 0) throw new CaptionsError('there is no caption. Send SubRip or WebVTT.')
  return cues.toSorted((a, b) => a.start - b.start)
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}

/** Whether the line names the caption whose times follow it: a number of SubRip, or a name after a blank line. */
function isName(lines: readonly string[], at: number, isNumbered: boolean): boolean {
  const line = lines[at] ?? ''
  if (isBlank(line) || timing.test(line)) return false
  return (isNumbered && number.test(line)) || isSeparator(lines, at - 1)
}

/** Rolling captions have a line of one space as their first text. */
function isSeparator(lines: readonly string[], at: number): boolean {
  const line = lines[at]
  return isBlank(line) && (!line || !timing.test(lines[at - 1] ?? ''))
}

function assertBlank(lines: readonly string[]): void {
  const wrong = lines.findIndex((line) => !isBlank(line))
  if (wrong >= 0) throw missingTimes(wrong, lines[wrong] ?? '')
}

/** The text of a caption, from the line after its times. */
function textOf(lines: readonly string[], start: number, end: number, isVtt: boolean): string {
  const said: string[] = []
  let isHeader = false
  for (let at = start + 1; at < end; at++) {
    const line = lines[at] ?? ''
    const isAfterBlank = at > start + 1 && isSeparator(lines, at - 1)
    if (isAfterBlank) isHeader = isVtt && header.test(line)
    if (isAfterBlank && number.test(line) && !isBlank(lines[at + 1])) throw missingTimes(at, line)
    if (!isHeader && !isBlank(line)) said.push(line)
  }
  const text = plainText(said.join('\n'), isVtt)
  if (text.length > maxTextLength) throw problem(start, `the caption has more than ${maxTextLength} characters`)
  return text
}

function timesOf(line: string, at: number): { readonly start: number; readonly end: number } {
  const [before = '', after = '', ...more] = line.split(arrow)
  if (more.length > 0) throw missingTimes(at, line)
  const [start, end] = [secondsOf(before.trim(), at), secondsOf(after.trim(), at)]
  if (end < start) throw problem(at, 'the caption ends before it starts')
  return { start, end }
}

/** Settings of WebVTT and positions of SubRip can follow the time. */
function secondsOf(text: string, at: number): number {
  const found = clockPattern.exec(text)
  if (!found)
    throw problem(at, `${JSON.stringify(text.split(/\s/, 1).join('').slice(0, 40))} is no time, such as 00:00:01,000`)
  // Without hours, minutes can exceed 59.
  const [, hours = '0', within = '0', minutes = within, seconds = '0', fraction = '0'] = found
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return (whole * 1000 + Math.round(Number(`0.${fraction}`) * 1000)) / 1000
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&nbsp;': ' ', '&quot;': '"', '&apos;': "'" },
  ...{ '&lrm;': '', '&rlm;': '' },
}

/** Tags of SubRip, and what is left of WebVTT and ASS when programs convert them. Other angle brackets are text. */
const subRipTags = /<\/?(?:b|i|u|s|font|c|v)(?:[ .][^<>]*)?>|<[\d:.]+>|\{\\[^{}]*\}/gi

/** Without what players take for markup: tags, times within the text, positions in braces, and entities of WebVTT. */
function plainText(text: string, isVtt: boolean): string {
  const withoutTags = isVtt
    ? text.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(?:#(x[\da-f]+|\d+)|\w+);/gi, readEntity)
    : text.replaceAll(subRipTags, '')
  return withoutTags.trim()
}

function readEntity(entity: string, number?: string): string {
  if (number === undefined) return entities[entity] ?? entity
  const code = Number(number.replace(/^x/i, '0x'))
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : ''
}

/** `at` counts lines from 0. */
function missingTimes(at: number, line: string): CaptionsError {
  return problem(number.test(line) ? at + 1 : at, 'expected times, such as 00:00:01,000 --> 00:00:02,500')
}

function problem(at: number, what: string): CaptionsError {
  return new CaptionsError(`line ${at + 1}: ${what}.`)
}

/** A stretch of the source, and where it starts in a clip. */
export interface ShownRange {
  readonly presented: Segment
  readonly atSeconds: number
}

export interface PlacedCues<One extends Segment = Cue> {
  /** On the clip's clock. */
  readonly cues: readonly One[]
  /** The number of those that the clip does not contain. */
  readonly outside: number
}

/** Shorter rests of a caption at an edge are not shown. */
const minShownSeconds = 0.02

/** Captions of the source, or other entries, where the clip shows them. What was cut out of one shortens it. The ranges are in order. */
export function placeCues<One extends Segment>(cues: readonly One[], ranges: readonly ShownRange[]): PlacedCues<One> {
  const placed = cues.flatMap((cue) => {
    const from = lowerBound(ranges, ({ presented }) => presented.end <= cue.start)
    const to = lowerBound(ranges, ({ presented }) => presented.start < cue.end)
    // However many ranges it is shown in.
    const [first, last] = [ranges[from], ranges[to - 1]]
    if (!first || !last || to <= from) return []
    const start = first.atSeconds + Math.max(0, cue.start - first.presented.start)
    const end = last.atSeconds + Math.min(cue.end, last.presented.end) - last.presented.start
    return end - start < minShownSeconds - roundingSeconds ? [] : [{ ...cue, start, end }]
  })
  return { cues: placed, outside: cues.length - placed.length }
}

/** Words of the source where the clip has them. A word that is cut is in the clip if its middle is. */
export function placeWords<Word extends Segment>(words: readonly Word[], ranges: readonly ShownRange[]): Word[] {
  return words.flatMap((word) => {
    const middle = (word.start + word.end) / 2
    const range = ranges[lowerBound(ranges, ({ presented }) => presented.end <= middle)]
    if (!range || middle < range.presented.start) return []
    const { presented, atSeconds } = range
    const onClip = (seconds: number) =>
      atSeconds + Math.min(presented.end, Math.max(presented.start, seconds)) - presented.start
    return [{ ...word, start: onClip(word.start), end: onClip(word.end) }]
  })
}
