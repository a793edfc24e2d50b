import { z } from 'zod'
import { makeNumbers } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import { mapInTurns } from '../../core/turns.ts'
import { modelSampleRate, spokenWord } from '../../models/models.ts'

/** Where a cut beside a word is quiet, in seconds. Null if nowhere; undefined in transcripts of earlier versions. */
const quietMoment = z.number().nullable().optional()

/** A word of a transcript, with the quiet moments between it and the words beside it. */
export const heardWord = z.object({ ...spokenWord.shape, quietBefore: quietMoment, quietAfter: quietMoment })

export type HeardWord = z.output<typeof heardWord>

export interface HeardSamples {
  /** Mono, at the rate of the models. */
  readonly samples: Float32Array
  /** In seconds, of the first sample. */
  readonly start: number
}

/** The samples of a span, as far as they were heard: a view. */
export function samplesIn({ samples, start }: HeardSamples, span: Segment): Float32Array {
  const indexAt = (seconds: number) => Math.max(0, Math.round((seconds - start) * modelSampleRate))
  return samples.subarray(indexAt(span.start), indexAt(span.end))
}

/** A quiet moment is at least this much below the quieter of the words beside it. Measured: a pause is 20 to 35 dB below, running speech 2 to 15. */
const quietDb = 14
/** A shorter gap is within the error of the words' times: the words touch. */
const minGapSeconds = 0.05
/** How far the boundary of words that touch may be from where their times put it. Further away, quiet moments are within the words. */
const boundaryReachSeconds = 0.06
/** Between two words that are far apart, other sounds are possible, so that moments are near the words. */
const wordReachSeconds = 1

/** A stretch of sound, such as a word, with the quiet moments beside it. */
export interface QuietSpan extends Segment {
  readonly quietBefore: number | null
  readonly quietAfter: number | null
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/**
 * Finds the quiet moments between words, or other stretches of sound, in the order of time. Those that touch then meet in the moment, so
 * that no moment is within a word: it is a better boundary than their times.
 */
export async function quietSpansOf(sounds: readonly Segment[], levels: SpeechLevels): Promise<QuietSpan[]> {
  const found = sounds.map(
    ({ start, end }): Writable<QuietSpan> => ({ start, end, quietBefore: null, quietAfter: null }),
  )
  const loudest = await mapInTurns(sounds, levels.loudest)
  await mapInTurns([...found, undefined], (after, index) => {
    const limit = Math.min(loudest[index - 1] ?? 0, loudest[index] ?? 0) - quietDb
    setMomentsBetween(found[index - 1], after, limit, levels)
  })
  return found
}

/** Of two that follow each other, or beside one of them alone. */
function setMomentsBetween(
  before: Writable<QuietSpan> | undefined,
  after: Writable<QuietSpan> | undefined,
  limit: number,
  levels: SpeechLevels,
): void {
  if (before && after && after.start - before.end < minGapSeconds) {
    const moment = levels.quietMoment(boundaryOf(before, after), limit)
    Object.assign(before, { quietAfter: moment, end: moment ?? before.end })
    Object.assign(after, { quietBefore: moment, start: moment ?? after.start })
    return
  }
  const gap = { start: before?.end ?? levels.start, end: after?.start ?? levels.end }
  const nearBefore = { start: gap.start, end: Math.min(gap.end, gap.start + wordReachSeconds) }
  const nearAfter = { start: Math.max(gap.start, gap.end - wordReachSeconds), end: gap.end }
  if (before) before.quietAfter = levels.quietMoment(nearBefore, limit)
  if (after) after.quietBefore = levels.quietMoment(nearAfter, limit)
}

/** Where the boundary of two words that touch can be. */
function boundaryOf(before: Segment, after: Segment): Segment {
  return {
    start: Math.max(before.end - boundaryReachSeconds, (before.start + before.end) / 2),
    end: Math.min(after.start + boundaryReachSeconds, (after.start + after.end) / 2),
  }
}

const cellSeconds = 0.005
const cellSamples = cellSeconds * modelSampleRate
/** Levels are those of 20 ms: more than a period of a deep voice. */
const cellsAround = 2
/** Of moments this close to the quietest one, the one in the middle is chosen: a pause is even. */
const evenDb = 6

export type SpeechLevels = Awaited<ReturnType<typeof measureSpeechLevels>>

/** Levels in dBFS, around the ends of cells. */
export async function measureSpeechLevels({ samples, start }: HeardSamples) {
  const power = await makeNumbers(Math.floor(samples.length / cellSamples), (cell) => {
    let sum = 0
    for (let at = cell * cellSamples; at < (cell + 1) * cellSamples; at += 1) sum += (samples[at] ?? 0) ** 2
    return sum
  })
  const levels = await makeNumbers(power.length + 1, (cell) => {
    const around = power.subarray(Math.max(0, cell - cellsAround), cell + cellsAround)
    const sum = around.reduce((total, each) => total + each, 1e-12)
    return 10 * Math.log10(sum / (Math.max(1, around.length) * cellSamples))
  })
  const within = (span: Segment) => {
    const first = Math.max(0, Math.ceil((span.start - start) / cellSeconds))
    const end = Math.floor((span.end - start) / cellSeconds) + 1
    return { first, found: levels.subarray(first, Math.max(first, end)) }
  }
  /** The ends of cells in the span, with their levels. */
  const levelsIn = (span: Segment) => {
    const { first, found } = within(span)
    return Array.from(found, (level, index) => ({ seconds: start + (first + index) * cellSeconds, level }))
  }
  return {
    start,
    end: start + samples.length / modelSampleRate,
    levelsIn,
    cellSeconds,
    loudest: (span: Segment) => within(span).found.reduce((most, level) => Math.max(most, level), -120),
    /** The moment nearest to the middle of the span of those that are about as quiet as the quietest; null if all are above the limit. */
    quietMoment: (span: Segment, limit: number): number | null => {
      const levels = levelsIn(span)
      const quietest = Math.min(...levels.map(({ level }) => level))
      if (levels.length === 0 || quietest > limit) return null
      const middle = (span.start + span.end) / 2
      const quiet = levels.filter(({ level }) => level <= Math.min(limit, quietest + evenDb))
      const away = ({ seconds }: { readonly seconds: number }) => Math.abs(seconds - middle)
      return quiet.reduce((best, each) => (away(each) < away(best) ? each : best)).seconds
    },
  }
}
