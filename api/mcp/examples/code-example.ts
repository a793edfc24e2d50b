import type { Config } from '../../../src/config.ts'
import type { LiveEndpoint } from '../../../src/endpoints/define-endpoint.ts'
import { exampleOf } from '../../../src/endpoints/example.ts'
import { curlExample } from './curl.ts'
import { nodeExample } from './nodejs.ts'
import { pythonExample } from './python.ts'

/** What an example does, from declarations; each language says it in its own words. */
export interface ExamplePlan {
  /** Tried in order. */
  readonly baseUrls: readonly string[]
  /** Body of the job, as JSON, without its media_url where it has one. */
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
  /** Means nothing where the endpoint reads no media. */
  readonly source: ExampleSource
}

const mediaVariables = { url: 'MEDIA_URL=https://… ', file: 'MEDIA_FILE=interview.mp4 ', none: '' }

/** A program that runs as it is: it creates a job, waits for its end and prints the result as JSON. */
export function codeExample(
  { BASE_URL, FALLBACK_BASE_URL }: Pick<Config, 'BASE_URL' | 'FALLBACK_BASE_URL'>,
  { endpoint, language, source: wanted }: ExampleInput,
) {
  const { media_url: _, ...request } = exampleOf(endpoint)
  const { fileName, command, render } = languages[language]
  const source = endpoint.readsMedia ? wanted : 'none'
  const code = render({
    baseUrls: [BASE_URL, ...(FALLBACK_BASE_URL ? [FALLBACK_BASE_URL] : [])],
    requestJson: JSON.stringify(request),
    source,
  })
  return { fileName, command: `API_KEY=… ${mediaVariables[source]}${command}`, code }
}
