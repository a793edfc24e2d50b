import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeTool, type Tool } from '../../../api/mcp/define-tool.ts'
import { tools } from '../../../api/mcp/tool-list.ts'
import { createKey } from '../../../src/accounts/keys.ts'
import { codeOf, useApi } from '../api.ts'
import { hostileJson, tryEach, withHostile } from '../http/hostile.ts'
import { createAgent } from './agent.ts'
import { answerProbes } from './answer-probes.ts'
import { exampleCall } from './arguments.ts'

// One job runs and the others wait, so that only one workflow starts.
const api = await useApi({ RUNNING_JOBS_PER_ACCOUNT: '1' })
const account = await api.newAccount()
const jobId = await account.create()
afterAll(answerProbes(api))

const agent = () => createAgent(api, account.token)

async function exampleOf(tool: Tool) {
  const { keyId } = await createKey(api.db, { accountId: account.accountId, name: 'other' })
  return exampleCall(tool, { jobId, keyId })
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

describe.each(tools.map((tool) => [`svc.${tool.name}`, tool] as const))('%s', (name, tool) => {
  it('answers its example as its schema says', async () => {
    const { given, code } = await exampleOf(tool)
    const result = await agent().use(name, given)
    if (code) {
      expect([result.isError, result._meta?.error?.code]).toEqual([true, code])
    } else {
      expect(result.isError).toBeUndefined()
      const { $schema: _, ...schema } = { ...describeTool({ TOOL_PREFIX: 'svc.' }, tool).outputSchema }
      const isDeclared = ajv.compile(schema)
      expect([isDeclared(result.structuredContent), isDeclared.errors]).toEqual([true, null])
    }
  })

  it('refuses arguments that are missing, unknown or of another type', async () => {
    const { given } = await exampleOf(tool)
    const { required = [] } = z.toJSONSchema(tool.input, { io: 'input' })
    const missing = required.map((field) => ({ ...given, [field]: undefined }))
    const otherType = Object.keys(tool.input.shape).map((field) => ({ ...given, [field]: [[]] }))
    for (const wrong of [...missing, ...otherType, { ...given, not_an_argument: 1 }])
      expect([wrong, await agent().failure(name, wrong)]).toEqual([wrong, 'invalid_request'])
  })

  it('survives any input', async () => {
    const { given: before } = await exampleOf(tool)
    const fields = Object.keys(tool.input.shape)
    const hostile = [
      ...hostileJson,
      ...fields.flatMap((field) => hostileJson.map((json) => withHostile(before, field, json))),
    ]
    await tryEach(hostile, async (json) => {
      const params = withHostile({ name }, 'arguments', json)
      const { status, text, body } = await agent().post(
        withHostile({ jsonrpc: '2.0', id: 1, method: 'tools/call' }, 'params', params),
      )
      const seen = [status, json.slice(0, 200), text.slice(0, 200)]
      expect(seen).toEqual([expect.toBeOneOf([200, 400]), expect.anything(), expect.anything()])
      expect(body.result?._meta?.error?.code).not.toBe('server_error')
      expect(text).not.toMatch(/prisma|node_modules|at .*\.ts:/i)
    })
  })
})

describe('a tool that acts for an account', () => {
  const guarded = tools.filter(({ auth }) => auth !== 'none').map(({ name }) => `svc.${name}`)

  it.each(guarded)('%s: 401 without a credential, with a link to get one', async (name) => {
    for (const answer of [
      await createAgent(api).callTool(name),
      await createAgent(api, undefined, '2026-07-28').callTool(name),
    ]) {
      expect([answer.status, codeOf(answer)]).toEqual([401, 'missing_api_key'])
      expect(answer.headers['www-authenticate']).toBe(
        'Bearer resource_metadata="http://api.test/.well-known/oauth-protected-resource/mcp"',
      )
    }
  })

  it('401 in a batch of messages too', async () => {
    const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })
    const answer = await createAgent(api).post([call(1, 'svc.get_agent_guide'), call(2, 'svc.list_jobs')])
    expect([answer.status, codeOf(answer)]).toEqual([401, 'missing_api_key'])
  })

  it('uses the address of the request in its challenge', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'svc.list_jobs' } }
    const { headers } = await createAgent(api).post(call, { host: 'fallback.test' })
    expect(headers['www-authenticate']).toContain('http://fallback.test/.well-known/oauth-protected-resource/mcp')
  })
})

it('svc.create_upload says which header each part of a resumable upload has', async () => {
  const use = async (given: object) => createAgent(api, account.token).use('svc.create_upload', given)
  const { content } = await use({ filename: 'talk.wav', bytes: 600_000, resumable: true })
  expect(content[0]?.['text']).toContain('content-range "bytes FIRST-LAST/600000"')
  expect((await use({ filename: 'talk.wav' })).content[0]?.['text']).not.toContain('content-range')
})

it('svc.list_uploads finds a file by its name, in the pages of GET /v1/uploads, and says how a person deletes it', async () => {
  const owner = await api.newAccount()
  const use = async (given: object) => createAgent(api, owner.token).use('svc.list_uploads', given)
  const first = await owner.upload('interview.mp4', 'twelve bytes')
  const second = await owner.upload('other "name".mp4')
  await (await api.newAccount()).upload('interview.mp4')
  const { structuredContent, content } = await use({ limit: 1 })
  const { uploads, next_cursor: cursor } = structuredContent
  const { request_id: _, ...page } = (await owner.get('/v1/uploads?limit=1')).body
  expect(structuredContent).toEqual(page)
  expect(uploads.map(({ media_url }: { media_url: string }) => media_url)).toEqual([second])
  expect(content[0]?.['text']).toContain(`"other \\"name\\".mp4"`)
  expect(content[0]?.['text']).toMatch(new RegExp(`send cursor ${cursor}\\..*DELETE /v1/uploads/`))
  for (const given of [{ cursor }, { name: 'interview.mp4' }, { name: 'interview.mp4', status: 'received' }]) {
    expect((await use(given)).structuredContent).toMatchObject({ uploads: [{ media_url: first, bytes: 12 }] })
  }
  expect((await use({ status: 'waiting' })).structuredContent['uploads']).toEqual([])
})
