import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { breakingChanges, type Contract, operation, type Schema, schema } from './breaking-changes.ts'

const line = z.union([operation.extend({ operation: z.string() }), z.object({ component: z.string(), schema })])

/** The document of 0.2.0 without its texts: a line for each operation and component. */
function contractOf020(): Contract {
  const text = readFileSync(path.join(import.meta.dirname, 'openapi-0.2.0.jsonl'), 'utf8')
  const lines = text
    .trim()
    .split('\n')
    .map((each) => line.parse(JSON.parse(each)))
  return {
    operations: new Map(lines.flatMap((each) => ('operation' in each ? [[each.operation, each] as const] : []))),
    components: new Map(lines.flatMap((each) => ('component' in each ? [[each.component, each.schema] as const] : []))),
  }
}

const body = z.object({ content: z.object({ 'application/json': z.object({ schema }).optional() }).optional() })
const document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      operation
        .pick({ parameters: true })
        .extend({ requestBody: body.optional(), responses: z.record(z.string(), body) }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), schema) }),
})
const schemaOf = (each: z.output<typeof body> | undefined) => each?.content?.['application/json']?.schema
const isEnvelope = (each: object | undefined) => JSON.stringify(each)?.endsWith('/ErrorEnvelope"}')

function contractOfToday(): Contract {
  const file = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json')
  const { paths, components } = document.parse(JSON.parse(readFileSync(file, 'utf8')))
  const operations = Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses }]) => {
      const schemas = Object.entries(responses).map(
        ([status, each]) => [status, isEnvelope(schemaOf(each)) ? true : (schemaOf(each) ?? true)] as const,
      )
      const found = { parameters, body: schemaOf(requestBody), responses: Object.fromEntries(schemas) }
      return [`${method} ${url}`, found] as const
    }),
  )
  return {
    operations: new Map(operations),
    components: new Map(Object.entries(asOlderClientsRead(components.schemas))),
  }
}

const forms = z.object({ oneOf: z.array(z.object({ $ref: z.string() })) })
const form = z.object({ properties: z.record(z.string(), schema), required: z.array(z.string()) })
type Schemas = z.output<typeof document>['components']['schemas']

/** What several forms have in common is all that a client needs that knows one form: a job of any endpoint, the answer of any mode. */
function asOlderClientsRead(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { anyOf, oneOf = anyOf, ...rest }]) => {
      const { success, data } = forms.safeParse({ oneOf })
      if (!success) return [name, schemas[name] ?? {}]
      const all = data.oneOf.map(({ $ref }) => form.parse(schemas[$ref.split('/').at(-1) ?? '']))
      const names = new Set(all.flatMap(({ properties }) => Object.keys(properties)))
      const required = [...names].filter((one) => all.every((each) => each.required.includes(one)))
      const properties = Object.fromEntries(
        [...names].map((one) => [
          one,
          commonOf(all.flatMap(({ properties: { [one]: found } }) => (found ? [found] : []))),
        ]),
      )
      return [name, { ...rest, type: 'object', properties, required, additionalProperties: false }]
    }),
  )
}

function commonOf([first = {}, ...others]: readonly Schema[]): Schema {
  if ('const' in first) return { type: 'string' }
  if (others.every((each) => JSON.stringify(each) === JSON.stringify(first))) return first
  return { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {}, anyOf: [first, ...others] }
}

// docs/versions.md lists what is here.
it('the difference from 0.2.0 is additive but for the strictness that is named', () => {
  expect(breakingChanges(contractOf020(), contractOfToday())).toMatchInlineSnapshot(`
    [
      "post /mcp: 400 has another schema",
      "post /mcp: 401 has another schema",
      "request AccountLimitsRequest refuses unknown fields",
      "request AudioDetectSilenceSettings.threshold has other anyOf",
      "request AudioDetectSilenceSettings.threshold: maximum was 1, is undefined",
      "request AudioDetectSilenceSettings.threshold: minimum was -90, is undefined",
      "request JobCreateRequest refuses unknown fields",
      "request JobCreateRequest.media_url: minLength was undefined, is 1",
      "request JobCreateRequest/allOf[0]/then has other oneOf",
      "request JobCreateRequest/allOf[0]/then.media_url is required",
      "request JobCreateRequest/allOf[1]/then has other oneOf",
      "request JobCreateRequest/allOf[1]/then.media_url is required",
      "request JobCreateRequest/allOf[2]/then.media_url is required",
      "request JobCreateRequest/allOf[3]/then.media_url is required",
      "request JobCreateRequest/allOf[4]/then.settings is required",
      "request JobCreateRequest/allOf[5]/then.settings is required",
      "request KeyChange refuses unknown fields",
      "request KeyRequest refuses unknown fields",
      "request post /mcp body/anyOf[0].jsonrpc is required",
      "request post /mcp body/anyOf[0].method is required",
      "request post /mcp body/anyOf[1]/items.jsonrpc is required",
      "request post /mcp body/anyOf[1]/items.method is required",
      "request post /v1/audio/detect-energy body refuses unknown fields",
      "request post /v1/audio/detect-energy body.media_url: minLength was undefined, is 1",
      "request post /v1/audio/detect-silence body refuses unknown fields",
      "request post /v1/audio/detect-silence body.media_url: minLength was undefined, is 1",
      "request post /v1/estimate body refuses unknown fields",
      "request post /v1/estimate body.media_url: minLength was undefined, is 1",
      "request post /v1/timeline/merge body refuses unknown fields",
      "request post /v1/timeline/merge body.media_url: minLength was undefined, is 1",
      "request post /v1/timeline/suggest-ranges body refuses unknown fields",
      "request post /v1/timeline/suggest-ranges body.media_url: minLength was undefined, is 1",
      "request post /v1/video/clip-near body has other oneOf",
      "request post /v1/video/clip-near body refuses unknown fields",
      "request post /v1/video/clip-near body.media_url: minLength was undefined, is 1",
      "request post /v1/video/clip-window body has other oneOf",
      "request post /v1/video/clip-window body refuses unknown fields",
      "request post /v1/video/clip-window body.media_url: minLength was undefined, is 1",
      "request TimelineMergeSettings has other oneOf",
      "request TimelineSuggestRangesSettings has other oneOf",
      "request TimelineSuggestRangesSettings: not was undefined, is {"required":["margin_seconds","padding_seconds"]}",
      "request TimelineSuggestRangesSettings.min_cut_seconds: default was 0.2, is undefined",
      "request TimelineSuggestRangesSettings.padding_seconds: default was 0.2, is undefined",
      "request UploadRequest refuses unknown fields",
      "request UploadRequest.content_type: pattern was undefined, is "^\\\\s*[\\\\w.+-]+/[\\\\w.+-]+\\\\s*(;.*)?$"",
      "request WorkflowRunRequest refuses unknown fields",
      "request WorkflowRunRequest.media_url: minLength was undefined, is 1",
      "response AudioDetectEnergyResult has other anyOf",
      "response AudioDetectSilenceResult has other anyOf",
      "response TimelineMergeResult has other anyOf",
      "response TimelineSuggestRangesResult has other anyOf",
      "response VideoClipNearResult has other anyOf",
      "response VideoClipWindowResult has other anyOf",
      "response WorkflowRun.steps/items.job_id is optional",
    ]
  `)
})
