/** A stretch of media in milliseconds; both ends are multiples of `cellMs`. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/**
 * Levels of a stretch of an audio track, on the media's clock, measured in one decoding pass: enough to find silences, loud
 * parts and quiet points with any settings, and to draw them. The window of millisecond `i` contains the frames from
 * `floor(i·rate/1000)` up to the next window's first. Values are 0 where the track has no sound: before its start, in gaps
 * of its timestamps, and after its end.
 */
export interface Envelope extends Stretch {
  readonly sampleRate: number
  /** Frames from the start of the stretch to its end, or to the end of the track. */
  readonly frames: number
  /** Errors while the track was decoded. */
  readonly decodeErrors: number
  /** For each 1 ms: highest absolute sample of any channel, 0 to `fullScale`. */
  readonly peaks: Uint16Array
  /** For each 10 ms: sum of the squared samples of the loudest channel. */
  readonly squares: Float32Array
}

export const fullScale = 32_768

/** Length of one value of `squares`. */
export const cellMs = 10

/** The index of the first frame in the window of a millisecond. */
export function frameAt(milliseconds: number, sampleRate: number): number {
  return Math.floor((milliseconds * sampleRate) / 1000)
}

export function framesIn({ startMs, endMs }: Stretch, sampleRate: number): number {
  return frameAt(endMs, sampleRate) - frameAt(startMs, sampleRate)
}

/** The smallest stretch of whole cells that covers a window in seconds. */
export function stretchAround({ start, end }: { readonly start: number; readonly end: number }): Stretch {
  // Keeps the times of whole cells on them.
  const rounding = 1e-6
  return {
    startMs: Math.floor((start * 1000) / cellMs + rounding) * cellMs,
    endMs: Math.ceil((end * 1000) / cellMs - rounding) * cellMs,
  }
}

/** Joins adjacent stretches of one track, given in order. */
export function joinEnvelopes(parts: readonly Envelope[]): Envelope {
  const [first] = parts
  const last = parts.at(-1)
  if (!first || !last) throw new TypeError('no envelopes to join')
  if (parts.length === 1) return first
  const whole = { startMs: first.startMs, endMs: last.endMs }
  const { sampleRate } = first
  const peaks = new Uint16Array(whole.endMs - whole.startMs)
  const squares = new Float32Array((whole.endMs - whole.startMs) / cellMs)
  let frames = 0
  const decodeErrors = parts.reduce((sum, part) => sum + part.decodeErrors, 0)
  for (const part of parts) {
    const offsetMs = part.startMs - whole.startMs
    peaks.set(part.peaks, offsetMs)
    squares.set(part.squares, offsetMs / cellMs)
    if (part.frames > 0) frames = framesIn({ ...whole, endMs: part.startMs }, sampleRate) + part.frames
  }
  return { ...whole, sampleRate, frames, decodeErrors, peaks, squares }
}
