import { frameOfTimecode, timecodeOf } from '../core/edit-rate.ts'
import { oneLine, removeHidden } from '../core/text.ts'
import { type Edit, type ExportDocument, type ExportEntry, editsOf } from './export-document.ts'

/** RFC 4180, with every text in quotes, because some spreadsheets separate at semicolons. They would run a text that begins like a formula. */
export function* writeCsv({ entries }: ExportDocument): Generator<string> {
  yield 'start,end,duration,label\r\n'
  for (const { start, end, label } of entries) {
    const text = quotedText(removeHidden(label.replaceAll(/\s/g, ' ')))
    yield `${seconds(start)},${seconds(end)},${seconds(end - start)},${text}\r\n`
  }
}

function quotedText(text: string): string {
  const safe = /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** The label track of Audacity: start, end and label, separated by tabs. */
export function* writeLabels({ entries }: ExportDocument): Generator<string> {
  for (const { start, end, label } of entries) yield `${seconds(start)}\t${seconds(end)}\t${oneLine(label)}\n`
}

/** YouTube shows chapters if the first begins at 0:00, there are three, and each has ten seconds. */
export const shortestChapterSeconds = 10

type Chapter = Pick<ExportEntry, 'start' | 'label' | 'isUnnamed'>

/**
 * The lines of a description. An entry less than ten seconds after a chapter belongs to that chapter. Chapters without a name are
 * counted.
 */
export function* writeChapters({ entries, mediaSeconds }: ExportDocument): Generator<string> {
  const starts = entries.toSorted((a, b) => a.start - b.start)
  const [first] = starts
  const chapters: Chapter[] = [
    first && first.start < shortestChapterSeconds ? { ...first, start: 0 } : { start: 0, label: 'Start' },
  ]
  for (const entry of starts) {
    const untilEnd = mediaSeconds - entry.start
    const sinceLast = entry.start - (chapters.at(-1)?.start ?? 0)
    if (Math.min(sinceLast, untilEnd) >= shortestChapterSeconds) chapters.push(entry)
  }
  const withHours = mediaSeconds >= 3600
  let unnamed = 0
  for (const { start, label, isUnnamed } of chapters) {
    if (isUnnamed) unnamed += 1
    yield `${clock(start, withHours)} ${isUnnamed ? `Part ${unnamed}` : oneLine(label)}\n`
  }
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

/** CMX 3600. The timeline begins at hour one, as editors expect. */
export function* writeEdl(document: ExportDocument): Generator<string> {
  const edits = editsOf(document, maxEvents)
  const { rate, isDropFrame, firstFrame, title } = document
  const hour = frameOfTimecode(isDropFrame ? '01:00:00;00' : '01:00:00:00', rate)?.frame ?? 0
  const timecodes = ({ sourceStart, sourceEnd, recordStart, recordEnd }: Edit) =>
    [firstFrame + sourceStart, firstFrame + sourceEnd, hour + recordStart, hour + recordEnd]
      .map((frame) => timecodeOf(frame, rate, isDropFrame))
      .join(' ')
  const mode = isDropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'
  yield `TITLE: ${oneLine(title).slice(0, 70)}\nFCM: ${mode}\n`
  for (const [index, edit] of edits.entries()) {
    const number = String(index + 1).padStart(3, '0')
    yield `\n${number}  AX       ${channels(document).padEnd(5)} C        ${timecodes(edit)}\n`
    yield `* FROM CLIP NAME: ${oneLine(document.mediaName)}\n* COMMENT: ${oneLine(edit.label)}\n`
  }
}

function channels({ picture, sound }: ExportDocument): string {
  if (!picture) return 'AA'
  return sound ? 'AA/V' : 'V'
}

/** A command line for a POSIX shell that joins the entries, exact to the frame, beside the file that it reads. */
export function* writeFfmpegCommand({ mediaName, entries, picture, sound }: ExportDocument): Generator<string> {
  const tracks = (sound?.searched ?? []).map(({ index }) => index)
  yield `ffmpeg -i ${inShell(mediaName)} -filter_complex '`
  for (const [index, { start, end }] of entries.entries()) {
    const window = `start=${start.toFixed(6)}:end=${end.toFixed(6)}`
    if (picture) yield `[0:v]trim=${window},setpts=PTS-STARTPTS[v${index}];`
    for (const track of tracks) yield `[0:a:${track}]atrim=${window},asetpts=PTS-STARTPTS[a${track}-${index}];`
  }
  const inputs = entries.map(
    (_, index) => `${picture ? `[v${index}]` : ''}${tracks.map((track) => `[a${track}-${index}]`).join('')}`,
  )
  const outputs = [...(picture ? ['[v]'] : []), ...tracks.map((track) => `[a${track}]`)]
  const counts = `n=${entries.length}:v=${picture ? 1 : 0}:a=${tracks.length}`
  const graph = `${inputs.join('')}concat=${counts}${outputs.join('')}`
  const maps = outputs.map((output) => `-map '${output}'`).join(' ')
  const dot = mediaName.lastIndexOf('.')
  const output = dot > 0 ? `${mediaName.slice(0, dot)}-cut${mediaName.slice(dot)}` : `${mediaName}-cut`
  yield `${graph}' ${maps} ${inShell(output)}\n`
}

/** A file name in this folder, whatever its characters. */
function inShell(fileName: string): string {
  return `'./${fileName.replaceAll("'", `'\\''`)}'`
}
