import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { runAllOrAbort } from '../../core/abortable.ts'
import type { Ffmpeg, FfmpegRun } from '../../core/ffmpeg.ts'
import type { SourceAudio, Tracks } from '../inspect/tracks.ts'
import { defaultTotalMs } from '../source/transfer-limits.ts'
import { type AudioSpan, spliceAudio } from './audio-splicer.ts'
import { type ClipMarks, noMarks } from './clip-marks.ts'
import { encodingDeadline, maxOutputBytes } from './encode-limits.ts'
import { audioOptions, decodingOptions, joinMeterOptions, rangesSeekSeconds } from './join-arguments.ts'
import type { JoinPlan } from './join-plan.ts'
import { levelTo, measureLoudness } from './loudness.ts'
import { mixOf } from './mix-of-track.ts'
import { encodeUnevenSound, type UnevenSound, widestTrack } from './uneven-sound.ts'
import { wavReader } from './wav-reader.ts'

export interface JoinAudioInput {
  readonly tracks: Tracks
  readonly plan: JoinPlan
  readonly track: SourceAudio
  readonly outputPath: string
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  readonly onProgress: (seconds: number) => void
  /** Of the clip, if this is its only track. */
  readonly marks?: ClipMarks
}

/**
 * Decodes one track, splices the samples of the ranges, sets their loudness and encodes them, as one stream. Returns the number of
 * decoding errors.
 */
export async function joinAudio(input: JoinAudioInput): Promise<number> {
  const { tracks, plan, ffmpeg, signal, marks = noMarks } = input
  const { clock, ranges } = plan
  const end = (ranges.at(-1)?.endTick ?? 0) * clock.secondsPerTick - clock.originSeconds
  const window = { start: rangesSeekSeconds(clock, ranges), end }
  const { format, loudnessLufs, lengthTicks } = plan
  return encodeUnevenSound({ tracks, audio: [input.track], window, ffmpeg, signal }, async (sound) => {
    const track = widestTrack(input.track, sound)
    const mix = await mixOf(input, { format, track, window }, sound)
    const measure = (level: readonly string[]) =>
      measureLoudness(({ output }) =>
        passJoined({ ...input, track }, window.start, sound, {
          outputOptions: joinMeterOptions(plan, track, [...mix, ...level]),
          output,
        }),
      )
    const level = loudnessLufs === null ? [] : await levelTo(loudnessLufs, format, measure)
    return passJoined({ ...input, track }, window.start, sound, {
      outputOptions: [...audioOptions(plan, track, [...mix, ...level]), ...marks.options],
      moreInputs: marks.inputs,
      output: input.outputPath,
      maxBytes: maxOutputBytes(lengthTicks * clock.secondsPerTick, { video: null, audio: [track] }, format),
      onProgress: input.onProgress,
    })
  })
}

type Destination = Pick<FfmpegRun, 'outputOptions' | 'moreInputs' | 'output' | 'maxBytes' | 'onProgress'>

/** Passes the joined samples to an ffmpeg that encodes or measures them. */
async function passJoined(
  input: JoinAudioInput,
  seek: number,
  sound: UnevenSound,
  destination: Destination,
): Promise<number> {
  const { tracks, plan, track, ffmpeg } = input
  const { originSeconds } = tracks
  const firstSample = Math.round((seek + originSeconds) * track.sampleRate)
  const spans = audioSpans(plan, track.sampleRate, firstSample)
  const fadeSamples = Math.round(plan.fadeSeconds * track.sampleRate)
  const splicer = spliceAudio(spans, track.channels, fadeSamples)
  const { start = 0, length = 0 } = spans.at(-1) ?? {}
  const endSample = firstSample + start + length
  const deadlineSeconds = encodingDeadline(endSample / track.sampleRate, null)
  // The decoder passes the waits for its source on to the encoder. A source that makes them longer than this fails.
  const waitSeconds = tracks.input.served ? defaultTotalMs / 1000 : 0

  const joined = new PassThrough({ highWaterMark: 2 ** 20 })
  const decode = async (signal: AbortSignal) => {
    const write = async (bytes: Uint8Array) => {
      if (!joined.write(bytes)) await once(joined, 'drain', { signal })
    }
    const reader = wavReader(track.channels, (header) => joined.write(header))
    const { decodeErrors } = await ffmpeg.run({
      ...{ input: tracks.input, signal, deadlineSeconds },
      ...decodingOptions(track, { seek, firstSample, endSample }, sound),
      output: async (chunk) => {
        for (const samples of splicer.push(reader(chunk))) await write(bytesOfSamples(samples))
      },
    })
    for (const samples of splicer.end()) await write(bytesOfSamples(samples))
    joined.end()
    return decodeErrors
  }
  const encode = async (signal: AbortSignal) => {
    // The decoder may wait long for memory, or for its source: the encoder's deadline would pass meanwhile.
    await once(joined, 'readable', { signal })
    const deadline = { deadlineSeconds: deadlineSeconds + waitSeconds }
    await ffmpeg.run({ input: { stream: joined, format: 'wav' }, signal, ...deadline, ...destination })
    return 0
  }
  const [decodeErrors = 0] = await runAllOrAbort(input.signal, [decode, encode]).finally(() => joined.destroy())
  return decodeErrors
}

/** Merges adjacent ranges into spans of samples. Lengths are computed on the output's clock, so that rounding errors do not add up. */
function audioSpans({ ranges, clock }: JoinPlan, sampleRate: number, firstSample: number): AudioSpan[] {
  const toSample = (tick: number) => Math.round(tick * clock.secondsPerTick * sampleRate)
  const spans: { start: number; length: number; endTick: number; atTick: number }[] = []
  for (const { startTick, endTick, atTick } of ranges) {
    const last = spans.at(-1)
    // Adjacent ranges form one span: no crossfade, and no one-sample gap from rounding.
    const span =
      last?.endTick === startTick ? last : { start: toSample(startTick) - firstSample, length: 0, endTick, atTick }
    if (span !== last) spans.push(span)
    span.endTick = endTick
    span.length = toSample(atTick + endTick - startTick) - toSample(span.atTick)
  }
  return spans.map(({ start, length }) => ({ start, length }))
}

function bytesOfSamples({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
