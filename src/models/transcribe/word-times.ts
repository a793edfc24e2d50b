import { modelSampleRate } from '../models.ts'

/** The encoder makes one frame of this many samples: 24 ms. */
const frameLength = 384
const frameSeconds = frameLength / modelSampleRate

/**
 * The heads of attention that follow the words best: of all 48, those with the smallest median error on recordings of single words
 * whose times are known.
 */
const alignmentHeads = [
  { output: '/model/decoder/layers.3/encoder_attn/Softmax_output_0', head: 0 },
  { output: '/model/decoder/layers.3/encoder_attn/Softmax_output_0', head: 2 },
  { output: '/model/decoder/layers.2/encoder_attn/Softmax_output_0', head: 0 },
]

export const attentionOutputs = [...new Set(alignmentHeads.map(({ output }) => output))]

/** The weights of one step of the decoder for every frame, for each alignment head. */
export type StepAttention = readonly Float32Array[]

/** Takes what the alignment heads look at in this step from the decoder's outputs, of the shape heads × 1 × frames. */
export function stepAttention(dataOf: (output: string) => Float32Array, frames: number): StepAttention {
  return alignmentHeads.map(({ output, head }) => dataOf(output).slice(head * frames, (head + 1) * frames))
}

export interface TimedToken {
  /** Of UTF-8, a part of a character too. They begin with a space at the start of a word. */
  readonly bytes: Buffer
  readonly logProbability: number
}

export interface TimedWord {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly confidence: number
}

/** In running speech, attention is ahead of the sound by about this many frames. */
const leadFrames = 2
/** A quieter stretch of more frames ends a word, or comes before it. */
const maxGapFrames = 5
/** A longer sound before a word may be another. */
const maxLateFrames = 10
const space = 0x20

/** The words with their times, from the attention of each step: the step of each token, and that of the end. */
export function timeWords(
  samples: Float32Array,
  tokens: readonly TimedToken[],
  steps: readonly StepAttention[],
): TimedWord[] {
  const frames = steps[0]?.[0]?.length ?? 0
  if (frames === 0) return []
  const firstFrames = alignMonotonically(alignmentCost(steps, frames), steps.length, frames)
  const isLoud = loudFrames(samples, frames)
  const words: { parts: Buffer[]; firstFrame: number; logProbability: number; tokens: number }[] = []
  for (const [index, { bytes, logProbability }] of tokens.entries()) {
    const last = words.at(-1)
    if (last && bytes[0] !== space) {
      last.parts.push(bytes)
      last.logProbability += logProbability
      last.tokens += 1
    } else words.push({ parts: [bytes], firstFrame: firstFrames[index] ?? 0, logProbability, tokens: 1 })
  }
  const timed = words.flatMap((word, index) => {
    // The model sometimes repeats a comma.
    const text = Buffer.concat(word.parts).toString().trim().replace(/,+$/, ',')
    if (!/[\p{L}\p{N}]/u.test(text)) return []
    const last = Math.max(word.firstFrame, (words[index + 1]?.firstFrame ?? frames) - 1)
    const span = longestLoudRun(isLoud, word.firstFrame, last) ?? [word.firstFrame, last]
    const [first, end] = afterLead(span, isLoud)
    const confidence = Math.exp(word.logProbability / word.tokens)
    return [{ text, first, end, confidence }]
  })
  const begun = timed.map((word, index) => ({
    ...word,
    first: beginOf(word.first, timed[index - 1]?.end ?? 0, isLoud),
  }))
  return begun.map(({ text, first, end, confidence }, index) => {
    const last = Math.max(first + 1, Math.min(end, begun[index + 1]?.first ?? end))
    return { text, start: first * frameSeconds, end: last * frameSeconds, confidence }
  })
}

/** After a pause, a word begins where the sound does. Measured: attention comes up to 9 frames later. */
function beginOf(first: number, endBefore: number, isLoud: readonly boolean[]): number {
  const quiet = isLoud.slice(0, first).lastIndexOf(false)
  const isNear = first - quiet - 1 <= maxLateFrames && quiet - maxGapFrames >= endBefore
  return isNear && !isLoud.slice(quiet - maxGapFrames, quiet).includes(true) ? quiet + 1 : first
}

