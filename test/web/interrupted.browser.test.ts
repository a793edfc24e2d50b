import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../lab/people.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { assertAccessible, openBrowser, shot } from './browse.ts'
import { signIn } from './person.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''

describe.skipIf(noChromium)(`a dashboard that cannot go on${skipped}`, { retry: 0 }, () => {
  let service: SharedService
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    service = await useSharedService()
    const opened = await openBrowser(service.baseUrl)
    browser = opened.browser
    page = opened.page
    await signIn(page, service, await signUp(service))
  })
  afterAll(() => browser?.close())

  it('takes no empty file', async () => {
    // The unit of the progress of uploads.
    await page.getByText('and more, up to 5 GB.').waitFor()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    await page
      .getByLabel('Recordings or films')
      .setInputFiles({ name: 'empty.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(0) })
    await page.getByText('The file empty.mp3 is empty. Choose another one.').waitFor()
    await assertAccessible(page)
    expect(sent).toEqual([])
    await shot(page, 'empty-file')
  })

  it('says without a connection that the page needs one, and opens it when there is one again', async () => {
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Jobs', exact: true }).click()
    await page.getByText('Check your connection. The page opens when it is back.').waitFor()
    await page.getByRole('navigation').waitFor()
    await assertAccessible(page)
    await shot(page, 'offline')
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  })

  it('says that the service does not answer for a while, and goes on when it is back', async () => {
    await page.route('**/v1/stream', (route) => route.abort())
    await page.reload()
    const notice = page.getByText('The service does not answer.')
    await notice.waitFor()
    await assertAccessible(page)
    await shot(page, 'outage')
    await page.unroute('**/v1/stream')
    await notice.waitFor({ state: 'detached' })
  })

  it('says why it could not read what a page shows, and reads it again', async () => {
    await page.route('**/v1/shares', (route) => route.abort())
    await page.getByRole('link', { name: 'Shares', exact: true }).click()
    await page.getByText('The service cannot be reached.').waitFor()
    await assertAccessible(page)
    await page.unroute('**/v1/shares')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Each share stands here until it ends.').waitFor()
  })

  it('leads to the sign-in after a sign-out in another tab, and back', async () => {
    const other = await page.context().newPage()
    await other.goto(`${service.baseUrl}/dashboard/usage`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.waitForURL('**/sign-in?next=%2Fusage')
    await other.close()
  })
})
