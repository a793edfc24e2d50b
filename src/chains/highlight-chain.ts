import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { findHighlightsResult } from '../endpoints/timeline-find-highlights/declaration.ts'
import { describeNoHighlight } from '../endpoints/timeline-find-highlights/highlights.ts'
import {
  earlierJob,
  laterJobId,
  laterRanges,
  laterTranscript,
  type StepInputs,
  withTranscript,
} from './earlier-jobs.ts'

const [hearing, laughing, loud, choosing] = [
  'audio/find-words',
  'audio/detect-laughter',
  'audio/detect-energy',
  'timeline/find-highlights',
] as const

const spoken = z.object({ transcript: z.object({ sentences: z.array(z.unknown()) }) })

/** A step that looks at the media as the first one did. Without speech it would be charged for nothing. */
export const mediaWithSpeech: StepInputs = {
  settings: [],
  readsWindow: true,
  from: (earlier) => {
    if (spoken.parse(earlierJob(earlier, hearing).result).transcript.sentences.length > 0) return { settings: {} }
    throw new ServiceError('nothing_found', `${hearing} heard no speech. Choose another window or media.`)
  },
}

/** From what was heard in the steps before. */
export const highlightsOfSteps: StepInputs = {
  settings: ['words_job_id', 'laughter_job_id', 'energy_job_id', 'sentences', 'laughs', 'loud'],
  from: (earlier) => ({
    settings: {
      words_job_id: earlierJob(earlier, hearing).id,
      laughter_job_id: earlierJob(earlier, laughing).id,
      energy_job_id: earlierJob(earlier, loud).id,
    },
  }),
  standIn: () => ({ words_job_id: laterJobId, laughter_job_id: laterJobId, energy_job_id: laterJobId }),
}

const chosen = findHighlightsResult.pick({ ranges: true })
const lengths = z.object({ min_seconds: z.number(), max_seconds: z.number() })

/** A clip of each highlight, unless the caller joins them. */
export const clipHighlights: StepInputs = {
  settings: ['ranges', 'ranges_mode'],
  from: (earlier, given) => {
    const { settings, result } = earlierJob(earlier, choosing)
    const ranges = chosen.parse(result).ranges.map(({ start, end }) => ({ start, end }))
    if (ranges.length === 0)
      throw new ServiceError(
        'nothing_found',
        `${describeNoHighlight(lengths.parse(settings))} Change these lengths, or choose another window or media.`,
      )
    const { join = false } = given
    return { settings: { ranges, join, ...withTranscript(given, () => earlierJob(earlier, hearing).id) } }
  },
  standIn: (given) => ({ ranges: laterRanges, ...withTranscript(given, laterTranscript) }),
}
