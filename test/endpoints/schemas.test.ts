import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { segment, time } from '../../src/endpoints/fields.ts'
import { outputFile } from '../../src/endpoints/result-files.ts'

// The schemas of requests and responses. A difference is a change of the public contract: review it, then update with `-u`.

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_id, endpoint) => {
  it('takes these settings', () => {
    expect(z.toJSONSchema(endpoint.settings, { io: 'input' })).toMatchSnapshot()
  })

  it('gives this result', () => {
    expect(z.toJSONSchema(endpoint.result, { io: 'output' })).toMatchSnapshot()
  })
})

it.each([
  ['time', time, 'input'],
  ['segment', segment, 'output'],
  ['output file', outputFile, 'output'],
] as const)('shared field: %s', (_name, schema, io) => {
  expect(z.toJSONSchema(schema, { io })).toMatchSnapshot()
})
