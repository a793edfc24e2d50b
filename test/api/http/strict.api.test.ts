import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { mediaUrl, useApi } from '../api.ts'

const api = await useApi()
const account = await api.newAccount()

const run = { mode: 'run_all', media_url: mediaUrl, media_seconds: 60 }
const runs = '/v1/workflows/remove-dead-space/runs'
const job = { endpoint: 'audio/detect-silence', media_url: mediaUrl }

describe('a misspelt field that limits, grants or spends is refused with the name that was meant', () => {
  it.each([
    ['/v1/keys', { name: 'k', scopes: 'audio/*' }, 'body: unknown field "scopes". Did you mean scope?'],
    [
      '/v1/keys',
      { name: 'k', expires: '2030-01-01T00:00:00Z' },
      'body: unknown field "expires". Did you mean expires_at?',
    ],
    [
      '/v1/uploads/presign',
      { filename: 'a.mp4', size: 5 },
      'body: unknown field "size". Use filename, bytes, content_type, resumable, metadata.',
    ],
    [runs, { ...run, max_price: 0.01 }, 'body: unknown field "max_price". Did you mean max_price_usd?'],
    [
      runs,
      { ...run, settings: { 'audio/detect_silence': { threshold: -40 } } },
      'settings: unknown step "audio/detect_silence". Did you mean audio/detect-silence?',
    ],
    [
      runs,
      { ...run, settings: { 'audio/detect-silence': { treshold: -40 } } },
      'Unknown setting "treshold" of audio/detect-silence. Did you mean threshold?',
    ],
    [
      runs,
      { ...run, settings: { 'audio/detect-silence': { end: 5 } } },
      'Unknown setting "end" of audio/detect-silence. Did you mean end? end belongs outside settings.',
    ],
    [
      runs,
      { ...run, settings: { loudness: -16 } },
      'settings: loudness is a setting of a step. Send it as settings["video/clip-window"].loudness.',
    ],
    [
      runs,
      { ...run, settings: { captions: { as: 'burn' } } },
      'settings: captions is a setting of a step. Send it as settings["video/clip-window"].captions.',
    ],
    [
      runs,
      { ...run, settings: { 'video/clip-window': -16 } },
      'settings: expected an object of settings in settings["video/clip-window"].',
    ],
    [
      runs,
      { ...run, settings: { queries: ['thanks'] } },
      'settings: unknown step "queries". Use audio/detect-silence, timeline/suggest-ranges, video/clip-window.',
    ],
    [
      runs,
      { ...run, loudness: -16 },
      'body: loudness is a setting of a step. Send it as settings["video/clip-window"].loudness or settings["video/clip-near"].loudness.',
    ],
    [
      runs,
      { ...run, endpoint: 'audio/detect-silence' },
      'body: unknown field "endpoint". Use media_url, start, end, mode, media_seconds, settings, metadata, callback_url, max_price_usd.',
    ],
    [
      runs,
      { ...run, workflow_id: 'remove-dead-space' },
      'body: unknown field "workflow_id". Use media_url, start, end, mode, media_seconds, settings, metadata, callback_url, max_price_usd.',
    ],
    [
      '/v1/estimate',
      { workflow_id: 'remove-dead-space', media_seconds: 60 },
      'endpoint: send the id of an endpoint, such as video/clip-window. For a chain, use POST /v1/workflows/{workflow_id}/runs: "mode": "plan" returns its prices and runs nothing; body: unknown field "workflow_id". Use endpoint, media_url, start, end, settings, metadata, media_seconds.',
    ],
    [
      '/v1/estimate',
      { ...job, mode: 'plan', media_seconds: 60 },
      'body: mode belongs inside settings: send { "settings": { "mode": … } }.',
    ],
    [
      '/v1/uploads/presign',
      { media_url: mediaUrl },
      'filename is required; body: media_url: media at a URL needs no upload. Send it as the media_url of a job.',
    ],
    ['/v1/jobs', { ...job, end_time: 5 }, 'body: unknown field "end_time". Did you mean end?'],
    [
      '/v1/jobs',
      { ...job, endpoint: 'remove-dead-space' },
      'endpoint: remove-dead-space is a chain: use POST /v1/workflows/remove-dead-space/runs. By default, it returns a plan with prices.',
    ],
    [
      '/v1/workflows/remove-dead-space/runs',
      { ...run, mode: 'run_al' },
      'mode: expected one of plan, queue_first, run_all. Did you mean run_all?',
    ],
    [
      '/v1/jobs',
      { ...job, until: 5 },
      'body: unknown field "until". Use endpoint, media_url, start, end, settings, metadata, callback_url, max_price_usd.',
    ],
    [
      '/v1/jobs',
      { ...job, from: 5 },
      'body: unknown field "from". Use endpoint, media_url, start, end, settings, metadata, callback_url, max_price_usd.',
    ],
    ['/v1/audio/detect-silence', { mediaUrl }, 'body: unknown field "mediaUrl". Did you mean media_url?'],
  ])('POST %s %j', async (path, body, message) => {
    const answer = await account.post(path, body)
    expect([answer.status, answer.body.error?.message]).toEqual([400, message])
  })

  it('PUT /v1/account/limits', async () => {
    const answer = await api.call({
      ...{ method: 'PUT', url: '/v1/account/limits', payload: { monthly_cap_usd: 5, alert: [50] } },
      headers: { authorization: `Bearer ${account.token}` },
    })
    expect([answer.status, answer.body.error?.message]).toEqual([
      400,
      'body: unknown field "alert". Did you mean alert_percents?',
    ])
  })
})

