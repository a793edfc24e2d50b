import { z } from 'zod'
import type { ClipFormat } from '../../core/media.ts'
import type { SourceAudio } from '../inspect/tracks.ts'
import type { KeptPicture } from './picture-filters.ts'

export type Quality = 'high' | 'balanced' | 'fast'

export type VideoCodec = 'h264' | 'hevc' | 'vp9'

interface Container {
  /** Of 8 bits. */
  readonly video: Exclude<VideoCodec, 'hevc'> | null
  readonly audio: 'aac' | 'opus' | 'mp3' | 'flac' | 'pcm_le' | 'pcm_be'
  /** False for raw streams, and for the containers of one audio track. */
  readonly manyAudioTracks: boolean
  readonly muxer: readonly string[]
  /** The largest file that the format's header can describe. Undefined if no clip can reach it. */
  readonly maxBytes?: number
}

/**
 * The muxer named ipod writes the brands of M4A and M4V. Without `-write_tmcd 0`, ffmpeg adds a time code track, which is read
 * back as a data stream.
 */
const isoMuxer = (muxer: string) => ['-movflags', '+faststart', '-write_tmcd', '0', '-f', muxer]

export const containers: Readonly<Record<ClipFormat, Container>> = {
  mp4: { video: 'h264', audio: 'aac', manyAudioTracks: true, muxer: isoMuxer('mp4') },
  mov: { video: 'h264', audio: 'aac', manyAudioTracks: true, muxer: isoMuxer('mov') },
  m4v: { video: 'h264', audio: 'aac', manyAudioTracks: true, muxer: isoMuxer('ipod') },
  webm: { video: 'vp9', audio: 'opus', manyAudioTracks: true, muxer: ['-f', 'webm'] },
  m4a: { video: null, audio: 'aac', manyAudioTracks: true, muxer: isoMuxer('ipod') },
  aac: { video: null, audio: 'aac', manyAudioTracks: false, muxer: ['-f', 'adts'] },
  mp3: { video: null, audio: 'mp3', manyAudioTracks: false, muxer: ['-f', 'mp3'] },
  // Past 4 GiB a plain WAV header wraps around.
  wav: { video: null, audio: 'pcm_le', manyAudioTracks: false, muxer: ['-rf64', 'auto', '-f', 'wav'] },
  aiff: {
    ...{ video: null, audio: 'pcm_be', manyAudioTracks: false, muxer: ['-f', 'aiff'] },
    maxBytes: 4 * 1024 ** 3 - 2 ** 20,
  },
  flac: { video: null, audio: 'flac', manyAudioTracks: false, muxer: ['-f', 'flac'] },
  ogg: { video: null, audio: 'opus', manyAudioTracks: false, muxer: ['-f', 'ogg'] },
  opus: { video: null, audio: 'opus', manyAudioTracks: false, muxer: ['-f', 'opus'] },
}

/** Threads and lookahead are pinned: x264 takes half a gigabyte more at 1080p if it chooses them. */
const threads = ['-threads', '2']

const x264: Readonly<Record<Quality, readonly string[]>> = {
  high: ['-preset', 'medium', '-crf', '17', '-rc-lookahead', '20'],
  balanced: ['-preset', 'veryfast', '-crf', '20', '-rc-lookahead', '10'],
  fast: ['-preset', 'superfast', '-crf', '23'],
}

/** The realtime mode is five times as fast as the others, at nearly the same quality for the size. */
const vp9: Readonly<Record<Quality, readonly string[]>> = {
  high: ['-cpu-used', '5', '-crf', '24'],
  balanced: ['-cpu-used', '7', '-crf', '30'],
  fast: ['-cpu-used', '8', '-crf', '36'],
}

/** Presets that take half as long again as those of x264, for pictures that are as good at the size. */
const x265: Readonly<Record<Quality, readonly string[]>> = {
  high: ['-preset', 'superfast', '-crf', '16'],
  balanced: ['-preset', 'ultrafast', '-crf', '20'],
  fast: ['-preset', 'ultrafast', '-crf', '23'],
}

/** Apple's players take H.265 by this name only, which says that no parameter sets are among the frames. */
export const hevcTag: readonly string[] = ['-tag:v', 'hvc1']

/** Threads and lookahead are pinned as those of x264. Keyframes are IDR pictures, and the encoder does not write about itself. */
const x265Settings = [
  ...['-c:v', 'libx265', '-forced-idr', '1', '-x265-params'],
  'log-level=none:info=0:open-gop=0:pools=2:frame-threads=1:rc-lookahead=5',
  ...hevcTag,
]

export function videoEncoder(
  codec: VideoCodec,
  quality: Quality,
  hasVariableFrameRate: boolean,
  kept: KeptPicture,
): string[] {
  if (codec === 'vp9') {
    const realtime = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-row-mt', '1', '-b:v', '0']
    // libvpx cannot show a transparent frame that it stored before.
    return [...realtime, ...vp9[quality], ...(kept.alpha ? ['-auto-alt-ref', '0'] : []), ...threads]
  }
  // Reordered frames carry each other's durations, and players sum them: wrong if rates vary.
  const reordering = hasVariableFrameRate ? ['-bf', '0'] : []
  if (codec === 'hevc') return [...x265Settings, ...x265[quality], ...reordering]
  const order = kept.fields === 'upper' ? 'tff=1' : 'bff=1'
  const fields = kept.fields ? ['-flags', '+ilme+ildct', '-x264-params', order] : []
  return ['-c:v', 'libx264', ...x264[quality], ...fields, ...reordering, ...threads]
}

