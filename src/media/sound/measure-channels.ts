import type { Segment } from '../../core/segments.ts'
import { type DecodeInput, decodeAudio } from './decode-audio.ts'

/** What decides how the channels of a track are mixed. */
export interface ChannelMeasures {
  /** Of each channel with each: positive where they sound alike, negative where one is inverted. */
  readonly covariance: readonly (readonly number[])[]
  /** Whether a channel has more than bass. */
  readonly hasVoice: readonly boolean[]
}

/** Enough for speech. */
const sampleRate = 16_000
/**
 * The energy of the differences between neighbouring samples, as a share of that of the samples: 4·sin²(πf/16000) for a tone. Bass channels
 * end at 120 Hz, which has 0.0022, and speech begins to be understood above 200 Hz, which has 0.0062.
 */
const voiceShare = 0.005
/** 40 dB below the loudest channel. */
const audibleShare = 1e-4

type MeasuredInput = Pick<DecodeInput, 'input' | 'trackIndex' | 'track' | 'isChanging' | 'ffmpeg' | 'signal'>

/** Decodes a window of a track to measure its channels. */
export async function measureChannels(input: MeasuredInput, { start, end }: Segment): Promise<ChannelMeasures> {
  const { push, measures } = channelMeter(input.track.channels)
  const [startFrame, endFrame] = [Math.round(start * sampleRate), Math.round(end * sampleRate)]
  const track = { ...input.track, sampleRate }
  await decodeAudio({ ...input, track, startFrame, endFrame, onSamples: push })
  return measures()
}

/** Measures interleaved samples, in whole frames. Of many channels, it takes fewer frames. */
function channelMeter(channels: number) {
  const products = new Float64Array(channels * channels)
  const differences = new Float64Array(channels)
  const stride = Math.max(1, Math.ceil(channels ** 2 / 64)) * channels
  const covarianceOf = (a: number, b: number) => products[Math.min(a, b) * channels + Math.max(a, b)] ?? 0
  return {
    push: (samples: Int16Array): void => {
      for (let at = channels; at < samples.length; at += stride)
        for (let a = 0; a < channels; a++) {
          const sample = samples[at + a] ?? 0
          differences[a] = (differences[a] ?? 0) + (sample - (samples[at + a - channels] ?? 0)) ** 2
          for (let b = a; b < channels; b++) {
            const pair = a * channels + b
            products[pair] = (products[pair] ?? 0) + sample * (samples[at + b] ?? 0)
          }
        }
    },
    measures: (): ChannelMeasures => {
      const indexes = Array.from({ length: channels }, (_, channel) => channel)
      const energies = indexes.map((channel) => covarianceOf(channel, channel))
      const audible = Math.max(...energies) * audibleShare
      return {
        covariance: indexes.map((a) => indexes.map((b) => covarianceOf(a, b))),
        hasVoice: energies.map(
          (energy, channel) => energy > audible && (differences[channel] ?? 0) > voiceShare * energy,
        ),
      }
    },
  }
}
