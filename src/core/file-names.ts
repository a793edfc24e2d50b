import path from 'node:path'
import { normalForm, removeHidden } from './text.ts'
import { hourMs } from './time-code.ts'

/** Most file systems allow 255 bytes. */
const maxNameBytes = 200

/** A signed URL contains the name, in the worst case with five characters for each byte, and can be the media_url of another job. */
const maxOutputNameBytes = 120

/** The name in a path of any system: one line that can be shown and stored. Keeps every script's letters. */
export function cleanFileName(text: string): string {
  const last = text.split(/[/\\]/).at(-1) ?? ''
  const name = removeHidden(last).trim()
  const extension = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? ''
  return shorten(name.slice(0, name.length - extension.length), maxNameBytes - extension.length) + extension
}

/** Long mixed letters and digits, which can be a secret token. */
export const tokenPattern = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16}/i

export interface NamedFile {
  /** Its extension counts. */
  readonly fileName: string
  /** What it is, such as `clip-1m15s`. The fileName's stem when left out. */
  readonly label?: string | undefined
  /** Distinguishes it from files of the same label, as `shapeLabel` writes it. */
  readonly shape?: string | undefined
}

export interface OutputNamesInput {
  /** The name of the file that they were made from, if there is one. */
  readonly source: string | null
  /** A label for all files, in place of their own. */
  readonly label?: string | undefined
}

interface ShapeLabelInput {
  /** Such as `9:16`; `source` for the source's. */
  readonly aspect: string
  readonly heightPixels?: number | null
}

/** The names under which people download a job's files, such as `talk-clip-1m15s.mp4` or `talk-clip-1m15s-9x16.mp4`. Different, and valid on every usual file system. */
export function outputNames(files: readonly NamedFile[], { source, label: common }: OutputNamesInput): string[] {
  const alike = new Map<string, { total: number; used: number }>()
  const named = files.map(({ fileName, label, shape }) => {
    const { name: stem, ext: extension } = path.parse(fileName)
    const ending = common ?? label ?? stem
    const suffix = `${shape === undefined ? '' : `-${shape}`}${extension}`
    const count = alike.get(`${ending}${suffix}`) ?? { total: 0, used: 0 }
    count.total += 1
    alike.set(`${ending}${suffix}`, count)
    return { ending, suffix, count }
  })
  return named.map(({ ending, suffix, count }) => {
    count.used += 1
    return joinName(source, `${ending}${count.total > 1 ? `-${count.used}` : ''}${suffix}`)
  })
}

/** The name of an export of media: `talk.csv`, or `talk-chapters.txt` if the extension does not say the format. */
export function exportName(source: string, format: string, extension: string): string {
  if (format !== extension) return joinName(source, `${format}.${extension}`)
  const stem = stemOf(source, maxOutputNameBytes - extension.length - 1)
  return `${stem || 'export'}.${extension}`
}

function joinName(source: string | null, ending: string): string {
  const stem = source === null ? '' : stemOf(source, maxOutputNameBytes - ending.length - 1)
  return stem ? `${stem}-${ending}` : ending
}

/** The name without its extension, and without what Windows refuses in a name. */
function stemOf(source: string, maxBytes: number): string {
  const { name } = path.parse(cleanFileName(source))
  const stem = normalForm(name, 'NFC').replaceAll(/[<>:"|?*]/g, '-')
  return shorten(stem.replace(/^[\s.-]+/, ''), maxBytes).replace(/[\s.-]+$/, '')
}

/** Splits text into characters as people see them; each can be several code points. */
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The start of the text, in whole characters, of at most `maxBytes` bytes of UTF-8. */
function shorten(text: string, maxBytes: number): string {
  let kept = ''
  let bytes = 0
  // A letter has a byte at least. The whole of a long text could take seconds to split.
  for (const { segment } of characters.segment(text.slice(0, maxBytes + 1))) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) break
    kept += segment
  }
  return kept
}

/** The shape and the height of a picture, as far as they were asked for, for a file's name: `9x16`, `720p` or `9x16-720p`. */
export function shapeLabel({ aspect, heightPixels = null }: ShapeLabelInput): string {
  const shape = aspect === 'source' ? [] : [aspect.replace(':', 'x')]
  return [...shape, ...(heightPixels === null ? [] : [`${heightPixels}p`])].join('-')
}

/** A position in media, for a file's name: `0m05s`, `1m15s`, `1h02m03s`, and with a fraction `0m12.5s`. */
export function positionLabel(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(milliseconds / hourMs)
  const minutes = Math.floor(milliseconds / 60_000) % 60
  const whole = Math.floor(milliseconds / 1000) % 60
  const fraction =
    milliseconds % 1000 === 0
      ? ''
      : `.${String(milliseconds % 1000)
          .padStart(3, '0')
          .replace(/0+$/, '')}`
  return `${hours > 0 ? `${hours}h${two(minutes)}` : minutes}m${two(whole)}${fraction}s`
}
