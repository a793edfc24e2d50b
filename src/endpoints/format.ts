import path from 'node:path'
import { ServiceError } from '../core/errors.ts'
import { previewContentType } from '../core/media.ts'
import { durationOf, type Segment } from '../core/segments.ts'
import { roundToMillisecond } from '../core/time-code.ts'
import type { OutputFile } from './run-contract.ts'

/** A level or a score as results show it. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100
}

/** A segment as results show it. The duration is that of the rounded times, so that the three agree. */
export function presentSegment(segment: Segment): { start: number; end: number; duration: number } {
  const start = roundToMillisecond(segment.start)
  const end = roundToMillisecond(segment.end)
  return { start, end, duration: roundToMillisecond(end - start) }
}

/** Results are read whole by every poll: some megabytes at most. */
const maxResultSegments = 20_000

export function assertSegmentCount(count: number, advice: string): void {
  if (count <= maxResultSegments) return
  throw new ServiceError(
    'invalid_request',
    `The result has ${count} segments, more than ${maxResultSegments}. ${advice}, or choose a shorter window.`,
  )
}

export function totalSeconds(segments: readonly Segment[]): number {
  return roundToMillisecond(segments.reduce((sum, segment) => sum + durationOf(segment), 0))
}

/** Where a run puts its preview. */
export function previewPath(workDir: string): string {
  return path.join(workDir, 'preview.svg')
}

/** The picture that is shown beside a result. */
export function presentPreview(workDir: string): OutputFile {
  const filePath = previewPath(workDir)
  return {
    path: filePath,
    fileName: path.basename(filePath),
    contentType: previewContentType,
    role: 'preview',
    durationSeconds: 0,
    width: null,
    height: null,
  }
}
