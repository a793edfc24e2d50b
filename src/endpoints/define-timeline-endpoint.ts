import type { z } from 'zod'
import { microUsd } from '../core/money.ts'
import type { JobWindow, Segment } from '../core/segments.ts'
import { type EndpointId, groupOf, type RunnableEndpoint } from './define-endpoint.ts'
import type { NamedJob } from './timeline.ts'

/** A segment with what it is, such as the title of a chunk. */
export interface LabelledSegment extends Segment {
  readonly label?: string | undefined
}

/** The segments that a completed job found. */
export interface EarlierTimeline {
  readonly jobId: string
  readonly window: JobWindow
  readonly segments: readonly LabelledSegment[]
  /** The length of its media, if its result has one. */
  readonly mediaSeconds: number | undefined
  /** The shortest pause that the job looked for, if it has that setting. */
  readonly minSilenceSeconds?: number | undefined
}

/** What an endpoint that reads no media returns. */
export interface TimelineOutput<Result> {
  readonly result: Result
  /** Added to the job's warnings. */
  readonly warnings?: readonly string[]
}

/** A word that a completed job heard. Its quiet moments are null where there is none, and undefined where none was looked for. */
export interface EarlierWord extends Segment {
  readonly text: string
  readonly quietBefore?: number | null | undefined
  readonly quietAfter?: number | null | undefined
}

/** The words that a completed job heard, in the order of time. */
export interface EarlierWords {
  readonly window: JobWindow
  readonly mediaSeconds: number
  readonly words: readonly EarlierWord[]
}

/** The input of an endpoint that reads no media. */
export interface TimelineContext<Settings> {
  readonly settings: Settings
  /**
   * The segments of completed jobs of the same account that the job's credential can see, in the order of the ids. Throws
   * `not_found` for other jobs, and `invalid_request` for a job without segments, or if all have more than
   * `maxTimelineSegments` together. `labelled`: their chunks, or the lines of their text, if they have some, and what these say.
   */
  readonly earlierTimelines: (
    jobIds: readonly string[],
    options?: { readonly labelled: boolean },
  ) => Promise<readonly EarlierTimeline[]>
  /** The words of such a job of `audio/find-words`. Throws `not_found` likewise, and `invalid_request` for a job without words. */
  readonly earlierWords: (jobId: string) => Promise<EarlierWords>
}

export interface TimelineDeclaration<Settings extends z.ZodObject, Result extends z.ZodObject> {
  readonly id: EndpointId
  readonly summary: string
  readonly description: string
  readonly keywords: string
  readonly settings: Settings
  readonly result: Result
  readonly example: { readonly settings: z.input<Settings> }
  /** A message about an invalid combination of settings, or undefined. */
  readonly validate: (settings: z.output<Settings>) => string | undefined
  /** The earlier jobs whose results a job with these settings uses. */
  readonly jobsToRead: (settings: z.output<Settings>) => readonly NamedJob[]
  /** Loads the implementation. */
  readonly run: () => Promise<
    (context: TimelineContext<z.output<Settings>>) => Promise<TimelineOutput<z.output<Result>>>
  >
}

/** An endpoint that works on results of other jobs: it reads no media, produces no files and is free. */
export interface TimelineEndpoint extends RunnableEndpoint {
  readonly readsMedia: false
  readonly run: (context: TimelineContext<unknown>) => Promise<TimelineOutput<Record<string, unknown>>>
}

export function defineTimelineEndpoint<Settings extends z.ZodObject, Result extends z.ZodObject>(
  declaration: TimelineDeclaration<Settings, Result>,
): TimelineEndpoint {
  const parse = (settings: unknown) => declaration.settings.parse(settings)
  return {
    ...declaration,
    stage: 'live',
    readsMedia: false,
    group: groupOf(declaration.id),
    producesFiles: false,
    price: { unit: 'free', rateMicroUsdPerMinute: microUsd(0) },
    validate: (_window, settings) => declaration.validate(parse(settings)),
    warn: () => [],
    jobsToRead: (settings) => declaration.jobsToRead(parse(settings)),
    billableMilliseconds: () => 0,
    run: async (context) => {
      const run = await declaration.run()
      return run({ ...context, settings: parse(context.settings) })
    },
  }
}
