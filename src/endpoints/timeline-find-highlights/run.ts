import type { z } from 'zod'
import { invalidRequest, ServiceError } from '../../core/errors.ts'
import { otherLength } from '../../core/same-media.ts'
import { maxLabelLength, type Segment } from '../../core/segments.ts'
import { readableSentencesOf } from '../../core/sentences.ts'
import { shortened } from '../../core/text.ts'
import { collectInTurns, mapInTurns } from '../../core/turns.ts'
import type { EarlierWords, LabelledSegment, TimelineContext } from '../define-timeline-endpoint.ts'
import { presentSegment, toHundredths } from '../format.ts'
import { resolveWindow } from '../parse-settings.ts'
import { quietEdges } from '../timeline-suggest-ranges/pauses.ts'
import type { findHighlightsSettings } from './declaration.ts'
import { describeNoHighlight, type Highlight, highlightsOf, type Sentence } from './highlights.ts'
import { loudSeconds } from './loud-seconds.ts'

type Settings = z.output<typeof findHighlightsSettings>
type HighlightsContext = TimelineContext<Settings>

export async function runFindHighlights(context: HighlightsContext) {
  const { settings, earlierWords } = context
  const { words_job_id: wordsJobId, sentences: given = [] } = settings
  const heard = wordsJobId === undefined ? undefined : await earlierWords(wordsJobId)
  const sentences = heard ? await sentencesWithin(heard) : inOrder(given)
  const found = (setting: JobSetting, list?: readonly Segment[]) => segmentsFor(context, { setting, list, heard })
  const loud = await found('energy_job_id', settings.loud)
  const highlights = await highlightsOf(sentences, {
    laughs: await found('laughter_job_id', settings.laughs),
    loud: (await louderThanUsual(context, sentences)) ?? loud,
    topics: await found('topics_job_id'),
    ...{ minSeconds: settings.min_seconds, maxSeconds: settings.max_seconds, max: settings.max_highlights },
  })
  const warnings = highlights.length > 0 ? [] : [describeNoHighlight(settings)]
  return { result: { ranges: highlights.map(present) }, warnings }
}

type JobSetting = 'laughter_job_id' | 'energy_job_id' | 'topics_job_id'

interface SoughtSegments {
  readonly setting: JobSetting
  /** What the caller sent instead of a job. */
  readonly list: readonly Segment[] | undefined
  /** The transcript, if a job made it. */
  readonly heard: EarlierWords | undefined
}

async function segmentsFor(
  { settings, earlierTimelines }: HighlightsContext,
  { setting, list = [], heard }: SoughtSegments,
): Promise<readonly LabelledSegment[]> {
  const jobId = settings[setting]
  if (jobId === undefined) return list
  const [found] = await earlierTimelines([jobId], { labelled: true })
  const other = heard && found?.mediaSeconds !== undefined && otherLength(found.mediaSeconds, heard.mediaSeconds)
  if (other)
    throw invalidRequest(
      `settings.${setting}: the result of ${jobId} ${other} Send a job on the media of settings.words_job_id.`,
    )
  return found?.segments ?? []
}

/** What is loud by the sound that the job measured. Undefined without a job, or if its sound is not kept: what it found counts then. */
async function louderThanUsual(
  { settings: { energy_job_id: jobId }, earlierSound }: HighlightsContext,
  sentences: readonly Sentence[],
): Promise<readonly Segment[] | undefined> {
  if (jobId === undefined) return undefined
  try {
    const { envelope } = await earlierSound(jobId)
    return await loudSeconds(envelope, sentences)
  } catch (error) {
    if (error instanceof ServiceError && !error.retryable) return undefined
    throw error
  }
}

function inOrder(sentences: NonNullable<Settings['sentences']>): readonly Sentence[] {
  const ordered = sentences.toSorted((one, other) => one.start - other.start)
  return ordered.map((sentence, at) => ({
    ...sentence,
    ...{ startEdge: sentence.start, endEdge: sentence.end, nextStart: ordered[at + 1]?.start ?? Infinity },
  }))
}

/** The sentences, with the quiet moments beside them. */
async function sentencesWithin({ words, window, mediaSeconds }: EarlierWords): Promise<readonly Sentence[]> {
  const within = resolveWindow(window, mediaSeconds)
  const edges = quietEdges(words, within)
  let next = 0
  const groups = await collectInTurns(readableSentencesOf(words))
  return mapInTurns(groups, ({ text, start, end, words: { length } }) => {
    const [first, last] = [next, next + length - 1]
    next += length
    // The times of words are off by up to a tenth of a second.
    const nextStart = Math.max(end, (words[next]?.start ?? within.end) - 0.1)
    return { text, start, end, nextStart, startEdge: edges.before(first) ?? start, endEdge: edges.after(last) ?? end }
  })
}

function present({ start, end, rank, score, text, reasons }: Highlight) {
  const { duration, ...span } = presentSegment({ start, end })
  const told = reasons.map(({ kind, text: said, ...of }) => {
    const { start: from, end: to } = presentSegment(of)
    return { kind, start: from, end: to, ...(said !== undefined && { text: shortened(said, maxLabelLength) }) }
  })
  return { ...span, duration, rank, score: toHundredths(score), text: shortened(text, maxLabelLength), reasons: told }
}
