import { z } from 'zod'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { componentName } from '../catalog/routes.ts'

// The routes validate one schema of jobs for all endpoints. The document has one for each, so that generated clients know which result
// belongs to which endpoint.

const anySchema = z.looseObject({})

const objectSchema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({})),
  required: z.array(z.string()).default([]),
})

type Schemas = Readonly<Record<string, unknown>>

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const typed = ['endpoint', 'settings', 'result']

/** The schemas as clients read them: a job by its endpoint, and the answer to a run by its mode. */
export function tellApart(schemas: Schemas): Schemas {
  return { ...schemas, ...discriminatedJobs(schemas), ...runAnswers(schemas) }
}

/** A `Job` that `endpoint` discriminates: `AudioFindWordsJob` and so on, each with its own result, in its own envelope. */
function discriminatedJobs(schemas: Schemas): Schemas {
  const job = objectSchema.parse(schemas['Job'])
  const envelope = objectSchema.parse(schemas['JobEnvelope'])
  const shared = Object.fromEntries(Object.entries(job.properties).filter(([name]) => !typed.includes(name)))
  const { settings, result } = job.properties
  const ofEndpoints = endpoints.map((endpoint) => {
    const name = componentName(endpoint)
    const properties = {
      ...{ id: job.properties['id'], endpoint: { type: 'string', const: endpoint.id } },
      settings: { ...refTo(`${name}Settings`), description: settings?.['description'] },
      result: { ...refTo(`${name}Result`), description: result?.['description'] },
      ...shared,
    }
    return { id: endpoint.id, name: `${name}Job`, schema: { ...job, properties } }
  })
  const mapping = Object.fromEntries(ofEndpoints.map(({ id, name }) => [id, refTo(name).$ref]))
  const jobs = ofEndpoints.flatMap(({ name, schema }): [string, unknown][] => [
    [name, schema],
    [`${name}Envelope`, { ...envelope, properties: { ...envelope.properties, job: refTo(name) } }],
  ])
  return {
    ...Object.fromEntries(jobs),
    Job: { oneOf: ofEndpoints.map(({ name }) => refTo(name)), discriminator: { propertyName: 'endpoint', mapping } },
  }
}

/** What each mode of a run answers. */
function runAnswers(schemas: Schemas): Schemas {
  const { properties, ...rest } = objectSchema.parse(schemas['WorkflowRunCreated'])
  const form = (description: string, required: readonly string[], optional: readonly string[] = []) => {
    const names = ['request_id', ...required, ...optional]
    const kept = Object.fromEntries(names.map((name) => [name, properties[name]]))
    return { ...rest, description, properties: kept, required: ['request_id', ...required] }
  }
  const forms = {
    WorkflowRunStarted: form('With run_all.', ['run_id', 'run'], ['plan']),
    WorkflowFirstJob: form('With queue_first.', ['job_id', 'job'], ['plan']),
    WorkflowPlanned: form('With plan.', ['plan']),
  }
  return { ...forms, WorkflowRunCreated: { anyOf: Object.keys(forms).map((name) => refTo(name)) } }
}

const directEnvelopes = new Map(
  endpoints.map((endpoint) => [`/v1/${endpoint.id}`, `${componentName(endpoint)}JobEnvelope`]),
)

/** A response of a path; that of an endpoint's own path has the envelope of its jobs. */
export function ofOwnEnvelope(path: string, response: object): object {
  const name = directEnvelopes.get(path)
  if (name === undefined) return response
  return anySchema.parse(
    JSON.parse(
      JSON.stringify(response).replaceAll('"#/components/schemas/JobEnvelope"', JSON.stringify(refTo(name).$ref)),
    ),
  )
}
