import { z } from 'zod'
import type { BaseAddresses } from '../../src/core/urls.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import {
  type CodeExample,
  codeExample,
  type ExampleLanguage,
  exampleLanguages,
  runExample,
} from '../catalog/code-example.ts'

/** A sample as the reference shows it, in the form of `x-codeSamples`. */
interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

const languages = {
  nodejs: { lang: 'javascript', label: 'Node.js', comment: '//' },
  python: { lang: 'python', label: 'Python', comment: '#' },
  curl: { lang: 'shell', label: 'curl', comment: '#' },
}

export interface SampledOperation {
  readonly method: string
  readonly path: string
  /** The path with the examples of its parameters. */
  readonly examplePath: string
  /** What the query must have, with its `?`. */
  readonly query: string
  /** Whether it takes an API key. */
  readonly takesKey: boolean
  readonly exampleBody: unknown
  /** The field of the file, if the body is a form. */
  readonly formFile?: string | undefined
}

/**
 * Samples that run as shown, with `API_KEY` and their other variables in the environment. An endpoint has the programs that
 * agents get too, and so has a run of a chain; other operations have one call.
 */
export function codeSamples(config: BaseAddresses, operation: SampledOperation): CodeSample[] {
  const programIn = programsOf(config, operation)
  if (!programIn) return [{ ...sampleIn('curl'), source: curlCall(config, operation) }]
  return exampleLanguages.map((language) => {
    const { fileName, command, code } = programIn(language)
    const { comment } = languages[language]
    return { ...sampleIn(language), source: `${comment} Save as ${fileName} and run: ${command}\n${code}` }
  })
}

/** The program of an operation in each language; undefined for an operation that is one call. */
function programsOf(
  config: BaseAddresses,
  { path, examplePath, exampleBody }: SampledOperation,
): ((language: ExampleLanguage) => CodeExample) | undefined {
  const endpoint = endpoints.find(({ id }) => path === `/v1/${id}`)
  if (endpoint) return (language) => codeExample(config, { endpoint, language, source: 'url' })
  if (path !== '/v1/workflows/{workflow_id}/runs') return undefined
  const request = z.looseObject({}).parse(exampleBody)
  return (language) => runExample(config, { language, createPath: examplePath, request })
}

function sampleIn(language: keyof typeof languages): Omit<CodeSample, 'source'> {
  const { lang, label } = languages[language]
  return { lang, label }
}

function curlCall(
  { BASE_URL }: BaseAddresses,
  { method, path, query, takesKey, exampleBody, formFile }: SampledOperation,
): string {
  const address = `${BASE_URL}${path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => `$${name.toUpperCase()}`)}${query}`
  const body =
    exampleBody === undefined ? [] : ["--header 'Content-Type: application/json'", `--data ${inShell(exampleBody)}`]
  const key = takesKey ? ['--header "Authorization: Bearer $API_KEY"'] : []
  const form = formFile === undefined ? [] : [`--form "${formFile}=@$FILE"`]
  return [`curl --fail-with-body --request ${method.toUpperCase()} "${address}"`, ...key, ...body, ...form].join(
    ' \\\n  ',
  )
}

/** A body in single quotes, with the caller's media and job in place of the example's. */
function inShell(body: unknown): string {
  const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`)
  const withMedia = json.replaceAll(/"https:\/\/media\.example\/[^"]*"/g, `"'"$MEDIA_URL"'"`)
  return `'${withMedia.replaceAll(/("job_id":)"[^"]*"/g, `$1"'"$JOB_ID"'"`)}'`
}

const schemaOfBody = z.object({ examples: z.array(z.unknown()).optional(), $ref: z.string().optional() })
const jsonBody = z.object({
  content: z.object({ 'application/json': z.object({ schema: schemaOfBody, example: z.unknown().optional() }) }),
})

/** The first example of an operation's body, or of the schema that it names; undefined without one. */
export function exampleOfBody(requestBody: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  const { data } = jsonBody.safeParse(requestBody)
  if (!data) return undefined
  const { schema, example } = data.content['application/json']
  const named = schemaOfBody.safeParse(schemas[schema.$ref?.split('/').at(-1) ?? '']).data
  return example ?? (schema.examples ?? named?.examples)?.[0]
}

const formBody = z.object({
  content: z.object({ 'multipart/form-data': z.object({ schema: z.object({ $ref: z.string() }) }) }),
})
const formFields = z.object({ properties: z.record(z.string(), z.unknown()) })

/** The first field of an operation's form, which is its file; undefined without a form. */
export function formFileOf(requestBody: unknown, schemas: Readonly<Record<string, unknown>>): string | undefined {
  const { data } = formBody.safeParse(requestBody)
  if (!data) return undefined
  const name = data.content['multipart/form-data'].schema.$ref.split('/').at(-1) ?? ''
  return Object.keys(formFields.parse(schemas[name]).properties)[0]
}
