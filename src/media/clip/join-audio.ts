import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { runAllOrAbort } from '../../core/abortable.ts'
import type { Ffmpeg, FfmpegRun } from '../../core/ffmpeg.ts'
import { alignedTo, concatenate } from '../../core/many-numbers.ts'
import { unreadableStream } from '../inspect/mp4-boxes.ts'
import type { SourceAudio, Tracks } from '../inspect/tracks.ts'
import { defaultTotalMs } from '../source/transfer-limits.ts'
import { mixOf } from './channel-mix.ts'
import { type ClipMarks, noMarks } from './clip-marks.ts'
import { encodingDeadline, maxOutputBytes } from './encode-limits.ts'
import { audioOptions, decodingOptions, joinMeterOptions, rangesSeekSeconds } from './join-arguments.ts'
import type { JoinPlan } from './join-plan.ts'
import { jointMeter } from './joint-steps.ts'
import { levelTo, measureLoudness } from './loudness.ts'
import { encodeUnevenSound, type MadeSound, remarksOn, type UnevenSound, widestTrack } from './uneven-sound.ts'

interface JoinAudioInput {
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
 * Decodes one track, splices the samples of the ranges, sets their loudness and encodes them, as one stream.
 */
export async function joinAudio(input: JoinAudioInput): Promise<MadeSound> {
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
          outputOptions: joinMeterOptions(plan, track, [...mix.filters, ...level]),
          output,
        }),
      )
    const level = loudnessLufs === null ? [] : await levelTo(loudnessLufs, format, measure)
    const { decodeErrors, jointSteps } = await passJoined({ ...input, track }, window.start, sound, {
      outputOptions: [...audioOptions(plan, track, [...mix.filters, ...level]), ...marks.options],
      moreInputs: marks.inputs,
      output: input.outputPath,
      maxBytes: maxOutputBytes(lengthTicks * clock.secondsPerTick, { video: null, audio: [track] }, format),
      onProgress: input.onProgress,
    })
    return { decodeErrors, remarks: remarksOn(sound, mix.hasInverted), jointSteps }
  })
}

type Destination = Pick<FfmpegRun, 'outputOptions' | 'moreInputs' | 'output' | 'maxBytes' | 'onProgress'>

