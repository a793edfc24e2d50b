import type { z } from 'zod'
import { microUsd } from '../core/money.ts'
import { type EndpointId, groupOf, type RunnableEndpoint } from './define-endpoint.ts'
import type { JobWindow } from './job-window.ts'

/** A completed job whose result another job goes on from. */
export interface EarlierJob {
  readonly id: string
  readonly window: JobWindow
  readonly result: unknown
}

/** What an endpoint that reads no media works with. */
export interface TimelineContext<Settings> {
  readonly settings: Settings
  /** A completed job of the same account that the job's credential may see; `not_found` for any other. */
  readonly earlierJob: (jobId: string) => Promise<EarlierJob>
}

export interface TimelineDeclaration<Settings extends z.ZodObject, Result extends z.ZodObject> {
  readonly id: EndpointId
  readonly summary: string
  readonly description: string
  readonly settings: Settings
  readonly result: Result
  readonly example: { readonly settings: z.input<Settings> }
  /** What is wrong with the settings taken together, or undefined. */
  readonly validate: (settings: z.output<Settings>) => string | undefined
  readonly run: () => Promise<{
    readonly run: (context: TimelineContext<z.output<Settings>>) => Promise<z.output<Result>>
  }>
}

/** An endpoint on what others found: it reads no media, makes no files and costs nothing. */
export interface TimelineEndpoint extends RunnableEndpoint {
  readonly readsMedia: false
  readonly run: (context: TimelineContext<unknown>) => Promise<Record<string, unknown>>
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
    reservedSettings: [],
    producesFiles: false,
    price: { unit: 'free', rateMicroUsdPerMinute: microUsd(0) },
    validate: (_window, settings) => declaration.validate(parse(settings)),
    warn: () => [],
    billableMilliseconds: () => 0,
    run: async (context) => {
      const { run } = await declaration.run()
      return run({ ...context, settings: parse(context.settings) })
    },
  }
}
