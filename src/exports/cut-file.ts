import { z } from 'zod'
import { placeCues, placeWords, type ShownRange } from '../core/captions.ts'
import { firstFrameFrom } from '../core/edit-rate.ts'
import { invalidRequest } from '../core/errors.ts'
import { type ExportDocument, type ExportEntry, isMoment, titleOf } from './export-document.ts'

/** A file that was cut from a medium. */
export interface CutFile {
  readonly fileName: string
  /** Length of the medium. */
  readonly sourceSeconds: number
  /** What it shows of the medium, and where; never empty. */
  readonly ranges: readonly ShownRange[]
}

interface CutResult {
  /** Of the job or run that the caller named. */
  readonly id: string
  readonly result: unknown
  readonly fileName: string
}

const span = z.object({ start: z.number(), end: z.number() })

const cutResult = z.object({
  media_seconds: z.number(),
  receipt: z.object({ presented: span, ranges: z.array(z.object({ presented: span, at: z.number() })).optional() }),
  receipts: z.array(z.unknown()).default([]),
})

/** The one file that a job cut from its medium. Throws `invalid_request` if it cut none, or several. */
export function cutFileOf({ id, result, fileName }: CutResult): CutFile {
  const { data } = cutResult.safeParse(result)
  if (!data)
    throw invalidRequest(
      `output_of: ${id} cut no file. Send a job of video/clip-window or video/clip-near, or a run that ends with one.`,
    )
  if (data.receipts.length > 1)
    throw invalidRequest(
      `output_of: ${id} made ${data.receipts.length} files, and these times are of one. Cut the media with "join": true.`,
    )
  const { presented, ranges = [{ presented, at: 0 }] } = data.receipt
  const shown = ranges.map((range) => ({ presented: range.presented, atSeconds: range.at }))
  return { fileName, sourceSeconds: data.media_seconds, ranges: shown }
}

/**
 * The document with the entries where the file shows them, or with those that are already placed. Throws `invalid_request` if it
 * shows none.
 */
export function inCutFile(
  document: ExportDocument,
  { fileName, ranges }: CutFile,
  entries: readonly ExportEntry[] = placed(document.entries, ranges),
): ExportDocument {
  if (entries.length === 0) throw invalidRequest('output_of: nothing of this list is in the file. Export another list.')
  const ends = ranges.map(({ presented, atSeconds }) => atSeconds + presented.end - presented.start)
  const named = { title: titleOf(fileName), mediaName: fileName, mediaSeconds: Math.max(...ends) }
  return { ...document, ...named, ...firstFrameIn(document, ranges), entries }
}

/** A file that was cut has the timecode of the first frame that it shows, and counts from that, if its medium has one. */
function firstFrameIn(
  { firstFrame, firstFrameSeconds, hasTimecode, rate }: ExportDocument,
  [first]: readonly ShownRange[],
): Pick<ExportDocument, 'firstFrame' | 'firstFrameSeconds'> {
  if (!hasTimecode || !first) return { firstFrame, firstFrameSeconds }
  const { start, end } = first.presented
  return {
    firstFrame: firstFrame + firstFrameFrom(start - firstFrameSeconds, rate),
    firstFrameSeconds: Math.min(end, Math.max(start, firstFrameSeconds)) - start,
  }
}

function placed(entries: readonly ExportEntry[], ranges: readonly ShownRange[]): readonly ExportEntry[] {
  return entries.flatMap((entry) => (isMoment(entry) ? placeWords([entry], ranges) : placeCues([entry], ranges).cues))
}
