import { type BaseAddresses, basesOf } from '../../src/core/urls.ts'
import { exampleOf } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { curlExample } from './curl-example.ts'
import { nodeExample } from './nodejs-example.ts'
import { pythonExample } from './python-example.ts'

/** What a program creates and waits for. */
interface ExampleSubject {
  /** The field of the response that has it. */
  readonly kind: 'job' | 'run'
  readonly createPath: string
  /** Followed by its id. */
  readonly readPath: string
}

/** The content of an example, from declarations; each language renders it. */
export interface ExamplePlan extends ExampleSubject {
  /** Tried in order. */
  readonly baseUrls: readonly string[]
  /** The body as JSON, without media_url. */
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

/** A complete program, with the name of its file and the command that runs it. */
export interface CodeExample {
  readonly fileName: string
  readonly command: string
  readonly code: string
}

export interface ExampleInput {
  readonly endpoint: LiveEndpoint
  readonly language: ExampleLanguage
  /** Ignored if the endpoint reads no media. */
  readonly source: ExampleSource
}

/** A program that creates a job, waits for its end and prints the result as JSON. */
export function codeExample(config: BaseAddresses, { endpoint, language, source }: ExampleInput): CodeExample {
  return renderExample(config, language, {
    ...{ kind: 'job', createPath: '/v1/jobs', readPath: '/v1/jobs' },
    request: exampleOf(endpoint),
    source: endpoint.readsMedia ? source : 'none',
  })
}

export interface RunExampleInput {
  readonly language: ExampleLanguage
  /** Of the request that creates a run. */
  readonly createPath: string
  readonly request: object
}

/** The same for a run of a chain on media with a URL. */
export function runExample(config: BaseAddresses, { language, ...input }: RunExampleInput): CodeExample {
  return renderExample(config, language, { ...input, kind: 'run', readPath: '/v1/workflow-runs', source: 'url' })
}

const mediaVariables = { url: 'MEDIA_URL=https://… ', file: 'MEDIA_FILE=interview.mp4 ', none: '' }

function renderExample(
  config: BaseAddresses,
  language: ExampleLanguage,
  { request, ...content }: Omit<ExamplePlan, 'baseUrls' | 'requestJson'> & { readonly request: object },
): CodeExample {
  const { fileName, command, render } = languages[language]
  const requestJson = JSON.stringify({ ...request, media_url: undefined })
  const code = render({ ...content, baseUrls: basesOf(config), requestJson })
  return { fileName, command: `API_KEY=… ${mediaVariables[content.source]}${command}`, code }
}
