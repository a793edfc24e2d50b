import { prerollSeconds } from './margins.ts'

/** Where decoding starts for what begins at this time; both on the media's clock. */
export function seekBefore(startSeconds: number, leadSeconds = prerollSeconds): number {
  return Math.max(0, startSeconds - leadSeconds)
}

/**
 * Input options that keep the source's own timestamps. Filters choose by those, so the seek only says where reading starts, and nothing
 * is rounded twice.
 */
export function seekOptions(seekSeconds: number): string[] {
  return ['-threads', '2', '-copyts', '-noaccurate_seek', ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : [])]
}
