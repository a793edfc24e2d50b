/** Consecutive samples of the source, counted per channel from the first sample that is pushed. */
export interface AudioSpan {
  readonly start: number
  readonly length: number
}

export interface AudioSplicer {
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

/**
 * Joins ascending, separate spans without clicks. The output has exactly as many samples as all spans together. Each joint is a
 * crossfade, which uses at most half of the material between its two spans.
 */
export function spliceAudio(spans: readonly AudioSpan[], channels: number, crossfadeLength: number): AudioSplicer {
  const steps = stepsOf(spans, crossfadeLength)
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

function concatenate(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
