import { z } from 'zod'
import type { ModelName } from '../models/models.ts'
import { detectEnergyEndpoint } from './audio-detect-energy/declaration.ts'
import { detectLaughterEndpoint } from './audio-detect-laughter/declaration.ts'
import { detectSilenceEndpoint } from './audio-detect-silence/declaration.ts'
import { findWordsEndpoint } from './audio-find-words/declaration.ts'
import { semanticChunksEndpoint } from './audio-semantic-chunks/declaration.ts'
import type { Endpoint, ExportNouns, LiveEndpoint } from './define-endpoint.ts'
import { findHighlightsEndpoint } from './timeline-find-highlights/declaration.ts'
import { mergeEndpoint } from './timeline-merge/declaration.ts'
import { suggestRangesEndpoint } from './timeline-suggest-ranges/declaration.ts'
import { syncEndpoint } from './timeline-sync/declaration.ts'
import { bestFramesEndpoint } from './video-best-frames/declaration.ts'
import { clipNearEndpoint } from './video-clip-near/declaration.ts'
import { clipWindowEndpoint } from './video-clip-window/declaration.ts'
import { textFramesEndpoint } from './video-text-frames/declaration.ts'
import { thumbnailScoreEndpoint } from './video-thumbnail-score/declaration.ts'

/** Every endpoint, in the order in which catalogs and documents show them. */
export const endpoints: readonly LiveEndpoint[] = [
  clipWindowEndpoint,
  clipNearEndpoint,
  detectSilenceEndpoint,
  detectEnergyEndpoint,
  detectLaughterEndpoint,
  findWordsEndpoint,
  semanticChunksEndpoint,
  bestFramesEndpoint,
  thumbnailScoreEndpoint,
  textFramesEndpoint,
  suggestRangesEndpoint,
  findHighlightsEndpoint,
  mergeEndpoint,
  syncEndpoint,
]

/** What people cut by, first. */
const preferredLists = ['ranges', 'matches', 'segments', 'chunks', 'lines', 'sentences', 'words']

/** Every list that a result can be exported by. */
export const exportListNames: readonly string[] = [
  ...new Set([...preferredLists, ...endpoints.flatMap(({ exportNouns = {} }) => Object.keys(exportNouns))]),
]

export function exportNounsOf(id: string): ExportNouns {
  return findEndpoint(id)?.exportNouns ?? {}
}

/** The result of a job, as exports read it. */
export function exportableResult({ endpoint, result }: { readonly endpoint: string; readonly result: unknown }) {
  return { result: z.looseObject({}).parse(result), nouns: exportNounsOf(endpoint) }
}

export function findEndpoint(id: string): LiveEndpoint | undefined {
  return endpoints.find((endpoint) => endpoint.id === id)
}

export function liveEndpoint(id: string): LiveEndpoint {
  const endpoint = findEndpoint(id)
  if (!endpoint) throw new TypeError(`${id} is not an endpoint`)
  return endpoint
}

/** The endpoints as an installation with these models has them. */
export function endpointsWith(models: ReadonlySet<ModelName>): readonly Endpoint[] {
  return endpoints.map((endpoint) => withModels(endpoint, models))
}

export function findEndpointWith(models: ReadonlySet<ModelName>, id: string): Endpoint | undefined {
  const endpoint = findEndpoint(id)
  return endpoint && withModels(endpoint, models)
}

/** The endpoint as an installation with these models has it: a preview if some that it needs are not installed. */
function withModels(endpoint: LiveEndpoint, models: ReadonlySet<ModelName>): Endpoint {
  if (missingModels(endpoint, models).length === 0) return endpoint
  const { id, group, summary } = endpoint
  return { stage: 'preview', id, group, summary }
}

/** The models of the endpoint that are not installed. */
export function missingModels(endpoint: LiveEndpoint, models: ReadonlySet<ModelName>): ModelName[] {
  return endpoint.readsMedia ? endpoint.models.filter((model) => !models.has(model)) : []
}

export const exampleMediaUrl = 'https://media.example/interview.mp4'

/** The declared example as the body of `POST /v1/jobs`. */
export function exampleOf({ id, example, readsMedia }: LiveEndpoint) {
  const settings = { ...example.settings }
  const media = readsMedia ? { media_url: exampleMediaUrl } : {}
  return { endpoint: id, ...media, ...example, settings }
}
