import { type BaseAddresses, basesOf } from '../../../src/core/urls.ts'
import { exampleOf } from '../../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../../src/endpoints/define-endpoint.ts'
import { curlExample } from './curl.ts'
import { nodeExample } from './nodejs.ts'
import { pythonExample } from './python.ts'

/** The content of an example, from declarations; each language renders it. */
export interface ExamplePlan {
  /** Tried in order. */
  readonly baseUrls: readonly string[]
  /** The job's body as JSON, without media_url. */
  readonly requestJson: string
  /** Whether it uploads a file, names a URL, or the endpoint reads no media. */
  readonly source: ExampleSource | 'none'
}

export const exampleLanguages = ['nodejs', 'python', 'curl'] as const
export const exampleSources = ['url', 'file'] as const
export type ExampleLanguage = (typeof exampleLanguages)[number]
export type ExampleSource = (typeof exampleSources)[number]

const languages = {
  nodejs: { fileName: 'example.mjs', command: 'node example.mjs', render: nodeExample },
  python: { fileName: 'example.py', command: 'python3 example.py', render: pythonExample },
  curl: { fileName: 'example.sh', command: 'bash example.sh', render: curlExample },
}

export interface ExampleInput {
  readonly endpoint: LiveEndpoint
  readonly language: ExampleLanguage
  /** Ignored if the endpoint reads no media. */
  readonly source: ExampleSource
}

const mediaVariables = { url: 'MEDIA_URL=https://… ', file: 'MEDIA_FILE=interview.mp4 ', none: '' }

/** A complete program that creates a job, waits for its end and prints the result as JSON. */
export function codeExample(config: BaseAddresses, { endpoint, language, source: wanted }: ExampleInput) {
  const { media_url: _, ...request } = exampleOf(endpoint)
  const { fileName, command, render } = languages[language]
  const source = endpoint.readsMedia ? wanted : 'none'
  const code = render({
    baseUrls: basesOf(config),
    requestJson: JSON.stringify(request),
    source,
  })
  return { fileName, command: `API_KEY=… ${mediaVariables[source]}${command}`, code }
}