/** Where running speech surrounds a word, its edges are later than attention says. */
function afterLead([first, last]: readonly [number, number], isLoud: readonly boolean[]): [number, number] {
  const lead = isLoud[first - 1] ? leadFrames : 0
  const tail = isLoud[last + 1] ? leadFrames : 0
  return [first + Math.min(lead, last - first), last + 1 + tail]
}

/** For each step and frame: low where the step looks at the frame more than other steps do. The mean of z-scores, negated. */
function alignmentCost(steps: readonly StepAttention[], frames: number): Float64Array {
  const cost = new Float64Array(steps.length * frames)
  for (const head of alignmentHeads.keys()) {
    const rows = steps.map((step) => step[head] ?? new Float32Array(frames))
    for (let frame = 0; frame < frames; frame += 1) {
      const weights = rows.map((row) => row[frame] ?? 0)
      const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length
      const variance = weights.reduce((sum, weight) => sum + weight ** 2, 0) / weights.length - mean ** 2
      const deviation = Math.sqrt(Math.max(0, variance)) + 1e-9
      for (const [step, weight] of weights.entries()) {
        const at = step * frames + frame
        cost[at] = (cost[at] ?? 0) - (weight - mean) / deviation / alignmentHeads.length
      }
    }
  }
  return cost
}

/** Dynamic time warping: the path through steps and frames with the least cost that never goes back. Returns each step's first frame. */
export function alignMonotonically(cost: Float64Array, steps: number, frames: number): Int32Array {
  const total = minCosts(cost, steps, frames)
  const width = frames + 1
  const costAt = (step: number, frame: number) => total[step * width + frame] ?? 0
  const first = new Int32Array(steps)
  for (let step = steps, frame = frames; step > 0 && frame > 0; ) {
    first[step - 1] = frame - 1
    const [both, before, left] = [costAt(step - 1, frame - 1), costAt(step - 1, frame), costAt(step, frame - 1)]
    const least = Math.min(both, before, left)
    if (least === both || least === before) step -= 1
    if (least === both || least !== before) frame -= 1
  }
  return first
}

/** Of the path to each step and frame, with a row and a column before the first ones. */
function minCosts(cost: Float64Array, steps: number, frames: number): Float64Array {
  const width = frames + 1
  const total = new Float64Array((steps + 1) * width).fill(Number.POSITIVE_INFINITY)
  total[0] = 0
  for (let step = 1; step <= steps; step += 1) {
    for (let frame = 1; frame <= frames; frame += 1) {
      const at = step * width + frame
      const least = Math.min(total[at - width - 1] ?? 0, total[at - width] ?? 0, total[at - 1] ?? 0)
      total[at] = least + (cost[(step - 1) * frames + frame - 1] ?? 0)
    }
  }
  return total
}

/** The frames that are louder than the quiet parts of these samples, and not much quieter than the loud ones. */
export function loudFrames(samples: Float32Array, frames: number): boolean[] {
  const decibels = Float64Array.from({ length: frames }, (_, frame) => {
    const part = samples.subarray(frame * frameLength, (frame + 1) * frameLength)
    const energy = part.reduce((sum, sample) => sum + sample ** 2, 1e-12)
    return 10 * Math.log10(energy / Math.max(1, part.length))
  })
  const sorted = decibels.toSorted()
  const quantile = (share: number) => sorted[Math.floor(frames * share)] ?? 0
  const threshold = Math.max(quantile(0.05) + 6, quantile(0.95) - 32)
  return Array.from(decibels, (level) => level > threshold)
}

function longestLoudRun(isLoud: readonly boolean[], first: number, last: number): [number, number] | undefined {
  let longest: [number, number] | undefined
  let run: [number, number] | undefined
  for (let frame = first; frame <= last; frame += 1) {
    if (!isLoud[frame]) continue
    run = run && frame - run[1] - 1 <= maxGapFrames ? [run[0], frame] : [frame, frame]
    if (!longest || run[1] - run[0] > longest[1] - longest[0]) longest = run
  }
  return longest
}
