import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../lab/people.ts'
import { buildTypescriptClient } from '../../scripts/clients.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { untilFound } from '../until-found.ts'
import { assertAccessible, openBrowser, phone, press, tabTo, typeInto } from './browse.ts'

describe.skipIf(noChromium)('media-timeline login', { retry: 0 }, () => {
  let service: SharedService
  let person: Person
  let folder: string
  let browser: Browser
  let page: Page
  let env: NodeJS.ProcessEnv
  const command = () => path.join(folder, 'dist', 'media-timeline.js')
  beforeAll(async () => {
    service = await useSharedService()
    folder = await mkdtemp(path.join(tmpdir(), 'login-'))
    await buildTypescriptClient(process.cwd(), folder)
    person = await signUp(service)
    const opened = await openBrowser(service.baseUrl, phone)
    browser = opened.browser
    page = opened.page
    // The person opens the address that the command prints.
    env = { PATH: process.env['PATH'], HOME: folder, BROWSER: 'true', MEDIA_TIMELINE_URL: service.baseUrl }
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Starts the login and opens its page. */
  async function startLogin() {
    const child = spawn(process.execPath, [command(), 'login'], { env })
    let notes = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      notes += text
    })
    const ended = once(child, 'exit').then(([code]) => ({ code: Number(code), notes }))
    await page.goto(await untilFound(() => /^http\S+authorize\S+$/m.exec(notes)?.[0] ?? ''))
    return { ended }
  }

  it('keeps a key that the person approves in the browser, by keyboard, with the scope and the cap of their choice', async () => {
    const { ended } = await startLogin()
    await typeInto(page, 'Email address', person.email)
    await typeInto(page, 'Password', person.password)
    await page.keyboard.press('Enter')
    await page.getByText('asks to use the account of').waitFor()
    await assertAccessible(page)
    await tabTo(page, page.getByRole('radio', { checked: true }))
    await typeInto(page, 'What it may spend in a month, in USD', '1.5')
    await press(page, 'button', 'Connect')
    await page.getByText('You are logged in. You can close this page.').waitFor()
    expect(await ended).toMatchObject({ code: 0, notes: expect.stringContaining('Logged in at') })
    expect((await stat(path.join(folder, '.config', 'media-timeline', 'credentials.json'))).mode & 0o777).toBe(0o600)
    const { stdout } = await promisify(execFile)(process.execPath, [command(), '--json', 'jobs'], { env })
    expect(JSON.parse(stdout)).toEqual([])
    await page.goto(`${service.baseUrl}/dashboard/keys`)
    await page
      .getByText(/^media-timeline on /)
      .first()
      .waitFor()
  })

  it('ends with the reason when the person declines', async () => {
    const { ended } = await startLogin()
    await page.getByText('asks to use the account of').waitFor()
    await press(page, 'button', 'Cancel')
    expect((await ended).code).toBe(1)
  })
})
