import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { assertAccessible, assertFitsPhone, desktop, openBrowser, phone } from './browse.ts'
import { signIn, signUp } from './person.ts'
import { recordingWithPauses } from './recording.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''

describe.skipIf(noChromium)(`the playground${skipped}`, () => {
  let service: SharedService
  let opened: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    service = await useSharedService()
    opened = await openBrowser(service.baseUrl)
    await signIn(opened.page, service, await signUp(service))
  })
  afterAll(() => opened?.browser.close())

  it('shows the price of a request, runs it, and writes it as a program', async () => {
    const { page, problems } = opened
    await page.getByLabel('Recordings or films').setInputFiles(recordingWithPauses())
    await page.getByRole('button', { name: /^Find pauses · / }).waitFor()
    await page.goto(`${service.baseUrl}/dashboard/playground`)
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor()
    await page.getByLabel('Endpoint').selectOption('audio/detect-silence')
    await page.getByLabel('Your media').selectOption('episode.wav')
    await page.getByLabel('min_silence_seconds').fill('0.4')
    await page.getByRole('button', { name: 'See the price' }).click()
    await page.getByRole('button', { name: /^Run · / }).click()
    await page.getByText('The job is completed.').waitFor()
    expect(await page.getByText('"silences": [').count()).toBe(1)
    expect(await page.getByText('"min_silence_seconds": 0.4').count()).toBeGreaterThan(0)
    await page.getByLabel('Language').selectOption('Python')
    await page.getByText('settings={"min_silence_seconds": 0.4}').waitFor()
    await assertAccessible(page)
    await page.setViewportSize(phone)
    await assertFitsPhone(page)
    await assertAccessible(page)
    await page.setViewportSize(desktop)
    expect(problems).toEqual([])
  })

  it('shows no price that came after its request was changed', async () => {
    const { page } = opened
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
    const { page } = opened
    await page.getByLabel('min_silence_seconds').fill('never')
    await page.getByRole('button', { name: 'See the price' }).click()
    await page.getByRole('alert').getByText('min_silence_seconds').waitFor()
  })

  it('has a form for every endpoint that the service offers', async () => {
    const { page } = opened
    for (const id of await page.getByLabel('Endpoint').getByRole('option').allTextContents()) {
      await page.getByLabel('Endpoint').selectOption(id)
      await page.getByText('Settings, all with defaults').waitFor()
      await assertAccessible(page)
    }
  })
})
