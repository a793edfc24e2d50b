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

/**
 * Joins the adjacent stretches of a whole as they come, in any order: a day takes 200 MB, which are not held twice. The result is
 * complete once all are added.
 */
export function createEnvelopeJoin(whole: Stretch): { add(part: Envelope): void; joined(): Envelope } {
  const { startMs, endMs } = whole
  const peaks = new Uint16Array(endMs - startMs)
  const squares = new Float32Array((endMs - startMs) / cellMs)
  let [sampleRate, frames, decodeErrors] = [0, 0, 0]
  return {
    add: (part) => {
      peaks.set(part.peaks, part.startMs - startMs)
      squares.set(part.squares, (part.startMs - startMs) / cellMs)
      sampleRate = part.sampleRate
      decodeErrors += part.decodeErrors
      if (part.frames > 0)
        frames = Math.max(frames, framesIn({ startMs, endMs: part.startMs }, sampleRate) + part.frames)
    },
    joined: () => ({ startMs, endMs, sampleRate, frames, decodeErrors, peaks, squares }),
  }
}