/** CRFs at which an encoded stretch comes as near to the source as a whole clip does, at about the same size. */
const stretchCrf: Readonly<Record<'h264' | 'hevc', Readonly<Record<Quality, string>>>> = {
  h264: { high: '18', balanced: '23', fast: '25' },
  hevc: { high: '17', balanced: '21', fast: '23' },
}

/**
 * Encodes a stretch of a smart cut, beside copied packets. Without B-frames, and the lookahead that places them, x264 takes half of its
 * time for whole clips.
 */
export function stretchEncoder(codec: 'h264' | 'hevc', quality: Quality): string[] {
  const encoder = codec === 'h264' ? ['-c:v', 'libx264', ...threads] : x265Settings
  return [...encoder, '-preset', 'superfast', '-crf', stretchCrf[codec][quality], '-bf', '0']
}

const kilobitsPerChannel: Readonly<Record<Quality, number>> = { high: 112, balanced: 80, fast: 64 }
/** ffmpeg's default, `twoloop`, distorts single frames of 1,024 samples, and raises their peaks by some decibels. */
const aacCoder = 'fast'
const mp3Quality: Readonly<Record<Quality, string>> = { high: '0', balanced: '2', fast: '4' }

/** Options for the audio track at this index of the output. */
export function audioEncoder(
  codec: Container['audio'],
  source: SourceAudio,
  outputIndex: number,
  quality: Quality,
): string[] {
  const encoder = (name: string) => [`-c:a:${outputIndex}`, name]
  if (codec === 'pcm_le' || codec === 'pcm_be') return encoder(`pcm_${pcmSample(source)}${codec.slice(-2)}`)
  if (codec === 'flac') {
    const depth = [`-sample_fmt:a:${outputIndex}`, isDeep(source) ? 's32' : 's16']
    // Otherwise blocks are as long as the first one, which ffmpeg refuses below 16 samples: so short can what is left of a packet be.
    return [...encoder('flac'), ...depth, `-frame_size:a:${outputIndex}`, '4096']
  }
  if (codec === 'mp3') return [...encoder('libmp3lame'), `-q:a:${outputIndex}`, mp3Quality[quality]]
  // AAC allows 6,144 bits per channel and frame of 1,024 samples.
  const maxKilobits = (source.sampleRate * 6) / 1000
  const kilobits = Math.round(Math.min(kilobitsPerChannel[quality], maxKilobits) * Math.min(source.channels, 8))
  const bitRate = [`-b:a:${outputIndex}`, `${kilobits}k`]
  if (codec === 'opus') return [...encoder('libopus'), ...bitRate]
  return [...encoder('aac'), `-aac_coder:a:${outputIndex}`, aacCoder, ...bitRate]
}

/** For channels of no known layout: every player plays these, and none leaves one out as bass, which ffmpeg's own guess can be. */
const unknownLayouts: Readonly<Record<number, string>> = { 3: '3.0', 4: 'quad' }
/** Opus has one layout for each number of channels (RFC 7845, 5.1.1.2). */
const opusLayouts: Readonly<Record<number, string>> = { 3: '3.0', 4: 'quad', 5: '5.0', 7: '6.1' }

/** The channels as they are, under other names. `pan` converts layouts with names. */
function relabelledAs(layout: string, channels: number): string {
  const same = Array.from({ length: channels }, (_, at) => `|c${at}=c${at}`)
  return `aformat=channel_layouts=${channels}C,pan=${layout}${same.join('')}`
}

/** The filter that puts channels into an order that the encoder supports; undefined if none is needed, or if they are mixed. */
export function channelFilter(codec: Container['audio'], { channels, layout }: SourceAudio): string | undefined {
  if (codec === 'mp3' || codec.startsWith('pcm')) return undefined
  const relabelled = layout === undefined ? unknownLayouts[channels] : undefined
  if (relabelled) return relabelledAs(relabelled, channels)
  // Side speakers are written as back speakers, which players treat alike.
  if (channels === 6) return 'aformat=channel_layouts=5.1'
  const single = codec === 'opus' ? opusLayouts[channels] : undefined
  if (channels === 3 && layout === '2.1' && single) return relabelledAs(single, channels)
  if (single) return `aformat=channel_layouts=${single}`
  return channels === 8 ? 'aformat=channel_layouts=7.1' : undefined
}

/** The sample format of a PCM clip: the source's if PCM has it, otherwise 16 or 24 bits. */
function pcmSample(source: SourceAudio): string {
  const [, sample] = /^pcm_(s16|s24|s32|f32)[lb]e$/.exec(source.codec) ?? []
  return sample ?? (isDeep(source) ? 's24' : 's16')
}

/** Whether lossless samples need more than 16 bits. Lossy codecs decode to floating point whatever they were made from. */
function isDeep({ codec, sampleFormat = '' }: SourceAudio): boolean {
  return /^s32p?$/.test(sampleFormat) || /^pcm_f(32|64)/.test(codec)
}

// What the frames of the source decide of a long clip, as it is stored for the job's other activities.

const segment = z.object({ start: z.number(), end: z.number() })

const placedRange = z.object({
  requested: segment,
  startTick: z.number(),
  endTick: z.number(),
  atTick: z.number(),
  firstFrameTick: z.number().optional(),
  frames: z.number(),
})

const pieces = z.array(z.object({ ranges: z.array(placedRange), lastSeconds: z.number(), endSeconds: z.number() }))

export const joinLayoutSchema = z.object({ ranges: z.array(placedRange), leftOut: z.array(segment), pieces })

export const cutLayoutSchema = z.object({
  /** Null if the window shows none. */
  frames: z
    .object({ firstSeconds: z.number(), lastSeconds: z.number(), endSeconds: z.number(), frames: z.number() })
    .nullable(),
  pieces,
  /** What is decoded before the window, if it is not divided. */
  leadSeconds: z.number(),
})
