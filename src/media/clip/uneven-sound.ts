import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import type { ClipFormat } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import { type PacketQuery, readPackets } from '../inspect/packets.ts'
import {
  formatFilters,
  isChangedSound,
  readFormatAt,
  readSoundFormats,
  refuseChangedSound,
  type SoundFormat,
  type SourceAudio,
  type Tracks,
  widestOf,
} from '../inspect/tracks.ts'
import { type Piece, pieceName } from '../obtain-piece.ts'

/** By stream index: where sound resumes after each long gap, in seconds on the container's clock. If the window ends in a gap, the last entry is the end of the window. */
export type Resumes = ReadonlyMap<number, readonly number[]>

/** ffmpeg fills shorter gaps in a few megabytes. */
const minGapSeconds = 10
/** The first samples of a decoder can be earlier than their packet. */
const leadSeconds = 1
/** Each adds a branch to the filters, which every sample passes. */
const maxGaps = 50

export interface UnevenInput extends Pick<PacketQuery, 'ffmpeg' | 'signal'> {
  readonly tracks: Tracks
  readonly audio: readonly SourceAudio[]
  /** What is decoded, on the media's clock. */
  readonly window: Segment
}

/** ffmpeg's options for tracks that pass through filters of their own. */
export interface SoundOptions {
  readonly inputOptions: readonly string[]
  /** Before those of the output. */
  readonly before: readonly string[]
  readonly maps: readonly string[]
  /** For the output's audio track of this index. */
  filters(outputIndex: number): readonly string[]
}

/**
 * Without changes, ffmpeg fails where the sound changes. With them, a first set of filters brings each changing track to one format; it is built
 * again at each change. What they give is decoded once more inside ffmpeg, for filters that last to the end.
 */
export function soundOptions(
  tracks: readonly { readonly track: SourceAudio; readonly filter: string }[],
  sound: UnevenSound,
): SoundOptions {
  const isChanging = ({ streamIndex }: SourceAudio) => sound.isChanging && sound.formats.has(streamIndex)
  const changed = tracks.filter(({ track }) => isChanging(track))
  const labelOf = (streamIndex: number) => `sound${streamIndex}`
  const before =
    changed.length === 0
      ? []
      : [
          ...changed.flatMap(({ track }, index) => [
            ...['-map', `0:${track.streamIndex}`],
            ...[`-filter:a:${index}`, formatFilters(widestTrack(track, sound)).join(',')],
          ]),
          ...['-c:a', 'pcm_f32le', '-f', 'null', '-'],
          ...changed.flatMap((_, index) => ['-dec', `0:${index}`]),
          ...changed.flatMap(({ track, filter }, index) => [
            '-filter_complex',
            `[dec:${index}]${filter}[${labelOf(track.streamIndex)}]`,
          ]),
          ...['-map_chapters', '-1'],
        ]
  return {
    inputOptions: changed.length === 0 ? refuseChangedSound : [],
    before,
    maps: tracks.flatMap(({ track }) => [
      '-map',
      isChanging(track) ? `[${labelOf(track.streamIndex)}]` : `0:${track.streamIndex}`,
    ]),
    filters: (outputIndex) => {
      const { track, filter } = tracks[outputIndex] ?? {}
      return track && filter && !isChanging(track) ? [`-filter:a:${outputIndex}`, filter] : []
    },
  }
}

/** What makes it harder to cut the sound of a window. */
export interface UnevenSound {
  readonly resumes: Resumes
  /** The widest formats of tracks that have other ones than at their start, by stream index. */
  readonly formats: ReadonlyMap<number, SoundFormat>
  /** The tracks of these formats change inside of the window. */
  readonly isChanging: boolean
}

/** What a receipt says of the sound: it changed its format, or channels were turned over to be mixed. */
const soundRemarks = ['changing', 'inverted'] as const
export type SoundRemark = (typeof soundRemarks)[number]

export interface MadeSound {
  /** While the source was decoded. */
  readonly decodeErrors: number
  readonly remarks: readonly SoundRemark[]
  /** How much louder joined sound is after each joint than before, in dB. Omitted if it was not joined. */
  readonly jointSteps?: readonly number[] | undefined
  /** Of the picture: made for this job, and taken from an earlier one. Omitted if nothing is stored in pieces. */
  readonly pieces?: { readonly rendered: number; readonly reused: number } | undefined
}

export function remarksOn({ isChanging }: UnevenSound, hasInverted: boolean): SoundRemark[] {
  return [...(isChanging ? (['changing'] as const) : []), ...(hasInverted ? (['inverted'] as const) : [])]
}