/** Passes the joined samples to an ffmpeg that encodes or measures them. */
async function passJoined(
  input: JoinAudioInput,
  seek: number,
  sound: UnevenSound,
  destination: Destination,
): Promise<Pick<MadeSound, 'decodeErrors' | 'jointSteps'>> {
  const { tracks, plan, track, ffmpeg } = input
  const { originSeconds } = tracks
  const firstSample = Math.round((seek + originSeconds) * track.sampleRate)
  const spans = audioSpans(plan, track.sampleRate, firstSample)
  const fadeSamples = Math.round(plan.fadeSeconds * track.sampleRate)
  const splicer = spliceAudio(spans, track.channels, fadeSamples)
  const lengths = spans.map((span) => span.length)
  const meter = jointMeter({ ...track, lengths, fadeLength: fadeSamples })
  const { start = 0, length = 0 } = spans.at(-1) ?? {}
  const endSample = firstSample + start + length
  const deadlineSeconds = encodingDeadline(endSample / track.sampleRate, null)
  // The decoder passes the waits for its source on to the encoder. A source that makes them longer than this fails.
  const waitSeconds = tracks.input.served ? defaultTotalMs / 1000 : 0

  const joined = new PassThrough({ highWaterMark: 2 ** 20 })
  const decode = async (signal: AbortSignal) => {
    const write = async (samples: Float32Array) => {
      meter.push(samples)
      if (!joined.write(bytesOfSamples(samples))) await once(joined, 'drain', { signal })
    }
    const reader = wavReader(track.channels, (header) => joined.write(header))
    const { decodeErrors } = await ffmpeg.run({
      ...{ input: tracks.input, signal, deadlineSeconds },
      ...decodingOptions(track, { seek, firstSample, endSample }, sound),
      output: async (chunk) => {
        for (const samples of splicer.push(reader(chunk))) await write(samples)
      },
    })
    for (const samples of splicer.end()) await write(samples)
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
  return { decodeErrors, jointSteps: meter.steps() }
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

/** Consecutive samples of the source, counted per channel from the first sample that is pushed. */
export interface AudioSpan {
  readonly start: number
  readonly length: number
}

interface AudioSplicer {
  /** Takes the next interleaved samples and returns the output they complete. Results may be views of `samples`. */
  push(samples: Float32Array): Float32Array[]
  /** Returns the rest of the output: silence if the source ended early. */
  end(): Float32Array[]
}

interface Step {
  readonly kind: 'copy' | 'tail' | 'head'
  readonly from: number
  readonly to: number
}

const silentSamples = 65_536
/** A second of 64 channels at 48 kHz. They are held in memory, and mixed in one go, in half a second. */
const maxCrossfadeSamples = 2 ** 22

/**
 * Joins ascending, separate spans without clicks. The output has exactly as many samples as all spans together. Each joint is a
 * crossfade, which uses at most half of the material between its two spans.
 */
export function spliceAudio(spans: readonly AudioSpan[], channels: number, crossfadeLength: number): AudioSplicer {
  const steps = stepsOf(spans, Math.min(crossfadeLength, Math.floor(maxCrossfadeSamples / channels)))
  let at = 0
  let current = 0
  let tail = new Float32Array(0)
  let collected: Float32Array[] = []

  const finish = ({ kind }: Step): Float32Array[] => {
    const samples = concatenate(collected)
    collected = []
    if (kind === 'head') return [crossfade(tail, samples, channels)]
    tail = samples
    return []
  }
  const push = (samples: Float32Array): Float32Array[] => {
    const made: Float32Array[] = []
    const end = at + samples.length / channels
    for (let step = steps[current]; step && step.from < end; step = steps[current]) {
      const from = Math.max(step.from, at)
      const to = Math.min(step.to, end)
      const part = samples.subarray((from - at) * channels, (to - at) * channels)
      if (step.kind === 'copy') made.push(part)
      // A copy, since it is used after this call.
      else collected.push(part.slice())
      if (to < step.to) break
      if (step.kind !== 'copy') made.push(...finish(step))
      current++
    }
    at = end
    return made
  }
  return {
    push,
    end: () => {
      const made: Float32Array[] = []
      const last = steps.at(-1)?.to ?? 0
      while (at < last) made.push(...push(new Float32Array(Math.min(silentSamples, last - at) * channels)))
      return made
    },
  }
}

function stepsOf(spans: readonly AudioSpan[], crossfadeLength: number): Step[] {
  const reaches = spans.slice(1).map((span, index) => {
    const { start, length } = spans[index] ?? span
    const left = Math.min(span.start - start - length, length, span.length)
    return Math.max(0, Math.floor(Math.min(crossfadeLength, left) / 2))
  })
  return spans.flatMap(({ start, length }, index): Step[] => {
    const [before, after] = [reaches[index - 1] ?? 0, reaches[index] ?? 0]
    const end = start + length
    const steps: Step[] = [
      { kind: 'head', from: start - before, to: start + before },
      { kind: 'copy', from: start + before, to: end - after },
      { kind: 'tail', from: end - after, to: end + after },
    ]
    return steps.filter(({ from, to }) => to > from)
  })
}

/**
 * Keeps the power constant. The gains for unrelated sounds would make a continuous tone louder, so the gains are scaled by the
 * correlation of the two sounds.
 */
function crossfade(outgoing: Float32Array, incoming: Float32Array, channels: number): Float32Array {
  const similarity = Math.max(0, correlation(outgoing, incoming))
  const frames = incoming.length / channels
  return incoming.map((sample, index) => {
    const angle = ((Math.floor(index / channels) + 0.5) / frames) * (Math.PI / 2)
    const [out, into] = [Math.cos(angle), Math.sin(angle)]
    return ((outgoing[index] ?? 0) * out + sample * into) / Math.sqrt(1 + 2 * similarity * out * into)
  })
}

function correlation(a: Float32Array, b: Float32Array): number {
  let [both, ofA, ofB] = [0, 0, 0]
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0
    both += value * other
    ofA += value * value
    ofB += other * other
  }
  return both / (Math.sqrt(ofA * ofB) || 1)
}

const bytesPerSample = 4
/** RIFF, a length, WAVE. */
const riffBytes = 12

/** Without tags, ffmpeg writes a header of about 100 bytes. A longer one is refused before it is kept. */
const maxHeaderBytes = 4 * 1024

/**
 * Parses a stream of 32-bit float WAV in chunks of any length. Passes the header, with sample rate and channel layout, to
 * `onHeader`, and returns the samples of whole frames. Throws `processing_failed` if the stream has no such header.
 */
export function wavReader(channels: number, onHeader: (header: Buffer) => void): (chunk: Buffer) => Float32Array {
  const frameBytes = channels * bytesPerSample
  let hasHeader = false
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (!hasHeader) {
      const length = headerLength(bytes.subarray(0, maxHeaderBytes))
      if (length === undefined) {
        if (bytes.length >= maxHeaderBytes) throw unreadableStream('no header of WAV')
        rest = bytes
        return new Float32Array(0)
      }
      hasHeader = true
      onHeader(bytes.subarray(0, length))
      bytes = bytes.subarray(length)
    }
    const whole = bytes.length - (bytes.length % frameBytes)
    rest = bytes.subarray(whole)
    return floatsOf(bytes.subarray(0, whole))
  }
}

/** Bytes before the data (RIFF, chunk by chunk); undefined while more are needed. */
function headerLength(bytes: Buffer): number | undefined {
  let at = riffBytes
  if (bytes.length >= at && !/^RIFF....WAVE/s.test(bytes.toString('latin1', 0, at))) throw unreadableStream('no WAV')
  while (at + 8 <= bytes.length) {
    if (bytes.toString('latin1', at, at + 4) === 'data') return at + 8
    at += 8 + bytes.readUInt32LE(at + 4)
  }
  return undefined
}

function floatsOf(bytes: Buffer): Float32Array {
  const { buffer, byteOffset } = alignedTo(bytes, bytesPerSample)
  return new Float32Array(buffer, byteOffset, bytes.length / bytesPerSample)
}
