import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { oauthCallback, type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { declaredMcpClients, noMcpClients, pythonPackages } from '../setup/mcp-clients.ts'
import { assertAccessible, assertFitsPhone, openBrowser, phone, press, tabTo, typeInto } from './browse.ts'
import { type Person, signUp } from './person.ts'

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

  it('connects the Python client, by keyboard alone, with the scope and the cap that the person chose', async () => {
    const callback = oauthCallback()
    const script = path.join(declaredMcpClients, 'oauth_client.py')
    const env = { PATH: process.env['PATH'], PYTHONPATH: pythonPackages }
    const client = spawn('python3', [script, 'browse', `${service.baseUrl}/mcp`, 'test-client', callback], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface(client.stdout)[Symbol.asyncIterator]()
    authorizeUrl = String((await lines.next()).value)

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
    // Nobody listens at the client's address: the request for it has the code.
    const answer = page.waitForRequest((request) => request.url().startsWith(callback))
    await press(page, 'button', 'Connect')
    client.stdin.end(`${(await answer).url()}\n`)
    const connected: unknown = JSON.parse(String((await lines.next()).value))
    expect(connected).toMatchObject({ scope: 'all', tokens: ['mt_con_', 'mt_con_'], jobs: [], cap: 1 })
  })

  it('shows the connection in the dashboard, where the person ends it', async () => {
    await page.goto(`${service.baseUrl}/dashboard/connectors`)
    await page.getByText('Approved for test-client').waitFor()
    await press(page, 'button', 'Revoke Test client')
    await press(page, 'button', 'Revoke the connector')
    await page.getByText(/^Revoked/).waitFor()
  })

  /** Opens a page of another origin on this machine: Chromium shows pages from elsewhere nothing of a loopback address anyway. */
  async function openOtherSite(body: string): Promise<{ other: Page; show: () => Promise<unknown> }> {
    const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(body))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { port } = z.object({ port: z.number() }).parse(server.address())
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
