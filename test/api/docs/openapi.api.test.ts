import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errorTable, isErrorCode } from '../../../src/core/errors.ts'
import { endpoints } from '../../../src/endpoints/catalog.ts'
import { useApi } from '../api.ts'

const file = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json')

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        parameters: z.array(z.looseObject({ name: z.string(), description: z.string().optional() })).optional(),
        requestBody: z.any().optional(),
        responses: z.record(z.string(), z.any()),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.any()) }),
})

const api = await useApi({ BASE_URL: 'http://127.0.0.1:3000', FALLBACK_BASE_URL: '' })
const served = (await api.call({ url: '/openapi.json' })).text
const document = documentSchema.parse(JSON.parse(served))

describe('the OpenAPI document', () => {
  it('is the one in docs/ (after an intended change: npx vitest run test/api/docs/openapi.api.test.ts -u)', async () => {
    await expect(`${JSON.stringify(JSON.parse(served), null, 2)}\n`).toMatchFileSnapshot(file)
  })

  it('contains exactly the schemas that it references', () => {
    const text = JSON.stringify(document)
    const referenced = new Set([...text.matchAll(/#\/components\/schemas\/([^"]+)/g)].map(([, name]) => name))
    expect(referenced).toEqual(new Set(Object.keys(document.components.schemas)))
  })

  it('says what each parameter of a list takes, and what it is without one', () => {
    const lists = Object.entries(document.paths).flatMap(([path, { get }]) =>
      (get?.parameters ?? []).flatMap(({ name, description }) =>
        ['limit', 'status', 'endpoint', 'workflow_id'].includes(name) && !path.includes('{')
          ? [[`${path} ${name}`, description] as const]
          : [],
      ),
    )
    expect(lists.length).toBeGreaterThanOrEqual(9)
    for (const [place, description] of lists)
      expect([place, description]).toEqual([place, expect.stringMatching(/when left out/)])
  })

  it('declares Idempotent-Replayed on the successes of exactly the operations that take an Idempotency-Key', () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    for (const { operationId, parameters = [], responses } of operations) {
      const takesKey = parameters.some(({ name }) => name === 'idempotency-key')
      const replayed = Object.keys(responses).filter((status) => responses[status].headers['idempotent-replayed'])
      const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
      expect([operationId, replayed]).toEqual([operationId, takesKey ? successes : []])
    }
    expect(document.components['headers']).toHaveProperty('idempotent-replayed')
  })

  it('names no setting that only older clients send', () => {
    expect(JSON.stringify(document)).not.toContain('_run_on_worker')
  })

  it('declares the errors of every operation with the envelope, each with its codes', () => {
    const envelope = { $ref: '#/components/schemas/ErrorEnvelope' }
    /** JSON that is no message, and a refused key, get errors of the agents' protocol. */
    const errorOfAgents: Readonly<Record<string, object>> = {
      400: { anyOf: [envelope, { $ref: '#/components/schemas/ProtocolError' }] },
      401: { $ref: '#/components/schemas/ProtocolRefusal' },
    }
    for (const item of Object.values(document.paths)) {
      for (const { operationId, responses } of Object.values(item)) {
        for (const [status, response] of Object.entries(responses)) {
          expect(response.headers).toHaveProperty('x-request-id')
          if (Number(status) < 400) continue
          const declared = operationId === 'sendMessage' ? errorOfAgents[status] : undefined
          expect(response.content['application/json'].schema).toEqual(declared ?? envelope)
          const codes = response.description.replaceAll('`', '').split(', ').filter(isErrorCode)
          expect(codes.map((code: keyof typeof errorTable) => String(errorTable[code].httpStatus))).toContain(status)
        }
      }
    }
  })

  it("declares for every account path that the owner's session also gives access, and for the account's deletion that nothing else does", () => {
    expect(document.paths['/v1/account']?.['delete']?.security).toEqual([{ Session: [] }])
    const paths = Object.keys(document.paths).filter((path) => /^\/v1\/(account\/|keys|usage)/.test(path))
    expect(paths.length).toBeGreaterThanOrEqual(6)
    for (const path of paths) {
      for (const { security } of Object.values(document.paths[path] ?? {})) {
        expect(security).toEqual([{ ApiKey: [] }, { Session: [] }])
      }
    }
  })

  it('tells nobody to poll what they deleted', () => {
    const deletions = Object.values(document.paths).flatMap(({ delete: deletion }) => deletion?.responses['202'] ?? [])
    expect(deletions.length).toBeGreaterThan(0)
    for (const { description, headers } of deletions) {
      expect(description).toBe('Accepted: the service erases the rest soon.')
      expect(headers).not.toHaveProperty('retry-after')
    }
  })

  it('documents the settings of every live endpoint on its direct path', () => {
    for (const { id, settings } of endpoints) {
      const operation = document.paths[`/v1/${id}`]?.['post']
      const [{ $ref }] = operation?.requestBody.content['application/json'].schema.properties.settings.allOf ?? []
      const component = document.components.schemas[$ref.split('/').at(-1)]
      expect(Object.keys(component.properties)).toEqual(Object.keys(settings.shape))
    }
  })
})
