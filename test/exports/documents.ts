import { type EditRateName, editRates } from '../../src/core/edit-rate.ts'
import type { AudioTrackChoice, MediaInfo, VideoTrack } from '../../src/core/media.ts'
import {
  describeExport,
  type ExportDocument,
  type ExportEntry,
  type ExportPurpose,
} from '../../src/exports/export-document.ts'
import { type ExportFormatName, exportFormats } from '../../src/exports/export-formats.ts'

const entries = [
  { start: 1.001, end: 3.5, label: 'one & <two>' },
  { start: 12, end: 61.25, label: '=sum()' },
  { start: 75.5, end: 119.9, label: 'été "x"' },
]

const sound = { codec: 'aac', sampleRate: 48_000, channels: 2, isDefault: true }
const picture = { codec: 'h264', width: 1280, height: 720, hasVariableFrameRate: false }
const common = { durationSeconds: 120, bytes: 1, audio: [sound] }

interface FilmOptions {
  readonly entries?: readonly ExportEntry[]
  readonly what?: ExportPurpose
  readonly rate?: EditRateName
  readonly mediaPath?: string
  readonly reel?: string
  readonly recordStart?: string
  readonly searched?: AudioTrackChoice
  readonly durationSeconds?: number
  readonly audio?: MediaInfo['audio']
  readonly video?: Partial<VideoTrack>
}

export function exportOf(frameRate: number, timecode?: string, options: FilmOptions = {}) {
  const { entries: asked = entries, what, rate, searched, video, mediaPath, reel, recordStart, ...of } = options
  const media = { ...common, ...of, format: 'mp4' as const, timecode, video: { ...picture, frameRate, ...video } }
  return describeExport({
    ...{ mediaPath, reel, recordStart },
    mediaName: "it's a talk.mp4",
    entries: asked,
    what,
    media,
    rate: rate && editRates[rate],
    searched,
  })
}

/** Two minutes at 25 frames a second that begin at hour one. */
export const filmExport = exportOf(25, '01:00:00:00')

export const soundMedia = { ...common, format: 'wav' as const, video: null }

export const soundExport = describeExport({
  mediaName: 'talk.wav',
  entries,
  media: soundMedia,
  rate: undefined,
})

/** The file of an export. */
export function written(format: ExportFormatName, document: ExportDocument): string {
  return [...exportFormats[format].write(document)].join('')
}

const block = /^( *)(\S.*)\n((?:\1 {2}\S.*\n)+)\1((?:<\/|[}\]]).*)$/gm

/** A file whose short elements and objects stand on one line each; those that are not indented by two spaces stay as they are. */
export function folded(text: string): string {
  const shorter = text.replaceAll(block, (whole, indent: string, first: string, inside: string, last: string) => {
    const line = [first, ...inside.trim().split(/\n */), last].join(' ')
    return line.length <= 150 ? indent + line : whole
  })
  return shorter === text ? text : folded(shorter)
}
