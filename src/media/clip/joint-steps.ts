/** On each side of a joint: about a syllable. */
const sideSeconds = 0.1
/** Quieter sound is silence. */
const silentDbfs = -70

interface Side {
  readonly from: number
  readonly to: number
  energy: number
}

interface JointMeter {
  /** Takes the next interleaved samples of the joined sound. */
  push(samples: Float32Array): void
  /** How much louder the sound is after each joint than before, in dB. */
  steps(): number[]
}

interface JoinedSound {
  /** The samples of each channel that were joined. */
  readonly lengths: readonly number[]
  /** Of a crossfade, in samples. What it mixes does not count. */
  readonly fadeLength: number
  readonly channels: number
  readonly sampleRate: number
}

/** Measures joined sound beside the crossfades of its joints, no further than to the next joints. */
export function jointMeter({ lengths, fadeLength, channels, sampleRate }: JoinedSound): JointMeter {
  const most = Math.round(sideSeconds * sampleRate)
  let end = 0
  const joints = lengths.slice(1).map((after, index): [Side, Side] => {
    const before = lengths[index] ?? 0
    const start = end
    end += before
    const fading = (length: number) => Math.floor(Math.min(fadeLength, length) / 2)
    const [to, from] = [end - fading(before), end + fading(after)]
    return [
      { from: Math.max(start, to - most), to, energy: 0 },
      { from, to: Math.min(end + after, from + most), energy: 0 },
    ]
  })
  let at = 0
  let next = 0
  const addTo = (side: Side, samples: Float32Array, until: number) => {
    const [from, to] = [Math.max(side.from, at), Math.min(side.to, until)]
    if (from >= to) return
    // One sample after the other: the sum is the same, however the sound comes in.
    side.energy = samples
      .subarray((from - at) * channels, (to - at) * channels)
      .reduce((sum, sample) => sum + sample * sample, side.energy)
  }
  const push = (samples: Float32Array) => {
    const until = at + samples.length / channels
    for (const joint of joints.slice(next)) {
      const [before, after] = joint
      if (before.from >= until) break
      for (const side of joint) addTo(side, samples, until)
      if (joint === joints[next] && after.to <= until) next += 1
    }
    at = until
  }
  const levelOf = ({ from, to, energy }: Side) => {
    const level = 10 * Math.log10(energy / Math.max(1, (to - from) * channels))
    return Number.isFinite(level) ? Math.max(silentDbfs, level) : silentDbfs
  }
  return { push, steps: () => joints.map(([before, after]) => levelOf(after) - levelOf(before)) }
}
