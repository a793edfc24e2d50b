import { z } from 'zod'
import { parseItems } from '../../core/long-json.ts'
import { durationOf } from '../../core/segments.ts'
import { tagHopSeconds, tagWindowSeconds } from '../../models/models.ts'
import type { TrackAnalysisKind } from '../track-analyses.ts'
import { hesitation } from './hesitations.ts'
import { heardWord } from './quiet-moments.ts'
import { percentsOfKinds, type TrackTags, trackTags } from './tag-track.ts'
import { type TopicGaps, topicGaps, topicGapsWithin } from './topic-gaps.ts'
import { spokenWithin, type Transcript } from './transcribe-track.ts'

const storedTranscript = z.object({
  words: z.unknown(),
  hesitations: z.array(z.unknown()).optional(),
  hasOpposedChannels: z.boolean(),
  decodeErrors: z.int(),
})

export const transcriptKind: TrackAnalysisKind<Transcript> = {
  name: 'transcript',
  format: 1003,
  parse: async (stored) => {
    const { words, hesitations, ...rest } = storedTranscript.parse(stored)
    return {
      ...rest,
      words: await parseItems(heardWord, words),
      hesitations: hesitations && (await parseItems(hesitation, hesitations)),
    }
  },
  within: ({ words, hesitations, ...rest }, window) => ({
    ...rest,
    words: spokenWithin(words, window),
    hesitations: hesitations && spokenWithin(hesitations, window),
  }),
}

export const soundTagsKind: TrackAnalysisKind<TrackTags> = {
  name: 'sound-tags',
  format: 2002,
  parse: async (stored) => trackTags.parse(stored),
  /** The tags whose windows lie in the requested window; one tag if that is shorter than a window. */
  within: ({ start, percents, ...rest }, window) => {
    const first = Math.ceil((window.start - start) / tagHopSeconds - rounding)
    const count = Math.max(1, Math.floor((durationOf(window) - tagWindowSeconds) / tagHopSeconds + rounding) + 1)
    const inside = percentsOfKinds((kind) => percents[kind].slice(first, first + count))
    return { ...rest, start: start + first * tagHopSeconds, percents: inside }
  },
}

export const topicGapsKind: TrackAnalysisKind<TopicGaps> = {
  name: 'topic-gaps',
  format: 3003,
  parse: async (stored) => topicGaps.parse(stored),
  within: topicGapsWithin,
}

const rounding = 1e-6
