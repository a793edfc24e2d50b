import { mkdtemp, open, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, FileChooser, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { signUp } from '../../lab/people.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { assertAccessible, openBrowser } from './browse.ts'
import { signIn } from './person.ts'
import { recordingWithPauses, wavHeader } from './recording.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''
/** An hour of sound in two channels is 600. */
const megabytes = Number(process.env['UPLOAD_MB'] ?? 40)
const sentBytesPerSecond = megabytes * 100_000

describe.skipIf(noChromium)(`an upload of ${megabytes} MB by a page${skipped}`, () => {
  let service: SharedService
  let browser: Browser
  let folder: string
  beforeAll(async () => {
    service = await useSharedService()
    folder = await mkdtemp(path.join(tmpdir(), 'long recordings '))
    return () => rm(folder, { recursive: true })
  })
  afterEach(() => browser?.close())

  /** Silence, of which the disk keeps only the header. */
  async function longRecording(): Promise<string> {
    const file = path.join(folder, 'long.wav')
    const handle = await open(file, 'w')
    const bytes = megabytes * 1_000_000
    await handle.write(wavHeader(bytes, { sampleRate: 44_100, channels: 2 }))
    await handle.truncate(44 + bytes)
    await handle.close()
    await utimes(file, 1_700_000_000, 1_700_000_000)
    return file
  }

  async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond }
    await network.send('Network.emulateNetworkConditions', conditions)
  }

  /** The id of the upload that the page shows next. */
  async function openedStudio(page: Page): Promise<string> {
    await page.waitForURL(/\/studio\/upl_\w+$/)
    return page.url().split('/').at(-1) ?? ''
  }

  it('is heard meanwhile, is paused, and goes on after the page is opened again and the file is chosen', async () => {
    const opened = await openBrowser(service.baseUrl)
    browser = opened.browser
    const { page, problems } = opened
    const ranges: string[] = []
    page.on('request', (request) => {
      const range = request.headers()['content-range']
      if (range) ranges.push(range)
    })
    const file = await longRecording()
    await signIn(page, service, await signUp(service))
    await slowDown(page, sentBytesPerSecond)
    await page.getByLabel('Recordings or films').setInputFiles(file)
    const uploadId = await openedStudio(page)
    await vi.waitFor(() => expect(ranges.length).toBeGreaterThanOrEqual(2), 120_000)

    await page.getByRole('button', { name: 'Pause long.wav' }).click()
    await page.getByRole('button', { name: 'Resume long.wav' }).waitFor()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await vi.waitFor(async () => {
      expect(
        await page.evaluate('Math.max(...[...document.querySelectorAll("video")].map((each) => each.currentTime))'),
      ).toBeGreaterThan(0.5)
    }, 20_000)
    await assertAccessible(page)

    await page.goto(`${service.baseUrl}/dashboard`)
    await page.getByText('Choose or drop the file again to go on with its upload.').waitFor()
    await assertAccessible(page)
    const chooser = async (chosen: Parameters<FileChooser['setFiles']>[0]) => {
      const opening = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose the file again' }).click()
      await (await opening).setFiles(chosen)
    }
    await chooser(recordingWithPauses())
    await page.getByText('episode.wav is another file. Choose long.wav.').waitFor()
    await page.goto(`${service.baseUrl}/dashboard/studio/${uploadId}`)
    await page.getByText(/^[\d.]+ MB of \d+ MB$/).waitFor()
    await assertAccessible(page)
    ranges.length = 0
    await chooser(file)
    await page.getByRole('button', { name: 'Pause long.wav' }).waitFor()
    await slowDown(page, -1)
    await page.getByRole('button', { name: 'Pause long.wav' }).waitFor({ state: 'hidden', timeout: 200_000 })
    expect(ranges[0]).toMatch(/^bytes \*\//)
    const [first = 0] = ranges.slice(1).map((range) => Number(/^bytes (\d+)-/.exec(range)?.[1]))
    expect(first).toBeGreaterThanOrEqual(8 * 2 ** 20)
    const upload = await vi.waitFor(async () => {
      const found = await service.db.upload.findUniqueOrThrow({ where: { id: uploadId } })
      expect(found.bytes).not.toBeNull()
      return found
    }, 60_000)
    expect(Number(upload.bytes)).toBe(megabytes * 1_000_000 + 44)
    expect(problems).toEqual([])
  })

  it('is taken back when it is stopped', async () => {
    const opened = await openBrowser(service.baseUrl)
    browser = opened.browser
    const { page, problems } = opened
    await signIn(page, service, await signUp(service))
    await slowDown(page, 20_000)
    await page.getByLabel('Recordings or films').setInputFiles(recordingWithPauses())
    const uploadId = await openedStudio(page)
    await page.getByRole('button', { name: 'Stop episode.wav' }).click()
    await expect.poll(() => service.db.upload.count({ where: { id: uploadId, deletedAt: null } })).toBe(0)
    expect(problems).toEqual([])
  })

  it('is one that is dropped beside the field, or on a page without any', async () => {
    const opened = await openBrowser(service.baseUrl)
    browser = opened.browser
    const { page, problems } = opened
    await signIn(page, service, await signUp(service))
    await page.goto(`${service.baseUrl}/dashboard/jobs`)
    await page.getByText('You have none yet.').waitFor()
    const bytes = Buffer.concat([wavHeader(16_000, { sampleRate: 8000, channels: 1 }), Buffer.alloc(16_000)])
    await page.evaluate(`
      dropped = new DataTransfer()
      dropped.items.add(new File([Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))], 'tone.wav'))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }))
      undefined`)
    await openedStudio(page)
    await page.getByRole('heading', { name: 'tone.wav' }).waitFor()
    expect(problems).toEqual([])
  })
})
