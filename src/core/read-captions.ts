import type { Cue } from './captions.ts'

/** Says where captions cannot be read, and what was expected there. */
export class CaptionsError extends Error {
  override readonly name = 'CaptionsError'
}

/** More text than anybody reads in one caption is no caption. */
const maxTextLength = 1_000

const arrow = '-->'
const clock = /^(?:(?:(\d{1,3}):)?([0-5]?\d)|(\d{1,3})):([0-5]?\d)(?:[.,](\d{1,9})(?![\d:.,])|(?![\w:.,]))/

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
  const found = clock.exec(text)
  if (!found)
    throw problem(at, `${JSON.stringify(text.split(/\s/, 1).join('').slice(0, 40))} is no time, such as 00:00:01,000`)
  // Without hours, minutes can exceed 59.
  const [, hours = '0', within = '0', minutes = within, seconds = '0', fraction = '0'] = found
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return (whole * 1000 + Math.round(Number(`0.${fraction}`) * 1000)) / 1000
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&nbsp;': ' ', '&quot;': '"' },
  ...{ '&lrm;': '', '&rlm;': '' },
}

/** Tags of SubRip, and what is left of WebVTT and ASS when programs convert them. Other angle brackets are text. */
const subRipTags = /<\/?(?:b|i|u|s|font|c|v)(?:[ .][^<>]*)?>|<[\d:.]+>|\{\\[^{}]*\}/gi

/** Without what players take for markup: tags, times within the text, positions in braces, and entities of WebVTT. */
function plainText(text: string, isVtt: boolean): string {
  const withoutTags = isVtt
    ? text.replaceAll(/<[^<>]*>/g, '').replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity)
    : text.replaceAll(subRipTags, '')
  return withoutTags.trim()
}

/** `at` counts lines from 0. */
function missingTimes(at: number, line: string): CaptionsError {
  return problem(number.test(line) ? at + 1 : at, 'expected times, such as 00:00:01,000 --> 00:00:02,500')
}

function problem(at: number, what: string): CaptionsError {
  return new CaptionsError(`line ${at + 1}: ${what}.`)
}
