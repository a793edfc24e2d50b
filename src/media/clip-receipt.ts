import type { Segment } from '../core/segments.ts'
import type { CutPlan } from './cut-arguments.ts'
import type { PacketSpan } from './packet-spans.ts'
import type { SourceAudio, SourceVideo, Tracks } from './tracks.ts'

/** What became of the source in a clip. Times are on the source's clock, in seconds. */
export interface ClipReceipt {
  readonly requested: Segment
  /** With what only decoders use: encoder priming and padding. */
  readonly stored: Segment
  readonly presented: Segment
  readonly framesEncoded: number
  /** End of audio minus end of video; null where one is missing. */
  readonly audioVideoOffsetSeconds: number | null
  readonly hasVariableFrameRate: boolean
  readonly videoCodec: string | null
  readonly audioCodec: string | null
  readonly substitutions: readonly string[]
  readonly droppedStreams: readonly string[]
}

export interface FinishedClip {
  readonly tracks: Tracks
  readonly spans: ReadonlyMap<number, PacketSpan>
}

/** A raw AAC stream cannot say that its first block is the encoder's priming: players play it. */
const aacPrimingSamples = 1024

/** How long a player plays the clip, in seconds. */
export function clipSeconds({ tracks, spans }: FinishedClip): number {
  return extent(spans).end - playsFrom(tracks, spans)
}

export function clipReceipt(source: Tracks, plan: CutPlan, clip: FinishedClip): ClipReceipt {
  const { tracks, spans } = clip
  const all = [...spans.values()]
  const [audio] = tracks.audio
  const { video } = tracks
  const priming = tracks.input.format === 'aac' ? aacPrimingSamples / (audio?.sampleRate ?? 1) : 0
  const onSourceClock = (seconds: number) => seconds - playsFrom(tracks, spans) + plan.zeroSeconds - priming
  const endOf = (track: { readonly streamIndex: number } | null | undefined) =>
    track && spans.get(track.streamIndex)?.end
  const audioEnd = endOf(audio)
  const videoEnd = endOf(video)
  const presented = extent(spans)
  return {
    requested: plan.window,
    stored: {
      start: onSourceClock(Math.min(...all.map(({ storedStart }) => storedStart))),
      end: onSourceClock(Math.max(...all.map(({ storedEnd }) => storedEnd))),
    },
    presented: { start: onSourceClock(presented.start), end: onSourceClock(presented.end) },
    framesEncoded: (video && spans.get(video.streamIndex)?.packets) ?? 0,
    audioVideoOffsetSeconds: audioEnd === undefined || videoEnd == null ? null : audioEnd - videoEnd,
    hasVariableFrameRate: source.video?.hasVariableFrameRate ?? false,
    videoCodec: video?.codec ?? null,
    audioCodec: audio?.codec ?? null,
    substitutions: [
      ...(plan.video && video ? videoChanges(plan.video.track, video) : []),
      ...plan.audio.flatMap((track, place) => audioChanges(track, tracks.audio[place])),
    ],
    droppedStreams: droppedStreams(source, plan),
  }
}

function extent(spans: ReadonlyMap<number, PacketSpan>): Segment {
  const all = [...spans.values()]
  return { start: Math.min(...all.map(({ start }) => start)), end: Math.max(...all.map(({ end }) => end)) }
}

/** The clip's time that a player calls 0. An MP3 starts where its decoder has caught up. */
function playsFrom({ input }: Tracks, spans: ReadonlyMap<number, PacketSpan>): number {
  return input.format === 'mp3' ? extent(spans).start : 0
}

function videoChanges(source: SourceVideo, made: SourceVideo): string[] {
  return [
    ...changed('video codec', source.codec, made.codec),
    ...changed('video size', `${source.width}x${source.height}`, `${made.width}x${made.height}`),
    ...changed('pixel format', source.pixelFormat ?? 'unknown', made.pixelFormat ?? 'unknown'),
  ]
}

function audioChanges(source: SourceAudio, made: SourceAudio | undefined): string[] {
  if (!made) return []
  return [
    ...changed('audio codec', source.codec, made.codec),
    ...changed('sample rate', `${source.sampleRate} Hz`, `${made.sampleRate} Hz`),
    ...changed('audio channels', String(source.channels), String(made.channels)),
  ]
}

function changed(what: string, from: string, to: string): string[] {
  return from === to ? [] : [`${what} ${from} -> ${to}`]
}

function droppedStreams({ audio, video, others }: Tracks, plan: CutPlan): string[] {
  const droppedAudio = audio.flatMap((track, index) =>
    plan.audio.includes(track) ? [] : [`audio track ${index} (${track.codec})`],
  )
  return [...(video && !plan.video ? [`video (${video.codec})`] : []), ...droppedAudio, ...others]
}
