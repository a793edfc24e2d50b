import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { signUp } from '../../lab/people.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { openBrowser } from './browse.ts'
import { signIn } from './person.ts'
import { recordingWithPauses } from './recording.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''

describe.skipIf(noChromium)(`what goes on, in the pages of a browser${skipped}`, () => {
  let service: SharedService
  let browser: Browser
  beforeAll(async () => {
    service = await useSharedService()
  })
  afterEach(() => browser?.close())

  it('is told to seven tabs by one stream, which another tab opens when the first is closed', async () => {
    const opened = await openBrowser(service.baseUrl)
    browser = opened.browser
    const { page, problems } = opened
    const context = page.context()
    const asked: string[] = []
    context.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const countOf = (path: string) => asked.filter((each) => each === path).length
    await signIn(page, service, await signUp(service))
    await expect.poll(() => countOf('/v1/stream')).toBe(1)

    const tabs: Page[] = []
    for (let tab = 0; tab < 6; tab++) {
      const next = await context.newPage()
      await next.goto(`${service.baseUrl}/dashboard/jobs`)
      await next.getByText('You have none yet.').waitFor()
      tabs.push(next)
    }
    await page.getByLabel('Recordings or films').setInputFiles(recordingWithPauses())
    await page.getByRole('button', { name: /^Find pauses · / }).click()
    await Promise.all(tabs.map((tab) => tab.getByText('Completed').waitFor()))
    expect(countOf('/v1/stream')).toBe(1)

    await page.close()
    await vi.waitFor(() => expect(countOf('/v1/stream')).toBe(2), 20_000)
    const [first, ...rest] = tabs
    await first?.getByRole('link', { name: 'episode.wav' }).click()
    await first?.getByRole('button', { name: /^Cut the (recording|film) · / }).click()
    await Promise.all(rest.map((tab) => tab.getByText('Cut · episode.wav').waitFor()))
    await Promise.all(rest.map((tab) => expect.poll(() => tab.getByText('Completed').count()).toBe(2)))
    expect(countOf('/v1/stream')).toBe(2)
    expect(problems).toEqual([])
  })
})