/** An audio track as a file of its own, with what is said of it beside. */
export function audioPiece(
  format: ClipFormat,
  decidedBy: readonly unknown[],
  make: (...piece: Parameters<Piece['make']>) => Promise<MadeSound>,
): Piece {
  const notesName = pieceName('sound', decidedBy, 'json')
  return {
    fileName: pieceName('audio', decidedBy, format),
    notesName,
    seconds: 0,
    make: async (output, ...piece) => {
      const { decodeErrors, ...notes } = await make(output, ...piece)
      await writeFile(path.join(path.dirname(output), notesName), JSON.stringify(notes))
      return decodeErrors
    },
  }
}

const soundNotes = z.object({ remarks: z.array(z.enum(soundRemarks)), jointSteps: z.array(z.number()).optional() })

/** What is said of all tracks that were obtained in the folder: of each joint, the largest step. */
export async function notesOfPieces(
  audio: readonly Pick<Piece, 'notesName'>[],
  folder: string,
): Promise<Omit<MadeSound, 'decodeErrors'>> {
  const read = audio.map(async ({ notesName = '' }) =>
    soundNotes.parse(JSON.parse(await readFile(path.join(folder, notesName), 'utf8'))),
  )
  const notes = await Promise.all(read)
  const [first, ...others] = notes.map(({ jointSteps }) => jointSteps)
  const larger = (step: number, index: number) =>
    others.reduce(
      (most, steps) => (Math.abs(steps?.[index] ?? 0) > Math.abs(most) ? (steps?.[index] ?? 0) : most),
      step,
    )
  return { remarks: [...new Set(notes.flatMap(({ remarks }) => remarks))], jointSteps: first?.map(larger) }
}

export const evenSound: UnevenSound = { resumes: new Map(), formats: new Map(), isChanging: false }

/** The track as its clip has it. */
export function widestTrack(track: SourceAudio, { formats }: UnevenSound): SourceAudio {
  return { ...track, ...formats.get(track.streamIndex) }
}

/**
 * Runs an encode, and if it fails over long gaps in its sound or over its format, which changes, once more with what is known of both.
 * ffmpeg takes memory for all the silence that fills a gap; filters that know the gap make the silence as it is encoded.
 */
export async function encodeUnevenSound<Result>(
  input: UnevenInput,
  encode: (sound: UnevenSound) => Promise<Result>,
): Promise<Result> {
  const { window, tracks } = input
  const interval = { start: window.start + tracks.originSeconds, end: window.end + tracks.originSeconds }
  const begun = { ...evenSound, formats: await formatsOf(input, interval, readFormatAt) }
  try {
    return await encode(begun)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'processing_failed')) throw error
    const resumes = await findResumes(input, interval)
    const isChanging = isChangedSound(error)
    if (resumes.size === 0 && !isChanging) throw error
    // Which of the tracks changes is not known, and the rate alone can.
    const formats = isChanging
      ? await formatsOf(input, interval, async (_, query) => widestOf(await readSoundFormats(query)))
      : begun.formats
    return encode({ resumes, formats, isChanging })
  }
}

async function formatsOf({ tracks, audio, ffmpeg, signal }: UnevenInput, interval: Segment, read: typeof readFormatAt) {
  const formats = new Map<number, SoundFormat>()
  for (const track of audio) {
    const { streamIndex } = track
    const found = await read(track, { input: tracks.input, ffmpeg, signal, stream: String(streamIndex), interval })
    if (found) formats.set(streamIndex, found)
  }
  return formats
}

async function findResumes({ tracks, audio, ffmpeg, signal }: UnevenInput, interval: Segment): Promise<Resumes> {
  const read = audio.map((track) => ({ track, end: Number.NEGATIVE_INFINITY, gaps: [] as Gap[] }))
  await readPackets({ input: tracks.input, ffmpeg, signal, interval }, ({ streamIndex, pts, duration }) => {
    const found = read.find(({ track }) => track.streamIndex === streamIndex)
    if (!found) return
    const seconds = pts - found.end
    if (pts > interval.start && seconds > minGapSeconds) {
      const silentSeconds = pts - Math.max(found.end, interval.start)
      found.gaps.push({ seconds, resumesAt: pts - Math.min(leadSeconds, silentSeconds / 2) })
    }
    found.end = Math.max(found.end, pts + duration)
  })
  return new Map(
    read.flatMap(({ track, end, gaps }) => {
      const longest = gaps.toSorted((a, b) => b.seconds - a.seconds).slice(0, maxGaps)
      const resumes = longest.map(({ resumesAt }) => resumesAt).toSorted((a, b) => a - b)
      const endsInGap = end < Math.min(interval.end, track.endSeconds + tracks.originSeconds)
      if (endsInGap) resumes.push(interval.end)
      return resumes.length > 0 ? [[track.streamIndex, resumes] as const] : []
    }),
  )
}

interface Gap {
  readonly seconds: number
  readonly resumesAt: number
}
