import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type Person, signUp } from '../../lab/people.ts'
import { oauthCallback, type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { declaredMcpClients, noMcpClients, pythonPackages } from '../setup/mcp-clients.ts'
import { assertAccessible, assertFitsPhone, openBrowser, phone, press, tabTo, typeInto } from './browse.ts'

const missing = noChromium ?? noMcpClients

describe.skipIf(missing)(`consent in a browser${missing ? ` (skipped: ${missing})` : ''}`, { retry: 0 }, () => {
  let service: SharedService
  let browser: Browser
  let page: Page
  let problems: string[]
  let person: Person
  let authorizeUrl = ''
  beforeAll(async () => {
    service = await useSharedService()
    person = await signUp(service)
    const opened = await openBrowser(service.baseUrl, phone)
    browser = opened.browser
    page = opened.page
    problems = opened.problems
  })
  afterAll(() => browser?.close())

  /** Starts a client in Python, whose lines `nextLine` reads. */
  function startClient(script: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    const env = { PATH: process.env['PATH'], PYTHONPATH: pythonPackages, ...variables }
    const file = path.join(declaredMcpClients, script)
    const client = spawn('python3', [file, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface(client.stdout)[Symbol.asyncIterator]()
    return { stdin: client.stdin, nextLine: async () => String((await lines.next()).value) }
  }

  /** A site of one page until the test ends. Returns its port. */
  async function serveSite(body: string, wantedPort: number): Promise<number> {
    const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(body))
    await once(server.listen(wantedPort, '127.0.0.1'), 'listening')
    onTestFinished(async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    })
    return z.object({ port: z.number() }).parse(server.address()).port
  }

  it('connects the Python client, by keyboard alone, with the scope and the cap that the person chose', async () => {
    const callback = oauthCallback()
    const client = startClient('oauth_client.py', ['browse', `${service.baseUrl}/mcp`, 'test-client', callback])
    authorizeUrl = await client.nextLine()

    await page.goto(authorizeUrl)
    await assertAccessible(page)
    await typeInto(page, 'Email address', person.email)
    await typeInto(page, 'Password', person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connect Test client?' }).waitFor()
    await assertAccessible(page)
    await assertFitsPhone(page)
    await tabTo(page, page.getByRole('radio', { checked: true }))
    await typeInto(page, 'What it may spend in a month, in USD', '1')
    expect(problems).toEqual([])
    await serveSite('Back at the client', Number(new URL(callback).port))
    await press(page, 'button', 'Connect')
    await page.getByText('Back at the client').waitFor()
    client.stdin.end(`${page.url()}\n`)
    const connected: unknown = JSON.parse(await client.nextLine())
    expect(connected).toMatchObject({ scope: 'all', tokens: ['mt_con_', 'mt_con_'], jobs: [], cap: 1 })
  })

  it('shows the connection in the dashboard, where the person ends it', async () => {
    await page.goto(`${service.baseUrl}/dashboard/connectors`)
    await page.getByText('Approved for test-client').waitFor()
    await press(page, 'button', 'Revoke Test client')
    await press(page, 'button', 'Revoke the connector')
    await page.getByText(/^Revoked/).waitFor()
  })

  it('connects FastMCP, which opens the browser and listens for the answer itself', async () => {
    const args = [`${service.baseUrl}/mcp`, 'test-client', oauthCallback()]
    // The browser that it opens writes the address.
    const variables = { BROWSER: 'echo %s', PYTHONWARNINGS: 'ignore', FASTMCP_LOG_LEVEL: 'ERROR' }
    const client = startClient('fastmcp_client.py', args, variables)
    await page.goto(await client.nextLine())
    await tabTo(page, page.getByRole('radio', { checked: true }))
    // From everything over the video endpoints to the audio endpoints.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await typeInto(page, 'What it may spend in a month, in USD', '2')
    await press(page, 'button', 'Connect')
    await page.getByText('You can safely close this tab now').waitFor()
    const connected: unknown = JSON.parse(await client.nextLine())
    expect(connected).toEqual({ scope: 'audio/*', tokens: ['mt_con_', 'mt_con_'], refreshed: true, jobs: [] })
    await page.goto(`${service.baseUrl}/dashboard/connectors`)
    await page.getByText('Audio endpoints only · At most $2.00 a month').waitFor()
  })

  /** Opens a page of another origin on this machine: Chromium shows pages from elsewhere nothing of a loopback address anyway. */
  async function openOtherSite(body: string): Promise<{ other: Page; show: () => Promise<unknown> }> {
    const port = await serveSite(body, 0)
    const other = await page.context().newPage()
    return { other, show: () => other.goto(`http://127.0.0.1:${port}/`) }
  }

  it('is not shown inside a page of another site', async () => {
    const { other, show } = await openOtherSite(`<iframe src="${authorizeUrl.replaceAll('&', '&amp;')}"></iframe>`)
    const refused = other.waitForEvent('requestfailed')
    await show()
    expect((await refused).url()).toBe(authorizeUrl)
    expect((await refused).failure()).toEqual({ errorText: 'net::ERR_BLOCKED_BY_RESPONSE' })
  })

  it('is not given by a form of another site', async () => {
    const action = `${service.baseUrl}/api/auth/oauth/authorize`
    const { other, show } = await openOtherSite(
      `<form method="post" action="${action}"><input name="decision" value="approve"><button>Win</button></form>`,
    )
    await show()
    const answered = other.waitForResponse(action)
    await other.getByRole('button', { name: 'Win' }).click()
    expect((await answered).status()).toBe(403)
    await other.getByRole('alert').waitFor()
  })
})
