import { ratio } from '../inspect/frame-rate.ts'
import { prerollSeconds } from '../inspect/margins.ts'
import type { SourceVideo } from '../inspect/tracks.ts'

const minTickSeconds = 1e-6

/** Where decoding starts for a clip whose first frame or sample is at this time; both on the media's clock. */
export function seekBefore(firstSeconds: number): number {
  return Math.max(0, firstSeconds - prerollSeconds)
}

/**
 * Input options that keep the source's own timestamps. Filters cut by ticks and samples, so the seek only says where reading
 * starts, and nothing is rounded twice.
 */
export function seekOptions(seekSeconds: number): string[] {
  return ['-threads', '2', '-copyts', '-noaccurate_seek', ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : [])]
}

/** Seconds of a tick of the clip's video, as `num/den`: the source's, or 1/90000 if that is finer than encoders take. */
export function tickOf({ timeBase }: SourceVideo): string {
  return ratio(timeBase) >= minTickSeconds ? timeBase : '1/90000'
}
