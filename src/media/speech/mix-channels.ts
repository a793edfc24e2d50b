import { fullScale } from '../sound/envelope.ts'

/** Channels as one, for models. */
export interface MixedChannels {
  /** −1 to 1. */
  readonly samples: Float32Array
  /** The channels cancel each other where they are added: one is wired or recorded upside down. */
  readonly hasOpposedChannels: boolean
}

export interface ChannelMixer {
  /** Takes interleaved samples, in whole frames, and ignores those beyond the length. */
  push(samples: Int16Array): void
  finish(): MixedChannels
}

/** 20 ms at the rate of the models. */
const measuredFrames = 320
/** The root mean square of a channel that counts as sounding: −60 dBFS. */
const soundingLevel = fullScale / 1000
/** Of the energy of the channels, what their sum keeps where they are opposed. Different sounds keep all of it, and equal ones more. */
const opposedShare = 0.6
/** Of the sounding stretches. Channels of different sounds are opposed by chance in fewer. */
const minOpposedStretches = 0.01
/** A channel this far below the loudest one does not count as sounding: 40 dB. */
const silentShare = 1e-4

/**
 * Mixes channels into one in which none is lost. Two channels are averaged unless they are opposed in parts. Others are added with their
 * phases spread over half a turn, so that neither equal nor opposed channels cancel each other.
 */
export function createChannelMixer(channels: number, length: number): ChannelMixer {
  const averaged = new Float32Array(length)
  const spread = channels > 1 ? new Float32Array(length) : averaged
  const angles = Array.from({ length: channels }, (_, channel) => (Math.PI * channel) / channels)
  const [cosines, sines] = [Float64Array.from(angles, Math.cos), Float64Array.from(angles, Math.sin)]
  const shifted = quadrature()
  const energies = new Float64Array(channels)
  let [taken, sumEnergy, energy, sounding, opposed] = [0, 0, 0, 0, 0]

  const closeStretch = () => {
    if (energy > measuredFrames * soundingLevel ** 2) {
      sounding += 1
      if (sumEnergy < opposedShare * energy) opposed += 1
    }
    sumEnergy = 0
    energy = 0
  }
  const pushMono = (samples: Int16Array) => {
    for (const sample of samples.subarray(0, length - taken)) averaged[taken++] = sample / fullScale
  }
  const pushFrames = (samples: Int16Array) => {
    const end = Math.min(samples.length, (length - taken) * channels)
    for (let at = 0; at < end; at += channels) {
      let [sum, real, imaginary] = [0, 0, 0]
      for (let channel = 0; channel < channels; channel++) {
        const sample = samples[at + channel] ?? 0
        const square = sample * sample
        sum += sample
        real += sample * (cosines[channel] ?? 0)
        imaginary += sample * (sines[channel] ?? 0)
        energy += square
        energies[channel] = (energies[channel] ?? 0) + square
      }
      sumEnergy += sum * sum
      averaged[taken] = sum / fullScale
      spread[taken] = shifted(real, imaginary) / fullScale
      taken += 1
      if (taken % measuredFrames === 0) closeStretch()
    }
  }
  return {
    push: channels > 1 ? pushFrames : pushMono,
    finish: () => {
      if (channels === 1) return { samples: averaged, hasOpposedChannels: false }
      const audible = Math.max(...energies) * silentShare
      const heard = Math.max(1, energies.filter((each) => each > audible).length)
      const hasOpposedChannels = opposed > 0 && opposed >= sounding * minOpposedStretches
      const isSpread = hasOpposedChannels || channels > 2
      const samples = isSpread ? spread : averaged
      const gain = 1 / (isSpread ? Math.sqrt(heard) : heard)
      for (let index = 0; index < taken; index++) samples[index] = (samples[index] ?? 0) * gain
      return { samples, hasOpposedChannels }
    },
  }
}

/**
 * Two chains of all-pass filters whose phases are a quarter turn apart from 20 Hz to the highest speech: Olli Niemitalo, "Hilbert
 * transform", yehar.com. Returns the sum of what leaves them.
 */
function quadrature(): (first: number, second: number) => number {
  const delayed = allPasses([0.6923878, 0.9360654322959, 0.988229522686, 0.9987488452737])
  const other = allPasses([0.4021921162426, 0.856171088242, 0.9722909545651, 0.9952884791278])
  let before = 0
  return (first, second) => {
    const sum = before + other(second)
    before = delayed(first)
    return sum
  }
}

/** Each filter refers to its input and its output two samples before. */
function allPasses(coefficients: readonly number[]): (sample: number) => number {
  const stages = coefficients.map((coefficient) => ({ square: coefficient ** 2, inputs: [0, 0], outputs: [0, 0] }))
  return (sample) => {
    let value = sample
    for (const stage of stages) {
      const [oldInput = 0, lastInput = 0] = stage.inputs
      const [oldOutput = 0, lastOutput = 0] = stage.outputs
      const output = stage.square * (value + oldOutput) - oldInput
      stage.inputs[0] = lastInput
      stage.inputs[1] = value
      stage.outputs[0] = lastOutput
      stage.outputs[1] = output
      value = output
    }
    return value
  }
}
