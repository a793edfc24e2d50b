import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGuides } from '../../api/docs/guides.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { assertAccessible, assertFitsPhone, desktop, openBrowser, phone, shot } from './browse.ts'

const guides = await readGuides('docs')

describe.skipIf(noChromium)(`documents${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  let service: SharedService
  let browser: Browser
  let page: Page
  let problems: string[]
  beforeAll(async () => {
    service = await useSharedService()
    const opened = await openBrowser(service.baseUrl)
    browser = opened.browser
    page = opened.page
    problems = opened.problems
  })
  afterAll(() => browser?.close())

  it('the reference loads without an error, from this service only, and fits on a phone', async () => {
    await page.goto(`${service.baseUrl}/docs/`)
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport)
      await page.getByRole('heading', { name: 'Media Timeline API' }).waitFor()
      await page.getByRole('heading', { name: 'Estimate the price of a job' }).waitFor()
    }
    await assertFitsPhone(page)
    await assertAccessible(page)
    // The page is as narrow as that of a phone from its first paint.
    await page.reload()
    const list = page.getByLabel('jobs endpoints')
    await list.scrollIntoViewIfNeeded()
    // A keyboard could not scroll it.
    expect(await list.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
    await assertFitsPhone(page)
    await assertAccessible(page)
    expect(problems).toEqual([])
    await shot(page, 'reference-phone')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('an unknown address is a page that leads on', async () => {
    await page.setViewportSize(phone)
    const answer = await page.goto(`${service.baseUrl}/nonsense`)
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'API reference' }).waitFor()
    await assertFitsPhone(page)
    await assertAccessible(page)
    await page.getByRole('link', { name: 'To the dashboard' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    problems.length = 0
  })

  it.each<readonly [string, string]>([
    ...guides.map(({ name, title }) => [`/docs/${name}`, title] as const),
    ['/docs/errors', 'Errors'],
    ['/mcp', 'Media Timeline for agents'],
  ])('%s is accessible and fits on a phone', async (address, heading) => {
    await page.setViewportSize(phone)
    await page.goto(service.baseUrl + address)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await assertFitsPhone(page)
    await assertAccessible(page)
    expect(problems).toEqual([])
  })
})
