import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../lab/people.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { assertAccessible, assertFitsPhone, desktop, openBrowser, phone, shot } from './browse.ts'
import { signIn } from './person.ts'
import { recordingWithPauses } from './recording.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''

describe.skipIf(noChromium)(`the playground${skipped}`, () => {
  let service: SharedService
  let opened: Awaited<ReturnType<typeof openBrowser>>
  let accountId: string
  beforeAll(async () => {
    service = await useSharedService()
    opened = await openBrowser(service.baseUrl)
    const person = await signUp(service)
    const owner = { email: person.email }
    accountId = (await service.db.account.findFirstOrThrow({ where: { owner } })).id
    await signIn(opened.page, service, person)
    await opened.page.getByLabel('Recordings or films').setInputFiles(recordingWithPauses())
    await opened.page.getByRole('button', { name: /^Find pauses · / }).waitFor()
  })
  afterAll(() => opened?.browser.close())

  /** A page that nothing was done on. */
  async function openPlayground(offer: string): Promise<Page> {
    const { page, problems } = opened
    problems.length = 0
    await page.goto(`${service.baseUrl}/dashboard/playground`)
    await page.getByLabel('Endpoint or chain').selectOption(offer)
    return page
  }

  it('shows the price of a request, runs it, and writes it as a program', async () => {
    const { problems } = opened
    const page = await openPlayground('audio/detect-silence')
    await page.getByLabel('Your media').selectOption('episode.wav')
    await page.getByLabel('min_silence_seconds').fill('0.4')
    await page.getByRole('button', { name: 'See the price' }).click()
    await page.getByRole('button', { name: /^Run · / }).click()
    await page.getByText('The job is completed.').waitFor()
    const job = await service.db.job.findFirstOrThrow({ where: { accountId }, orderBy: { createdAt: 'desc' } })
    expect(job.limitMicroUsd).toBe(job.estimatedMicroUsd)
    expect(await page.getByText('"silences": [').count()).toBe(1)
    expect(await page.getByText('"min_silence_seconds": 0.4').count()).toBeGreaterThan(0)
    await page.getByLabel('Language').selectOption('Python')
    await page.getByText('settings={"min_silence_seconds": 0.4}').waitFor()
    await page.getByRole('link', { name: 'Open in the studio' }).waitFor()
    await assertAccessible(page)
    await page.setViewportSize(phone)
    await assertFitsPhone(page)
    await assertAccessible(page)
    await page.setViewportSize(desktop)
    expect(problems).toEqual([])
  })

  it('cuts the ranges that are filled in as rows, and leads to the page of the job', async () => {
    const page = await openPlayground('video/clip-window')
    for (const [row, [start, end]] of [
      ['1', '2'],
      ['0:05', '6.5'],
      ['8', '9'],
    ].entries()) {
      await page.getByRole('button', { name: 'Add to ranges' }).click()
      await page.getByLabel(`start ${row + 1}`).fill(start ?? '')
      await page.getByLabel(`end ${row + 1}`).fill(end ?? '')
    }
    await page.getByRole('button', { name: 'See the price' }).click()
    await page.getByRole('button', { name: /^Run · / }).waitFor()
    await page.getByRole('button', { name: 'Remove ranges 3' }).click()
    const start = page.getByLabel('start 2')
    expect(await start.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'See the price' }).click()
    await page.getByRole('button', { name: /^Run · / }).click()
    await page.getByText('The job is completed.').waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'The page of the job' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cut' }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Download episode-clip.*\.wav/ }).waitFor()
    await expect
      .poll(() => page.locator('audio').evaluate((player) => Reflect.get(player, 'duration')))
      .toBeCloseTo(2.5, 1)
    expect(await page.getByText('"duration": 2.5').first().isVisible()).toBe(false)
    await shot(page, 'job-cut')
    await assertAccessible(page)
    await page.getByText('For developers').click()
    await page.getByText('"duration": 2.5').first().waitFor()
    await assertAccessible(page)
    await page.setViewportSize(phone)
    await assertFitsPhone(page)
    await page.emulateMedia({ colorScheme: 'light' })
    await shot(page, 'job-cut-phone')
    await page.setViewportSize(desktop)
    await page.getByRole('link', { name: 'Open in the studio' }).click()
    await page.getByRole('heading', { level: 1, name: 'episode.wav' }).waitFor()
  })

  it('plans a chain, runs it for at most that price, and writes it as a program', async () => {
    const { problems } = opened
    const page = await openPlayground('remove-dead-space')
    await page.getByLabel('Your media').selectOption('episode.wav')
    await page.getByText('Settings of timeline/suggest-ranges').click()
    await page.getByLabel('max_pause_seconds').fill('0.3')
    await page.getByRole('button', { name: 'See the price' }).click()
    await page.getByRole('button', { name: /^Run · at most / }).waitFor()
    expect(await page.getByRole('list', { name: 'Plan' }).getByRole('listitem').count()).toBe(3)
    await page.getByRole('button', { name: /^Run · at most / }).click()
    await page.getByText(/^The run is completed\. It cost /).waitFor()
    await page.getByRole('link', { name: /^Download episode-.*\.wav/ }).waitFor()
    expect(await page.getByRole('link', { name: 'audio/detect-silence' }).count()).toBe(1)
    await page.getByLabel('Language').selectOption('TypeScript')
    await page.getByText('client.workflowRuns.run("remove-dead-space"').waitFor()
    await assertAccessible(page)
    expect(problems).toEqual([])
  })

  it('shows no answer to the request before while the next one is on its way', async () => {
    const page = await openPlayground('audio/detect-silence')
    const run = page.getByRole('button', { name: /^Run · / })
    await page.getByRole('button', { name: 'See the price' }).click()
    await run.click()
    await page.getByText('The job is completed.').waitFor()
    let send = () => {}
    const isSeen = new Promise<void>((resolve) => (send = resolve))
    await page.route('**/v1/jobs', async (route) => {
      await isSeen
      await route.continue()
    })
    await page.getByRole('button', { name: 'See the price' }).click()
    await run.click()
    expect(await page.getByRole('region', { name: 'Answer' }).count()).toBe(0)
    send()
    await page.getByText('The job is completed.').waitFor()
    await page.unroute('**/v1/jobs')
  })

  it('shows no price that came after its request was changed', async () => {
    const page = await openPlayground('audio/detect-silence')
    let answer = () => {}
    const changed = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/v1/estimate', async (route) => {
      await changed
      await route.continue()
    })
    await page.getByLabel('min_silence_seconds').fill('0.5')
    const answered = page.waitForResponse('**/v1/estimate')
    await page.getByRole('button', { name: 'See the price' }).click()
    await page.getByLabel('min_silence_seconds').fill('0.6')
    answer()
    await answered
    await page.unroute('**/v1/estimate')
    await page.getByRole('button', { name: 'See the price' }).click()
    await page.getByRole('button', { name: /^Run · / }).waitFor()
    await page.getByText('"min_silence_seconds": 0.6').waitFor()
  })

  it('asks again for the price of a changed request, and says what the service refuses', async () => {
    const page = await openPlayground('audio/detect-silence')
    await page.getByLabel('min_silence_seconds').fill('never')
    await page.getByRole('button', { name: 'See the price' }).click()
    await page.getByRole('alert').getByText('min_silence_seconds').waitFor()
  })

  it('has a form for every endpoint and chain that the service offers', async () => {
    const page = await openPlayground('audio/detect-silence')
    const choice = page.getByLabel('Endpoint or chain')
    const names = await choice.getByRole('option').allTextContents()
    expect(names).toEqual(expect.arrayContaining(['Find words · audio/find-words', 'Clean speech · clean-speech']))
    const offered = names.map((name) => name.split(' · ').at(-1) ?? '')
    for (const id of offered) {
      await choice.selectOption(id)
      await page
        .getByText(/^Settings/)
        .first()
        .waitFor()
      await assertAccessible(page)
    }
  })

  it('shows the settings that are used most, and folds the others', async () => {
    const page = await openPlayground('video/clip-near')
    expect(await page.getByRole('textbox', { name: 'before_seconds' }).isVisible()).toBe(true)
    expect(await page.getByLabel('loudness').isVisible()).toBe(false)
    await page.getByText(/^More settings/).click()
    await page.getByLabel('loudness').waitFor()
    await assertAccessible(page)
  })

  it('says that media load, and why they did not, and loads them again', async () => {
    const { page } = opened
    let answer = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/v1/uploads?*', async (route) => {
      await asked
      await route.fulfill({ status: 403, json: { error: { code: 'refused', message: 'Not at this hour.' } } })
    })
    await page.goto(`${service.baseUrl}/dashboard/playground`)
    const media = page.getByLabel('Your media')
    await media.waitFor()
    expect(await media.textContent()).toBe('Loading…')
    answer()
    await page.getByText('Not at this hour.').waitFor()
    expect(await media.textContent()).toBe('Not loaded')
    await assertAccessible(page)
    await page.unroute('**/v1/uploads?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await media.selectOption('episode.wav')
  })
})
