import { ServiceError } from '../../core/errors.ts'
import type { Segment } from '../../core/segments.ts'
import { oneLine, removeHidden, shortened } from '../../core/text.ts'
import { type ProbeQuery, readProbe } from './probe-json.ts'
import type { Tracks } from './tracks.ts'

/** A chapter of media, on the clock where the media starts at 0. */
export interface Chapter extends Segment {
  /** On one line; empty if it has none. */
  readonly title: string
}

/** Audiobooks have hundreds. */
const maxChapters = 1_000
const maxTitleLength = 200

/** The chapters of media. None if there are too many, or one has a title that is too long to be read. */
export async function readChapters(
  { input, chapters, originSeconds }: Pick<Tracks, 'input' | 'chapters' | 'originSeconds'>,
  tools: Pick<ProbeQuery, 'ffmpeg' | 'signal'>,
): Promise<Chapter[]> {
  if (chapters === 0 || chapters > maxChapters) return []
  const entries = ['-show_entries', 'chapter=start_time,end_time:chapter_tags=title']
  const probed = await readProbe({ input, ...tools, entries }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'processing_failed') return undefined
    throw error
  })
  return (probed?.chapters ?? []).flatMap(({ start_time: start, end_time: end, tags }) => {
    if (start === undefined || end === undefined || end <= start) return []
    const title = shortened(removeHidden(oneLine(tags.title ?? '')), maxTitleLength)
    return [{ start: start - originSeconds, end: end - originSeconds, title }]
  })
}
