import type { Cue } from './captions.ts'

/** Says where captions cannot be read, and what was expected there. */
export class CaptionsError extends Error {
  override readonly name = 'CaptionsError'
}

/** More text than anybody reads in one caption is no caption. */
const maxTextLength = 1_000

const arrow = '-->'
const clock = /^(?:(\d{1,3}):)?([0-5]\d):([0-5]\d)[.,](\d{3})$/

/**
 * Parses SubRip, or WebVTT if its first line says so. Returns what is said, without markup, in the order of start times. Throws
 * `CaptionsError` for everything else.
 */
export function readCaptions(text: string): Cue[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const isVtt = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '')
  const cues: Cue[] = []
  for (const block of blocksOf(lines)) {
    const isHeader = isVtt && (block.line === 1 || /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(block.lines[0] ?? ''))
    if (!isHeader) cues.push(cueOf(block, isVtt))
  }
  if (cues.length === 0) throw new CaptionsError('there is no caption. Send SubRip or WebVTT.')
  return cues.toSorted((a, b) => a.start - b.start)
}

interface Block {
  /** Of its first line, counted from 1. */
  readonly line: number
  readonly lines: readonly string[]
}

/** What blank lines separate. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: { readonly line: number; readonly lines: string[] }[] = []
  let isOpen = false
  for (const [index, line] of lines.entries()) {
    const isBlank = line.trim() === ''
    if (!isBlank && !isOpen) blocks.push({ line: index + 1, lines: [line] })
    else if (!isBlank) blocks.at(-1)?.lines.push(line)
    isOpen = !isBlank
  }
  return blocks
}

function cueOf({ line, lines }: Block, isVtt: boolean): Cue {
  // The first line may be a number or a name.
  const timing = lines[0]?.includes(arrow) ? 0 : 1
  const at = line + timing
  const parts = lines[timing]?.split(arrow) ?? []
  if (parts.length !== 2) throw problem(at, 'expected times, such as 00:00:01,000 --> 00:00:02,500')
  const [before = '', after = ''] = parts
  // Settings of WebVTT follow the times.
  const [start, end] = [secondsOf(before.trim(), at), secondsOf(after.trim().split(/[ \t]/)[0] ?? '', at)]
  if (end <= start) throw problem(at, 'the caption ends before it starts')
  const text = plainText(lines.slice(timing + 1).join('\n'), isVtt)
  if (text.length > maxTextLength) throw problem(at, `the caption has more than ${maxTextLength} characters`)
  return { start, end, text }
}

function secondsOf(text: string, line: number): number {
  const found = clock.exec(text)
  if (!found) throw problem(line, `${JSON.stringify(text.slice(0, 40))} is no time, such as 00:00:01,000`)
  const [, hours = '0', minutes, seconds, milliseconds] = found
  return (Number(hours) * 3600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(milliseconds)) / 1000
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&nbsp;': ' ', '&quot;': '"' },
  ...{ '&lrm;': '', '&rlm;': '' },
}

/** Without what players take for markup: tags, positions in braces, and entities of WebVTT. */
function plainText(text: string, isVtt: boolean): string {
  const withoutTags = isVtt
    ? text.replaceAll(/<[^<>]*>/g, '').replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity)
    : text.replaceAll(/<\/?(?:b|i|u|font)(?: [^<>]*)?>|\{\\[^{}]*\}/gi, '')
  return withoutTags.trim()
}

function problem(line: number, what: string): CaptionsError {
  return new CaptionsError(`line ${line}: ${what}.`)
}
