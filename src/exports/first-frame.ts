import { type EditRate, editFrameAt, editRates, frameOfTimecode } from '../core/edit-rate.ts'
import type { RecordedStart } from '../core/media.ts'

/** The frame of the clock of its recording on which media begins, and how that clock counts. Undefined if it states none that can be read. */
export function firstFrameOf(
  { timecode, timecodeBase, secondsSinceMidnight }: RecordedStart,
  rate: EditRate,
): { readonly frame: number; readonly isDropFrame: boolean } | undefined {
  if (timecode !== undefined) return frameOfTimecode(timecode, rate, timecodeBase)
  return secondsSinceMidnight === undefined
    ? undefined
    : { frame: editFrameAt(secondsSinceMidnight, rate), isDropFrame: false }
}

export function hasReadableStart(start: RecordedStart): boolean {
  return firstFrameOf(start, editRates['60']) !== undefined
}
