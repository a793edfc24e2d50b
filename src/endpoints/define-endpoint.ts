import type { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import type { MediaInfo } from '../core/media.ts'
import type { MicroUsd } from '../core/money.ts'
import { indexedPassages, type Passage } from '../core/passages.ts'
import { type EndpointGroup, endpointGroups } from '../core/scopes.ts'
import type { JobWindow, Segment } from '../core/segments.ts'
import type { ModelName } from '../models/models.ts'
import type { NamedJob, TimelineEndpoint } from './define-timeline-endpoint.ts'
import { resolveWindow, windowMilliseconds } from './parse-settings.ts'
import type { EndpointParts, RunContext, RunOutput, SearchContext } from './run-contract.ts'

export type EndpointId = `${EndpointGroup}/${string}`

/** `media_minute`: per minute of media analysed. `output_minute`: per minute of media produced. */
export interface Price {
  readonly unit: 'media_minute' | 'output_minute' | 'free'
  readonly rateMicroUsdPerMinute: MicroUsd
}

/** By the name of a list. A list in the transcript of a result counts as one of the result. */
export type ExportNouns = Readonly<Record<string, string>>

/** Settings that only the caller can fill in, which plans for agents leave open. */
export interface OpenSettings {
  /** With placeholders such as `<words>`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** What the caller replaces each placeholder by. */
  readonly placeholders: Readonly<Record<string, string>>
  /** Goals that are reached without these settings. */
  readonly needlessFor?: RegExp
}

/** What catalogs and documents say of an endpoint. */
export interface EndpointTexts {
  readonly id: EndpointId
  /** What pages for people call its work. */
  readonly title: string
  readonly summary: string
  readonly description: string
  /** What people call its work, beside its summary. Plans for agents find it by these words. */
  readonly keywords: string
  /** What people ask for that it does. Plans for agents rank it among the best three, which a test proves. */
  readonly goals: readonly string[]
}

/** What an endpoint has as it is declared. */
interface EndpointFacts extends EndpointTexts {
  /** The lists of its result that have times, each with what one of its entries is called. Those that people cut by come first. */
  readonly exportNouns?: ExportNouns
  readonly producesFiles: boolean
  /** A run may find nothing to make a file of. */
  readonly mayHaveNoFile?: true
  /** Adds `preview` to the result: the run's only file with that role. */
  readonly hasPreview?: true
  readonly price: Price
  readonly open?: OpenSettings
  /** What `validate` asks of requests, as JSON Schema for the OpenAPI document. */
  readonly requestRule?: Readonly<Record<string, unknown>>
}

export interface EndpointDeclaration<Settings extends z.ZodObject, Result extends z.ZodObject> extends EndpointFacts {
  readonly needs: { readonly audio?: true; readonly video?: true }
  /** Where one of them is not installed, the endpoint is a preview. */
  readonly models?: readonly ModelName[]
  readonly settings: Settings
  /** The result of the implementation. With `producesFiles`, the fields of output files are added. */
  readonly result: Result
  /** The text in a result, with its times, by which `GET /v1/search` finds the job. */
  readonly searchableText?: (result: z.output<Result>) => readonly Passage[]
  readonly example: {
    readonly start?: number | string
    readonly end?: number | string
    readonly settings: z.input<Settings>
  }
  /** A message about an invalid combination of start, end and settings, or undefined. */
  readonly validate?: (window: JobWindow, settings: z.output<Settings>) => string | undefined
  /** Warnings about accepted settings. */
  readonly warn?: (settings: z.output<Settings>) => string[]
  /** The maximum that can be billed, in whole milliseconds; undefined while it depends on an unknown length. Left out: the length of the window. */
  readonly billableMilliseconds?: (
    window: JobWindow,
    settings: z.output<Settings>,
    mediaSeconds: number | undefined,
  ) => number | undefined
  /** The ids of the uploaded pictures that a job with these settings reads in place of media. Undefined for jobs on media. */
  readonly uploadsToRead?: (settings: z.output<Settings>) => readonly string[] | undefined
  /** The id of the brand that the job uses. */
  readonly brandToUse?: (settings: z.output<Settings>) => string | undefined
  /** Lists the earlier jobs whose results the job reads. An endpoint that reads none leaves this out. */
  readonly jobsToRead?: (settings: z.output<Settings>) => readonly NamedJob[]
  /** The windows of the media that a run reads. Left out if it reads the sound once, in order. */
  readonly windowsToRead?: (window: JobWindow, settings: z.output<Settings>, mediaSeconds: number) => readonly Segment[]
  /** Whether the settings make work that the length and the pixels of the media do not show, such as drawing. */
  readonly takesLonger?: (settings: z.output<Settings>) => boolean
  /** The first of the settings that media without a picture cannot meet. */
  readonly needsPictureFor?: (settings: z.output<Settings>) => string | undefined
  /** Left out if the work of one job never splits. */
  readonly parts?: PartsDeclaration<z.output<Settings>>
  /** Loads what searches the kept sound again, with other settings. Left out if nothing kept answers them at once. */
  readonly searchAgain?: () => Promise<(context: SearchContext<z.output<Settings>>) => Promise<object>>
  /** Loads the implementation. */
  readonly run: () => Promise<(context: RunContext<z.output<Settings>>) => Promise<RunOutput<z.output<Result>>>>
}

export interface PartsDeclaration<Settings> {
  readonly isWorthwhile: (window: JobWindow, settings: Settings, info: MediaInfo) => boolean
  /** Loads the implementation. */
  readonly load: () => Promise<EndpointParts<Settings>>
}

/** The common interface of live endpoints. It parses settings itself, so that callers handle every endpoint alike. */
export interface RunnableEndpoint extends EndpointFacts {
  readonly stage: 'live'
  readonly group: EndpointGroup
  readonly settings: z.ZodObject
  readonly result: z.ZodObject
  readonly example: { readonly start?: number | string; readonly end?: number | string; readonly settings: object }
  readonly validate: (window: JobWindow, settings: unknown) => string | undefined
  readonly warn: (settings: unknown) => string[]
  readonly jobsToRead: (settings: unknown) => readonly NamedJob[]
  readonly billableMilliseconds: (
    window: JobWindow,
    settings: unknown,
    mediaSeconds: number | undefined,
  ) => number | undefined
}

export interface MediaEndpoint extends RunnableEndpoint {
  readonly readsMedia: true
  readonly needs: { readonly audio?: true; readonly video?: true }
  readonly models: readonly ModelName[]
  /** Undefined for jobs on media. */
  readonly uploadsToRead: (settings: unknown) => readonly string[] | undefined
  readonly brandToUse: (settings: unknown) => string | undefined
  /** Undefined if a run reads the sound once, in order. */
  readonly windowsToRead:
    | ((window: JobWindow, settings: unknown, mediaSeconds: number) => readonly Segment[])
    | undefined
  readonly takesLonger: (settings: unknown) => boolean
  readonly needsPictureFor: (settings: unknown) => string | undefined
  readonly parts: MediaParts | undefined
  readonly searchAgain: ((context: SearchContext<unknown>) => Promise<object>) | undefined
  /** Loads the code of `run`, for which the first job would wait. */
  readonly load: () => Promise<unknown>
  readonly run: (context: RunContext<unknown>) => Promise<RunOutput<Record<string, unknown>>>
}

export interface MediaParts extends EndpointParts<unknown> {
  readonly isWorthwhile: (window: JobWindow, settings: unknown, info: MediaInfo) => boolean
}

export type LiveEndpoint = MediaEndpoint | TimelineEndpoint

/** An endpoint that is listed, and answers `endpoint_unavailable`: its models are not installed. */
interface PreviewEndpoint {
  readonly stage: 'preview'
  readonly id: EndpointId
  readonly group: EndpointGroup
  readonly summary: string
}

export type Endpoint = LiveEndpoint | PreviewEndpoint

export function defineEndpoint<Settings extends z.ZodObject, Result extends z.ZodObject>(
  declaration: EndpointDeclaration<Settings, Result>,
): MediaEndpoint {
  const parse = (settings: unknown) => declaration.settings.parse(settings)
  const { windowsToRead, parts, searchableText, searchAgain } = declaration
  return {
    ...declaration,
    stage: 'live',
    readsMedia: true,
    models: declaration.models ?? [],
    group: groupOf(declaration.id),
    validate: (window, settings) => declaration.validate?.(window, parse(settings)),
    warn: (settings) => declaration.warn?.(parse(settings)) ?? [],
    billableMilliseconds: (window, settings, mediaSeconds) =>
      declaration.billableMilliseconds
        ? declaration.billableMilliseconds(window, parse(settings), mediaSeconds)
        : windowMilliseconds(window, mediaSeconds),
    jobsToRead: (settings) => declaration.jobsToRead?.(parse(settings)) ?? [],
    uploadsToRead: (settings) => declaration.uploadsToRead?.(parse(settings)),
    brandToUse: (settings) => declaration.brandToUse?.(parse(settings)),
    windowsToRead: windowsToRead && ((window, settings, length) => windowsToRead(window, parse(settings), length)),
    takesLonger: (settings) => declaration.takesLonger?.(parse(settings)) ?? false,
    needsPictureFor: (settings) => declaration.needsPictureFor?.(parse(settings)),
    parts: parts && {
      isWorthwhile: (window, settings, info) => parts.isWorthwhile(window, parse(settings), info),
      plan: async (context) => (await parts.load()).plan({ ...context, settings: parse(context.settings) }),
      run: async (context, part) => (await parts.load()).run({ ...context, settings: parse(context.settings) }, part),
    },
    searchAgain:
      searchAgain && (async (context) => (await searchAgain())({ ...context, settings: parse(context.settings) })),
    load: declaration.run,
    run: async (context) => {
      const run = await declaration.run()
      const output = await run({ ...context, settings: parse(context.settings) })
      return searchableText ? { ...output, passages: await indexedPassages(searchableText(output.result)) } : output
    },
  }
}

export function groupOf(id: EndpointId): EndpointGroup {
  const group = endpointGroups.find((candidate) => id.startsWith(`${candidate}/`))
  if (!group) throw new TypeError(`${id} is in no group`)
  return group
}

/**
 * Throws if the endpoint cannot process the media: a track is missing, or the window is past its end. `placeOf` is where the request
 * has a setting.
 */
export function checkMedia(
  { needs, needsPictureFor }: MediaEndpoint,
  { settings, ...window }: JobWindow & { readonly settings: unknown },
  info: MediaInfo,
  placeOf: (setting: string) => string = (setting) => setting,
): void {
  if (needs.audio && info.audio.length === 0) throw new ServiceError('no_audio_track')
  if (needs.video && !info.video) throw new ServiceError('no_video_track')
  const asked = info.video ? undefined : needsPictureFor(settings)
  if (asked)
    throw new ServiceError('no_video_track', `The media has no picture, and ${placeOf(asked)} needs one. Leave it out.`)
  resolveWindow(window, info.durationSeconds)
}
