import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { linkInMail, newPerson } from '../../lab/people.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { blockFont } from '../fixtures/block-font.ts'
import { portrait, speech } from '../fixtures/make.ts'
import { noChromium } from '../setup/chromium.ts'
import {
  assertAccessible,
  assertFitsPhone,
  desktop,
  openBrowser,
  openRoom,
  phone,
  press,
  shot,
  tabTo,
  typeInto,
} from './browse.ts'

const presignedUpload = z.object({
  upload: z.object({ upload_url: z.string(), upload_headers: z.record(z.string(), z.string()) }),
})
const skipped = noChromium ? ` (skipped: ${noChromium})` : ''
const rooms = [
  'Home',
  'Media',
  'Jobs',
  'Shares',
  'Usage',
  'Billing',
  'Playground',
  'API keys',
  'Connectors',
  'Webhooks',
  'Brands',
  'Account',
]

// One person goes through all of it, by keyboard alone. A choice of a file is the browser's own dialog, which no test opens.
describe.skipIf(noChromium)(`the dashboard, by keyboard alone${skipped}`, { retry: 0 }, () => {
  let person = newPerson()
  const newPassword = 'another battery staple'
  let service: SharedService
  let browser: Browser
  let page: Page
  let problems: string[]
  const scripts = new Map<string, number>()
  beforeAll(async () => {
    service = await useSharedService()
    const opened = await openBrowser(service.baseUrl)
    browser = opened.browser
    page = opened.page
    problems = opened.problems
    page.on('response', async (response) => {
      if (response.request().resourceType() !== 'script') return
      scripts.set(response.url(), gzipSync(await response.body()).length)
    })
  })
  afterAll(() => browser?.close())

  async function signIn(password: string): Promise<void> {
    await typeInto(page, 'Email address', person.email)
    await typeInto(page, 'Password', password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  }

  /** By the page of the mailed link: from the password that was changed before to the new one. */
  async function resetPassword(): Promise<void> {
    await press(page, 'link', 'Forgot your password?')
    // The sign-in has a field of this name too.
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await typeInto(page, 'Email address', person.email)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
    await page.goto(await linkInMail(service, person, 'reset-password'))
    await page.setViewportSize(phone)
    await assertAccessible(page)
    await assertFitsPhone(page)
    await page.setViewportSize(desktop)
    await typeInto(page, 'New password', newPassword)
    await press(page, 'button', 'Change the password')
    await page.getByRole('heading', { name: 'Password changed' }).waitFor()
    await assertAccessible(page)
    await press(page, 'link', 'Sign in')
  }

  it('opens with the sign-in, whose scripts are below 200 kB', async () => {
    await page.goto(`${service.baseUrl}/dashboard`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await assertAccessible(page)
    const bytes = [...scripts.values()].reduce((sum, each) => sum + each, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(200_000)
  })

  it('mails a link to choose a new password, and one to confirm an address', async () => {
    await press(page, 'link', 'Forgot your password?')
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await assertAccessible(page)
    await press(page, 'link', 'Sign in instead')
    await press(page, 'link', 'Create an account')
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    await assertAccessible(page)
    await typeInto(page, 'Email address', person.email)
    // It is chosen once, at the mailed link.
    expect(await page.getByLabel('Password').count()).toBe(0)
    await press(page, 'button', 'Mail me a link')
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
    await assertAccessible(page)
    await shot(page, 'mailbox')
    await page.goto(await linkInMail(service, person, 'verify-email'))
    await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor()
    await assertAccessible(page)
    await shot(page, 'confirm')
    await typeInto(page, 'Password', person.password)
    await press(page, 'button', 'Create the account')
    // The password was just chosen: nobody types it again.
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await assertAccessible(page)
    // A link that was used changes no password, and signs nobody in with another one.
    const other = await page.context().newPage()
    await other.goto(await linkInMail(service, person, 'verify-email'))
    await other.getByLabel('Password').fill('another battery horse')
    await other.getByRole('button', { name: 'Create the account' }).click()
    await other.getByRole('heading', { name: 'Email address confirmed' }).waitFor()
    await assertAccessible(other)
    await shot(other, 'confirmed')
    await other.close()
  })

  it('has empty pages that say what to do', async () => {
    await openRoom(page, 'Media')
    await page.getByText('Nothing is uploaded yet.').waitFor()
    await assertAccessible(page)
    await openRoom(page, 'Jobs')
    await page.getByRole('link', { name: 'Upload a recording' }).waitFor()
    await assertAccessible(page)
    await openRoom(page, 'Shares')
    await page.getByText('Each share stands here until it ends.').waitFor()
    await assertAccessible(page)
  })

  it('moves the focus to the heading of a page together with the page', async () => {
    const watch = `window.focusedWith = {}
    new MutationObserver(() => {
      const heading = document.querySelector('h1')
      if (heading) window.focusedWith[heading.textContent] ??= document.activeElement.textContent
    }).observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true })`
    await page.evaluate(watch)
    for (const room of ['Media', 'Jobs', 'Usage']) await openRoom(page, room)
    const found = await page.evaluate('window.focusedWith')
    expect(found).toMatchObject({ Media: 'Media', Jobs: 'Jobs', Usage: 'Usage' })
  })

  it('makes a key, runs a first job with it, and takes it back', async () => {
    await openRoom(page, 'API keys')
    await assertAccessible(page)
    await typeInto(page, 'Name', 'my server')
    // A new key has few rights and a cap, unless a person gives it more.
    await tabTo(page, page.getByLabel('What it may use'))
    await page.keyboard.type('Everything')
    await press(page, 'button', 'Create the key')
    const secret = await page.getByText(/^mt_live_\w+$/).textContent()
    const listJobs = () => fetch(`${service.baseUrl}/v1/jobs`, { headers: { authorization: `Bearer ${secret}` } })
    expect((await listJobs()).status).toBe(200)
    await assertAccessible(page)
    await page.getByLabel('A recording or a film').setInputFiles(path.resolve('test/fixtures/speech.wav'))
    await page.route('**/v1/jobs', async (route) => route.fetch().then(() => route.abort()), { times: 1 })
    await press(page, 'button', 'Find the pauses')
    await page.getByText('The service cannot be reached.').waitFor()
    expect(problems.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
    await press(page, 'button', 'Find the pauses')
    await page.getByText(/found \d+ pauses/).waitFor()
    const { jobs } = z.object({ jobs: z.array(z.unknown()) }).parse(await (await listJobs()).json())
    expect(jobs).toHaveLength(1)
    await press(page, 'button', 'I stored it')
    await press(page, 'button', 'Revoke my server')
    await page.getByRole('alertdialog').getByText('links that it shared end too').waitFor()
    await assertAccessible(page)
    await press(page, 'button', 'Revoke the key')
    await page.getByText(/^Revoked/).waitFor()
    expect((await listJobs()).status).toBe(401)
  })

  it('makes a connector, and keeps it if the question is answered with Escape', async () => {
    await openRoom(page, 'Connectors')
    await assertAccessible(page)
    await typeInto(page, 'Name', 'my assistant')
    await page.getByText('such as Claude Code, create a token.').waitFor()
    // A day that is over is not sent.
    await page.getByLabel('Last day').fill('2026-01-01')
    await page.locator('input[name=expires]:out-of-range').waitFor()
    await page.getByLabel('Last day').fill('')
    await page.getByText('To cut them out too, choose everything.').waitFor()
    await tabTo(page, page.getByLabel('What it may use'))
    await page.keyboard.type('Audio')
    await typeInto(page, 'Monthly cap in USD', '2.5')
    await press(page, 'button', 'Create the connector')
    const token = await page.getByText(/^mt_con_\w+$/).textContent()
    expect(await page.getByRole('region', { name: 'Connect an assistant' }).textContent()).toContain(token)
    await assertAccessible(page)
    await press(page, 'button', 'I stored it')
    await page.getByText('Audio endpoints only · At most $2.50 a month · Never used').waitFor()
    await press(page, 'button', 'Revoke my assistant')
    await page.getByRole('alertdialog').getByText('links that it shared end too').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
    await press(page, 'button', 'Revoke my assistant')
    await press(page, 'button', 'Revoke the connector')
    await page.getByText(/^Revoked/).waitFor()
  })

  it('adds a webhook endpoint, shows its secret once, tests it, rotates its secret and deletes it', async () => {
    await openRoom(page, 'Webhooks')
    await assertAccessible(page)
    await typeInto(page, 'URL', 'https://receiver.example/hooks')
    const toggle = async (kind: string) => {
      await tabTo(page, page.getByRole('checkbox', { name: kind, exact: true }))
      await page.keyboard.press('Space')
    }
    // No kind of events is not every event, which it is to the service.
    for (const kind of ['Jobs', 'Runs', 'Uploads']) await toggle(kind)
    await press(page, 'button', 'Add the endpoint')
    await page.getByText('Choose at least one kind of events.').waitFor()
    await assertAccessible(page)
    await toggle('Runs')
    await press(page, 'button', 'Add the endpoint')
    const secret = await page.getByText(/^whsec_/).textContent()
    await assertAccessible(page)
    await press(page, 'button', 'I stored it')
    await page
      .getByText('workflow_run.completed, workflow_run.failed, workflow_run.canceled', { exact: true })
      .waitFor()
    await press(page, 'button', 'Send a test to https://receiver.example/hooks')
    await page.getByRole('rowheader', { name: 'webhook.test' }).waitFor()
    await assertAccessible(page)
    await press(page, 'button', 'Pause https://receiver.example/hooks')
    await page.getByText('Paused', { exact: true }).waitFor()
    await press(page, 'button', 'Rotate the secret of https://receiver.example/hooks')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate the secret' }).click()
    expect(await page.getByText(/^whsec_/).textContent()).not.toBe(secret)
    await press(page, 'button', 'I stored it')
    await press(page, 'button', 'Delete https://receiver.example/hooks')
    await press(page, 'button', 'Delete the endpoint')
    await page.getByText('It appears here, with what was sent to it.').waitFor()
  })

  it('creates a brand with a font and a logo, which a clip in the playground can have, and deletes it', async () => {
    await openRoom(page, 'Brands')
    await page.getByText('Then choose it in the playground').waitFor()
    await assertAccessible(page)
    await typeInto(page, 'Name', 'Talks')
    await page.getByLabel('Font').setInputFiles({ name: 'Blocks.ttf', mimeType: 'font/ttf', buffer: blockFont() })
    await page.getByLabel('Logo', { exact: true }).setInputFiles(portrait)
    await tabTo(page, page.getByLabel('Corner of the logo'))
    await page.keyboard.type('Bottom left')
    // The picker is the browser's own dialog.
    await tabTo(page, page.getByLabel('Word being spoken'))
    await page.getByLabel('Word being spoken').fill('#00c2a8')
    await typeInto(page, 'Space at the edges, in percent', '7')
    await press(page, 'button', 'Create the brand')
    await page.getByText('Own font · Logo at the bottom left').waitFor()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('')
    await page.getByTitle('#00c2a8').waitFor()
    await assertAccessible(page)
    await shot(page, 'brands')
    await openRoom(page, 'Media')
    await page.getByRole('link', { name: 'speech.wav' }).waitFor()
    expect(await page.getByText('Blocks.ttf').count()).toBe(0)
    await openRoom(page, 'Playground')
    await page.getByLabel('Endpoint or chain').selectOption('video/clip-window')
    await page.getByText(/^More settings/).click()
    await page.getByLabel('brand').selectOption('Talks')
    await openRoom(page, 'Brands')
    await press(page, 'button', 'Delete Talks')
    await press(page, 'button', 'Delete the brand')
    await page.getByText('Then choose it in the playground').waitFor()
  })

  it('lists the media and the jobs of the account', async () => {
    await openRoom(page, 'Media')
    await page.getByRole('link', { name: 'speech.wav' }).waitFor()
    await assertAccessible(page)
    await openRoom(page, 'Jobs')
    await page.getByText('Find pauses').waitFor()
    await page.getByText('Nothing is running.').waitFor()
    await assertAccessible(page)
    await press(page, 'link', 'Find pauses')
    await page.getByRole('heading', { level: 1, name: 'Find pauses' }).waitFor()
    await page.getByText(/^Pauses · \d+$/).click()
    await page.getByText('Charged').waitFor()
    await assertAccessible(page)
    await shot(page, 'job-found')
  })

  it('deletes media after a question', async () => {
    const bytes = await readFile(speech)
    const presigned = await page.request.post(`${service.baseUrl}/v1/uploads/presign`, {
      headers: { origin: service.baseUrl },
      data: { filename: 'gone.wav', bytes: bytes.length },
    })
    const { upload } = presignedUpload.parse(await presigned.json())
    await fetch(upload.upload_url, { method: 'PUT', headers: upload.upload_headers, body: bytes })
    await openRoom(page, 'Media')
    await page.getByRole('link', { name: 'gone.wav' }).waitFor()
    await press(page, 'button', 'Delete gone.wav')
    await page.getByText('stay among your jobs').waitFor()
    await assertAccessible(page)
    await press(page, 'button', 'Delete the file')
    await expect.poll(() => page.getByRole('link', { name: 'gone.wav' }).count()).toBe(0)
    await page.getByRole('link', { name: 'speech.wav' }).waitFor()
    await shot(page, 'media')
  })

  it('says beside media how long they are, and what goes on with them', async () => {
    await page.route('**/v1/jobs?*', async (route) => {
      const answer = await route.fetch()
      const { jobs, ...rest } = z.looseObject({ jobs: z.array(z.looseObject({})) }).parse(await answer.json())
      const running = jobs.map((job) => ({ ...job, status: 'running', progress: 0.4 }))
      await route.fulfill({ response: answer, json: { ...rest, jobs: running } })
    })
    await openRoom(page, 'Home')
    const row = page.getByRole('region', { name: 'Recent media' }).getByRole('listitem')
    await row.getByText('Find pauses: Running, 40 %').waitFor()
    await row.getByText(/^1 min 13 s · /).waitFor()
    await assertAccessible(page)
    await shot(page, 'home-running')
    await page.unroute('**/v1/jobs?*')
  })

  it('shows what the job cost, and sets a cap', async () => {
    await openRoom(page, 'Usage')
    await page.getByText('for 1 completed job in').waitFor()
    await page.getByRole('table', { name: 'Usage by day' }).waitFor()
    for (const [group, row] of Object.entries({ 'Kind of work': 'Find pauses', Key: 'my server' })) {
      await page.getByLabel('Listed by').selectOption(group)
      await page.getByRole('rowheader', { name: row }).waitFor()
    }
    await assertAccessible(page)
    await openRoom(page, 'Billing')
    await page.getByText('Free credits left').waitFor()
    await typeInto(page, 'Monthly cap in USD', '20')
    await typeInto(page, 'Alerts, in percent of the cap', '50, 90')
    await press(page, 'button', 'Save')
    await page.getByText('Saved.').waitFor()
    await page.getByRole('progressbar').waitFor()
    await page.getByText('This service takes no payments').waitFor()
    expect(await page.getByRole('heading', { name: 'Invoices' }).count()).toBe(0)
    await assertAccessible(page)
  })

  it('fits on a phone, where the rooms are in a menu', async () => {
    for (const room of rooms) {
      await openRoom(page, room)
      await page.waitForLoadState('networkidle')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await shot(page, `${room}-${colorScheme}`)
      }
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await page.setViewportSize(phone)
    for (const room of rooms) {
      await press(page, 'button', 'Menu')
      await openRoom(page, room)
      await assertAccessible(page)
      await assertFitsPhone(page)
      await page.emulateMedia({ colorScheme: 'light' })
      await shot(page, `${room}-phone`)
    }
    await page.setViewportSize(desktop)
    expect(problems).toEqual([])
  })

  it('has a page for an unknown address, and for links and clients that are not valid', async () => {
    // Its statuses are errors in the console.
    const other = await page.context().newPage()
    const refused = ['verify-email?token=%3Cbad%3E', 'api/auth/oauth/authorize?client_id=unknown']
    for (const link of refused) {
      expect((await other.goto(`${service.baseUrl}/${link}`))?.status()).toBe(400)
      await other.getByRole('alert').waitFor()
      await assertAccessible(other)
    }
    await other.goto(`${service.baseUrl}/dashboard/nothing`)
    await other.getByRole('heading', { name: 'Page not found' }).waitFor()
    await other.getByRole('navigation').getByRole('link', { name: 'Usage' }).waitFor()
    await assertAccessible(other)
    await press(other, 'link', 'To the dashboard')
    await other.getByRole('heading', { name: 'Home' }).waitFor()
    await other.close()
  })

  it('changes the email address by the link that the new one gets', async () => {
    await openRoom(page, 'Account')
    person = { ...person, email: newPerson().email }
    await typeInto(page, 'New email address', person.email)
    await typeInto(page, 'Password of the account', person.password)
    await press(page, 'button', 'Mail a link to the new address')
    await page.getByText('it gets a mail within a minute').waitFor()
    await page.goto(await linkInMail(service, person, 'confirm-email-change'))
    await page.getByRole('heading', { name: 'Confirm your new email address' }).waitFor()
    await assertAccessible(page)
    await press(page, 'button', 'Use this address')
    await page.getByRole('heading', { name: 'Email address changed' }).waitFor()
    await assertAccessible(page)
    await press(page, 'link', 'To your account')
    await page.getByText(person.email).first().waitFor()
    expect(problems).toEqual([])
  })

  it('changes the password, chooses another by the mailed link, and deletes the account', async () => {
    await typeInto(page, 'Current password', person.password)
    await typeInto(page, 'New password', 'a password that is forgotten')
    await press(page, 'button', 'Change the password')
    await page.getByText('The password is changed').waitFor()
    await expect.poll(() => page.getByLabel('Current password').inputValue()).toBe('')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Change the password')
    await press(page, 'button', 'Sign out')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await resetPassword()
    await signIn(newPassword)
    await openRoom(page, 'Account')
    await typeInto(page, 'Your password', newPassword)
    await tabTo(page, page.getByRole('checkbox'))
    await page.keyboard.press('Space')
    await press(page, 'button', 'Delete the account')
    await page.getByText('Your account is deleted').waitFor()
    expect(problems).toEqual([])
  })
})
