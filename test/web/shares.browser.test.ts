import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../../lab/people.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { assertAccessible, assertFitsPhone, desktop, openBrowser, phone, press, tabTo } from './browse.ts'
import { signIn } from './person.ts'
import { recordingWithPauses } from './recording.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''

describe.skipIf(noChromium)(`a share${skipped}`, { retry: 0 }, () => {
  let service: SharedService
  let opened: Awaited<ReturnType<typeof openBrowser>>
  /** What a stranger has: no session. */
  let visitor: Awaited<ReturnType<typeof openBrowser>>
  let link: string
  beforeAll(async () => {
    service = await useSharedService()
    opened = await openBrowser(service.baseUrl)
    visitor = await openBrowser(service.baseUrl)
    await signIn(opened.page, service, await signUp(service))
  })
  afterAll(async () => {
    await opened?.browser.close()
    await visitor?.browser.close()
  })

  it('of a cut is made in the studio by keyboard, and lists what it allows', async () => {
    const { page, problems } = opened
    await page.getByLabel('Recordings or films').setInputFiles(recordingWithPauses())
    await page.getByRole('button', { name: /^Find pauses · / }).click()
    await page.getByRole('button', { name: /^Cut the (recording|film) · / }).click()
    await page.getByText('15 s instead of 20 s').waitFor()
    await tabTo(page, page.getByRole('button', { name: /^Share episode/ }))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await assertAccessible(page)
    // A cut has no transcript.
    expect(await page.getByLabel('What is said').count()).toBe(0)
    for (const choice of ['A button that saves the file', 'A player that other sites may embed']) {
      await tabTo(page, page.getByLabel(choice))
      await page.keyboard.press('Space')
    }
    await press(page, 'button', 'Create the link')
    const region = page.getByRole('region', { name: 'The new link' })
    await region.waitFor()
    link = (await region.locator('code').textContent()) ?? ''
    expect(link).toMatch(new RegExp(`^${service.baseUrl}/s/[a-zA-Z0-9]{22}$`))
    await page.getByText('with download, display on other websites').waitFor()
    await assertAccessible(page)
    await press(page, 'button', 'Close')
    expect(problems).toEqual([])
  })

  it('is seen, heard and saved by somebody without an account', async () => {
    const { page, problems } = visitor
    await page.goto(link)
    await page.getByRole('heading', { level: 1, name: /^episode.*wav$/ }).waitFor()
    const timeline = page.getByRole('img', { name: /^Timeline with [89] parts$/ })
    await timeline.waitFor()
    await assertAccessible(page)
    await shot(page, 'share')
    await page.getByText(/Its length is that of the parts that were kept/).waitFor()
    const download = page.waitForEvent('download')
    await tabTo(page, page.getByRole('link', { name: /^Download · \d+ kB$/ }))
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^episode.*\.wav$/)
    // A line of the list leads to its place.
    await page.getByText(/^Parts · [89]$/).click()
    await page.getByRole('listitem').getByRole('button').nth(2).click()
    await expect.poll(() => page.evaluate('document.querySelector("audio").currentTime')).toBeGreaterThan(1)
    // So does a click on the waveform.
    const box = await timeline.boundingBox()
    if (!box) throw new Error('the timeline has no place')
    await page.mouse.click(box.x + box.width * 0.75, box.y + box.height / 2)
    await expect.poll(() => page.evaluate('document.querySelector("audio").currentTime')).toBeGreaterThan(10)
    await page.setViewportSize(phone)
    await assertFitsPhone(page)
    await assertAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await shot(page, 'share-phone-dark')
    await page.setViewportSize(desktop)
    expect(await page.context().cookies()).toEqual([])
    expect(problems).toEqual([])
  })

  it('is shown in a frame of another site only in its form for frames', async () => {
    const server = createServer((request, response) => {
      const src = request.url === '/page' ? link : `${link}/embed`
      response.setHeader('content-type', 'text/html')
      response.end(
        `<!doctype html><title>Other</title><iframe title="Talk" src="${src}" width="800" height="560" sandbox="allow-scripts allow-same-origin"></iframe>`,
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = z.object({ port: z.number() }).parse(server.address())
    const page = await visitor.page.context().newPage()
    try {
      await page.goto(`http://localhost:${port}/embed`)
      const frame = page.frameLocator('iframe')
      await frame.getByRole('heading', { name: /^episode.*wav$/ }).waitFor()
      await expect
        .poll(() => frame.locator('audio').evaluate((each) => Reflect.get(each, 'readyState')))
        .toBeGreaterThan(0)
      await shot(page, 'share-framed')
      await page.goto(`http://localhost:${port}/page`)
      await page.waitForLoadState('networkidle')
      expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0)
    } finally {
      await page.close()
      server.close()
    }
  })

  it('shows nothing after it was revoked among the shares, like a link that never was', async () => {
    const { page } = opened
    await page.goto(`${service.baseUrl}/dashboard/shares`)
    await page.getByText('episode.wav · Cut').waitFor()
    await page.getByText(/^Made .* · until .* · with download, display on other websites$/).waitFor()
    await assertAccessible(page)
    // The link is lost: another one like it.
    await page.getByRole('button', { name: /^Make a new link to episode\.wav · Cut/ }).click()
    const made = page.getByRole('region', { name: 'The new link' })
    const again = (await made.locator('code').textContent()) ?? ''
    expect(again).not.toBe(link)
    await assertAccessible(page)
    await shot(page, 'shares')
    const statusOf = async (address: string) => (await page.request.get(address)).status()
    await made.getByText('The link before it works too, until ').waitFor()
    expect([await statusOf(link), await statusOf(again)]).toEqual([200, 200])
    await press(page, 'button', 'Revoke the link before it')
    await made.getByText('The link before it is revoked').waitFor()
    expect(await made.locator('code').textContent()).toBe(again)
    expect([await statusOf(link), await statusOf(again)]).toEqual([404, 200])
    await page.getByRole('button', { name: /^Revoke the link to episode\.wav/ }).click()
    await page.getByText('Each share stands here until it ends.').waitFor()
    const other = await visitor.page.context().newPage()
    for (const address of [link, `${link}/embed`, `${service.baseUrl}/s/${'a'.repeat(22)}`]) {
      expect((await other.goto(address))?.status()).toBe(404)
      await other.getByRole('heading', { name: 'Not shared' }).waitFor()
      await assertAccessible(other)
    }
    await other.close()
  })

  it('of a job that found something shows it without its source', async () => {
    const { page } = opened
    await page.goto(`${service.baseUrl}/dashboard/jobs`)
    await page.getByRole('button', { name: 'Share Find pauses of episode.wav' }).click()
    await press(page, 'button', 'Create the link')
    const shared = (await page.getByRole('region', { name: 'The new link' }).locator('code').textContent()) ?? ''
    await visitor.page.goto(shared)
    await visitor.page.getByRole('heading', { name: 'episode.wav' }).waitFor()
    await visitor.page.getByText('Pauses · 8').waitFor()
    expect(await visitor.page.locator('audio, video').count()).toBe(0)
    await shot(visitor.page, 'share-found')
    await assertAccessible(visitor.page)
    expect(visitor.problems).toEqual([])
  })
})

/** With a folder in SHOTS, pictures for eyes. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
}
