import { oneLine, removeHidden } from '../core/text.ts'
import type { ExportDocument, ExportEntry } from './export-document.ts'

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
