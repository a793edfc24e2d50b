import path from 'node:path'
import { frameOfTimecode, timebaseOf, timecodeOf } from '../core/edit-rate.ts'
import { invalidRequest } from '../core/errors.ts'
import { isMediaFormat } from '../core/media.ts'
import type { Segment } from '../core/segments.ts'
import { frameToleranceSeconds } from '../core/snap-ranges.ts'
import { counted, oneLine, removeHidden } from '../core/text.ts'
import { type Edit, type ExportDocument, type ExportEntry, editsOf } from './export-document.ts'
import { type Marker, markersOf } from './markers.ts'
import { mediaPathOf } from './media-address.ts'

/** RFC 4180, with every text in quotes, because some spreadsheets separate at semicolons. They would run a text that begins like a formula. */
export function* writeCsv(document: ExportDocument): Generator<string> {
  if (document.what === 'markers') {
    yield* writeMarkerCsv(document)
    return
  }
  yield 'start,end,duration,label\r\n'
  for (const entry of document.entries) yield `${timesAndLabel(entry)}\r\n`
}

function* writeMarkerCsv(document: ExportDocument): Generator<string> {
  const { rate, isDropFrame, firstFrame } = document
  yield 'start,end,duration,label,kind,colour,timecode\r\n'
  for (const { startSeconds: start, endSeconds: end, label, kind, colour, frame } of markersOf(document, Infinity))
    yield `${timesAndLabel({ start, end, label })},${kind},${colour},${timecodeOf(firstFrame + frame, rate, isDropFrame)}\r\n`
}

function timesAndLabel({ start, end, label }: ExportEntry): string {
  return `${seconds(start)},${seconds(end)},${seconds(end - start)},${quotedText(label)}`
}