describe('an unknown query parameter is refused', () => {
  it.each([
    ['/v1/jobs?statuses=failed', 'query: unknown parameter "statuses". Did you mean status?'],
    ['/v1/jobs/job_none?waits=5', 'query: unknown parameter "waits". Did you mean wait?'],
    ['/v1/workflow-runs?workflow=remove-dead-space', 'query: unknown parameter "workflow". Did you mean workflow_id?'],
    [
      '/v1/jobs?endpoint=audio/detect_silence',
      expect.stringMatching(/^endpoint: expected one of .*\. Did you mean audio\/detect-silence\?$/),
    ],
    ['/v1/account/limits?x=1', 'query: unknown parameter "x". There is no parameter here.'],
    ['/v1/catalog?group=video', 'query: unknown parameter "group". There is no parameter here.'],
  ])('GET %s', async (path, message) => {
    const answer = await account.get(path)
    expect([answer.status, answer.body.error?.message]).toEqual([400, message])
  })
})

describe('a limit below what a run certainly costs', () => {
  it('is refused at once, and spends nothing', async () => {
    const { accountId, post } = await api.newAccount()
    const answer = await post(runs, { ...run, max_price_usd: 0.001 })
    expect([answer.status, answer.body.error]).toEqual([
      402,
      expect.objectContaining({
        code: 'price_limit_reached',
        message: expect.stringMatching(/^The run costs at least 0\.002 USD, which is more than max_price_usd\. Raise/),
      }),
    ])
    expect(await api.db.job.count({ where: { accountId } })).toBe(0)
  })
})

describe('the OpenAPI document', () => {
  it('forbids unknown fields in every body but those of JSON-RPC and of sign-in pages', async () => {
    const document = openApi.parse(JSON.parse(await readFile('docs/openapi.json', 'utf8')))
    const checked = Object.entries(document.paths).filter(([path]) => !path.startsWith('/api/auth/'))
    const lenient = checked.flatMap(([path, methods]) =>
      Object.values(methods).flatMap((operation) => {
        const schema = bodyOf.safeParse(operation).data?.requestBody.content['application/json'].schema
        if (!schema) return []
        const { $ref, additionalProperties } = schema
        const named = $ref === undefined ? undefined : document.components.schemas[$ref.split('/').at(-1) ?? '']
        return (named?.additionalProperties ?? additionalProperties) === false ? [] : [path]
      }),
    )
    expect(lenient).toEqual(['/mcp'])
  })
})

const schemaOf = z.looseObject({ $ref: z.string().optional(), additionalProperties: z.unknown().optional() })
const openApi = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), schemaOf) }),
})
const bodyOf = z.object({
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: schemaOf }) }) }),
})
