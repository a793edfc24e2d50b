import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTable, isErrorCode } from '../../src/core/errors.ts'
import { liveEndpoints } from '../../src/endpoints/catalog.ts'
import { type Api, startApi } from './api.ts'

const file = path.join(import.meta.dirname, '..', '..', 'docs', 'openapi.json')

let api: Api
// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
let document: any
beforeAll(async () => {
  api = await startApi({ BASE_URL: 'http://127.0.0.1:3000', FALLBACK_BASE_URL: '' })
  document = (await api.call({ url: '/openapi.json' })).body
})
afterAll(async () => api.close())

describe('the OpenAPI document', () => {
  it('is the one in docs/ (after a change on purpose: npx vitest run test/api/openapi.test.ts -u)', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(file)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(document)
  })

  it('is 3.1 and offers exactly the live endpoints', () => {
    expect(document.openapi).toBe('3.1.1')
    expect(document.components.schemas.JobCreateRequest.properties.endpoint.enum).toEqual(
      liveEndpoints.map(({ id }) => id),
    )
  })

  it('holds every reference that it makes, and nothing that is not referred to', () => {
    const text = JSON.stringify(document)
    const referenced = new Set([...text.matchAll(/#\/components\/schemas\/([^"]+)/g)].map(([, name]) => name))
    expect(referenced).toEqual(new Set(Object.keys(document.components.schemas)))
  })

  it('declares the errors of every operation with the envelope, each with its codes', () => {
    for (const item of Object.values<Record<string, { responses: Record<string, any> }>>(document.paths)) {
      for (const { responses } of Object.values(item)) {
        for (const [status, response] of Object.entries(responses)) {
          expect(response.headers).toHaveProperty('x-request-id')
          if (Number(status) < 400) continue
          expect(response.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/ErrorEnvelope' })
          const codes = response.description.replaceAll('`', '').split(', ').filter(isErrorCode)
          expect(codes.map((code: keyof typeof errorTable) => String(errorTable[code].httpStatus))).toContain(status)
        }
      }
    }
  })

  it('documents the settings of every live endpoint on its own path', () => {
    for (const { id, settings } of liveEndpoints) {
      const { schema } = document.paths[`/v1/${id}`].post.requestBody.content['application/json']
      const [{ $ref }] = schema.properties.settings.allOf
      const component = document.components.schemas[$ref.split('/').at(-1)]
      expect(Object.keys(component.properties)).toEqual(Object.keys(settings.shape))
    }
  })
})