function quotedText(label: string): string {
  const text = removeHidden(label.replaceAll(/\s/g, ' '))
  const safe = /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** The label track of Audacity: start, end and label, separated by tabs. It has no colours: a label says its kind if there are several. */
export function* writeLabels({ entries }: ExportDocument): Generator<string> {
  const hasKinds = new Set(entries.map(({ kind }) => kind)).size > 1
  const ordered = hasKinds ? entries.toSorted((one, other) => one.start - other.start) : entries
  for (const { start, end, label, kind, isUnnamed } of ordered) {
    const text = hasKinds && !isUnnamed ? `${kind}: ${label}` : label
    yield `${seconds(start)}\t${seconds(end)}\t${oneLine(text)}\n`
  }
}

/** YouTube shows chapters if the first begins at 0:00, there are three, and each has ten seconds. */
export const shortestChapterSeconds = 10
const fewestChapters = 3

type Chapter = Pick<ExportEntry, 'start' | 'label' | 'isUnnamed'>

/** The lines of a description. Chapters without a name are counted. */
export function* writeChapters(document: ExportDocument): Generator<string> {
  const withHours = document.mediaSeconds >= 3600
  let unnamed = 0
  for (const { start, label, isUnnamed } of chaptersOf(document).chapters) {
    if (isUnnamed) unnamed += 1
    yield `${clock(start, withHours)} ${isUnnamed ? `Part ${unnamed}` : oneLine(label)}\n`
  }
}

/** What YouTube does not show. */
export function warnOfChapters(document: ExportDocument): string[] {
  const { chapters, left } = chaptersOf(document)
  return [
    ...(chapters.length < fewestChapters
      ? [`YouTube shows chapters if there are at least ${fewestChapters}: this list has ${chapters.length}.`]
      : []),
    ...(left > 0
      ? [
          `A chapter has at least ${shortestChapterSeconds} seconds: ${counted(left, 'entry', 'entries')} of the list ${left === 1 ? 'has' : 'have'} no line.`,
        ]
      : []),
  ]
}

/** An entry less than ten seconds after a chapter, or before the end, is left to the chapter before it. */
function chaptersOf({ entries, mediaSeconds }: ExportDocument): { chapters: Chapter[]; left: number } {
  const starts = entries.toSorted((a, b) => a.start - b.start)
  const [first] = starts
  const isFirst = first !== undefined && first.start < shortestChapterSeconds
  const chapters: Chapter[] = [isFirst ? { ...first, start: 0 } : { start: 0, label: 'Start' }]
  for (const entry of isFirst ? starts.slice(1) : starts) {
    const untilEnd = mediaSeconds - entry.start
    const sinceLast = entry.start - (chapters.at(-1)?.start ?? 0)
    if (Math.min(sinceLast, untilEnd) >= shortestChapterSeconds) chapters.push(entry)
  }
  return { chapters, left: entries.length - chapters.length + (isFirst ? 0 : 1) }
}

function clock(time: number, withHours: boolean): string {
  const whole = Math.floor(time)
  const two = (value: number) => String(value).padStart(2, '0')
  const [minutes, rest] = [Math.floor(whole / 60), two(whole % 60)]
  return withHours ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}` : `${minutes}:${rest}`
}

function seconds(value: number): string {
  return value.toFixed(3)
}

/** Events have numbers of three digits. */
const maxEvents = 999

/** SMPTE ST 12-1 has no timecode for faster pictures, and the columns have no room for three digits. */
const maxTimebase = 60

/**
 * CMX 3600. The timeline begins at hour one, as editors expect. Markers are events of one frame with the line from which DaVinci
 * Resolve makes a timeline marker: a note, colour, name and length in frames.
 */
export function* writeEdl(document: ExportDocument): Generator<string> {
  const { rate, isDropFrame, firstFrame, title } = document
  if (timebaseOf(rate) > maxTimebase)
    throw invalidRequest(
      `fps: an EDL has at most ${maxTimebase} frames a second. Send fps=59.94, or use as=fcpxml, xmeml or otio.`,
    )
  const markers = markersOf(document, maxEvents)
  const edits = markers.length > 0 ? markers.map(markerEvent) : editsOf(document, maxEvents)
  const hour = document.recordFrame ?? frameOfTimecode(isDropFrame ? '01:00:00;00' : '01:00:00:00', rate)?.frame ?? 0
  const file = mediaPathOf(document)
  const source = file === undefined ? '' : `* SOURCE FILE: ${oneLine(file)}\n`
  const timecodes = ({ sourceStart, sourceEnd, recordStart, recordEnd }: Edit) =>
    [firstFrame + sourceStart, firstFrame + sourceEnd, hour + recordStart, hour + recordEnd]
      .map((frame) => timecodeOf(frame, rate, isDropFrame))
      .join(' ')
  const mode = isDropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'
  yield `TITLE: ${Array.from(oneLine(title)).slice(0, 70).join('')}\nFCM: ${mode}\n`
  for (const [index, edit] of edits.entries()) {
    const number = String(index + 1).padStart(3, '0')
    yield `\n${number}  ${(document.reel ?? 'AX').padEnd(8)} ${channels(document).padEnd(5)} C        ${timecodes(edit)}\n`
    const marker = markers[index]
    if (marker) yield `${resolveMarker(marker)}\n`
    else yield `* FROM CLIP NAME: ${oneLine(document.mediaName)}\n${source}* COMMENT: ${oneLine(edit.label)}\n`
  }
}

function markerEvent({ label, frame }: Marker): Edit {
  return { label, sourceStart: frame, sourceEnd: frame + 1, recordStart: frame, recordEnd: frame + 1 }
}

/** What is before the first bar becomes the note of the marker. */
function resolveMarker({ label, kind, colour, frames }: Marker): string {
  const name = colour.charAt(0).toUpperCase() + colour.slice(1)
  return `${kind} |C:ResolveColor${name} |M:${oneLine(label).replaceAll('|', '/')} |D:${frames}`
}

function channels({ picture, sound }: ExportDocument): string {
  if (!picture) return 'AA'
  return sound ? 'AA/V' : 'V'
}

/** Linux starts no command with an argument of 128 KiB. */
const maxGraphLength = 120_000

/** A command line for a POSIX shell that joins the entries, exact to the frame, beside the file that it reads. */
export function* writeFfmpegCommand(document: ExportDocument): Generator<string> {
  const { mediaName, entries, picture, sound } = document
  const tracks = (sound?.searched ?? []).map(({ index }) => index)
  const outputs = [...(picture ? ['[v]'] : []), ...tracks.map((track) => `[a${track}]`)]
  yield `ffmpeg -i ${inShell(mediaPathOf(document) ?? `./${mediaName}`)} -filter_complex '`
  let length = 0
  for (const part of filterGraph(document, tracks, outputs)) {
    length += part.length
    if (length > maxGraphLength)
      throw invalidRequest(
        `as: no shell starts a command with ${entries.length} entries. Use as=otio, fcpxml or xmeml, or cut the media with a job of video/clip-window.`,
      )
    yield part
  }
  const maps = outputs.map((output) => `-map '${output}'`)
  yield `' ${maps.join(' ')} ${inShell(`./${cutName(document)}`)}\n`
}

function* filterGraph(
  { entries, picture }: ExportDocument,
  tracks: readonly number[],
  outputs: readonly string[],
): Generator<string> {
  const video = picture?.trackIndex === undefined ? '0:v' : `0:v:${picture.trackIndex}`
  for (const [index, { start, end }] of entries.entries()) {
    const window = `start=${start.toFixed(6)}:end=${end.toFixed(6)}`
    if (picture) yield `[${video}]trim=${framesOf({ start, end })},setpts=PTS-STARTPTS[v${index}];`
    for (const track of tracks) yield `[0:a:${track}]atrim=${window},asetpts=PTS-STARTPTS[a${track}-${index}];`
  }
  for (const index of entries.keys())
    yield `${picture ? `[v${index}]` : ''}${tracks.map((track) => `[a${track}-${index}]`).join('')}`
  const counts = `n=${entries.length}:v=${picture ? 1 : 0}:a=${tracks.length}`
  yield `concat=${counts}${outputs.join('')}`
}

/** Of an entry, which has its times to the millisecond: frames begin up to half of one before. */
function framesOf({ start, end }: Segment): string {
  const [from, to] = [start, end].map((seconds) => Math.max(0, seconds - frameToleranceSeconds).toFixed(6))
  return `start=${from}:end=${to}`
}

/** The extension tells ffmpeg which format to write. */
function cutName({ mediaName, cutFormat }: ExportDocument): string {
  const { name, ext: extension } = path.parse(mediaName)
  const isKnown = isMediaFormat(extension.slice(1).toLowerCase())
  return isKnown ? `${name}-cut${extension}` : `${mediaName}-cut.${cutFormat}`
}

/** A path, whatever its characters. */
function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
