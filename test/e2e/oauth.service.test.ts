import { execFile, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { randomText } from '../../src/core/ids.ts'
import { conformanceCommand, declaredMcpClients, noMcpClients, pythonPackages } from '../setup/mcp-clients.ts'
import { oauthCallback, type SharedService, useSharedService } from './shared-service.ts'

const run = promisify(execFile)
const skipped = noMcpClients ? ` (skipped: ${noMcpClients})` : ''

describe.skipIf(noMcpClients)(`OAuth and clients that others wrote${skipped}`, () => {
  let service: SharedService
  const email = `${randomText(12).toLowerCase()}@example.com`
  const password = 'correct horse battery'

  /** Signs up a person, as the pages of docs/accounts.md say. */
  beforeAll(async () => {
    service = await useSharedService()
    const { baseUrl, dataDir } = service
    const headers = { 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(`${baseUrl}/api/auth/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    await post('sign-up/email', { email, password })
    const folder = path.join(dataDir, 'mail')
    const token = await vi.waitFor(async () => {
      const mails = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')))
      const mail = mails.find((text) => text.includes(email)) ?? ''
      return /verify-email\?token=(\S+)/.exec(mail)?.[1] ?? expect.fail('no mail yet')
    }, 30_000)
    expect((await post('verify-email', { token, password })).status).toBe(200)
  })

  async function python(...args: string[]): Promise<string> {
    const script = path.join(declaredMcpClients, 'oauth_client.py')
    const env = { PATH: process.env['PATH'], PYTHONPATH: pythonPackages, EMAIL: email, PASSWORD: password }
    return (await run('python3', [script, ...args], { env })).stdout
  }

  it('the Python client finds its way from a 401 to a connector, through the pages, and refreshes its token', async () => {
    const url = `${service.baseUrl}/mcp`
    const connected: unknown = JSON.parse(await python('connect', url, 'test-client', oauthCallback()))
    expect(connected).toEqual({
      ...{ resource: url, scope: 'all', tokens: ['mt_con_', 'mt_con_'] },
      ...{ jobs: [], cap: 1 },
    })
  })

  it('the conformance suite for authorization servers finds nothing', async () => {
    const [node, script] = conformanceCommand()
    const { port } = new URL(oauthCallback())
    const options = [
      '--url',
      service.baseUrl,
      '--resource',
      `${service.baseUrl}/mcp`,
      '--client-id',
      'test-client',
      '--port',
      port,
    ]
    const suite = spawn(node, [script, 'authorization', ...options])
    const lines: string[] = []
    let url = ''
    for await (const line of createInterface(suite.stdout)) {
      lines.push(line)
      url = /http\S*\/api\/auth\/oauth\/authorize\?\S+/.exec(line)?.[0] ?? url
      if (line.startsWith('Callback server started')) await python('approve', url, oauthCallback())
    }
    expect(lines.join('\n')).toContain('Total: 2 passed, 0 failed')
  })
})
