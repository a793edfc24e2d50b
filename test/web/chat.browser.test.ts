import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import path from 'node:path'
import axe from 'axe-core'
import { build } from 'esbuild'
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { launchChromium, noChromium } from '../setup/chromium.ts'
import { recordingWithPauses, secondsOfWav } from './recording.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''
const hostileName = '<img src=x onerror=alert(1)>.wav'
const maxBytes = 64_000
/** What plays in the app, whose policy lets no function poll inside of it. */
const duration = "document.querySelector('video').duration"
const currentTime = "document.querySelector('video').currentTime"

const told = z.object({
  calls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  links: z.array(z.string()),
  context: z.array(z.unknown()),
})

describe.skipIf(noChromium)(`the timeline inside a chat${skipped}`, () => {
  let service: SharedService
  let server: Server
  let hostUrl: string
  let browser: Browser
  let page: Page
  /** Errors, and requests of the app to other places than the storage. */
  let problems: string[]
  let dialogs: string[]
  let consents: boolean

  beforeAll(async () => {
    service = await useSharedService()
    const { outputFiles } = await build({
      entryPoints: [path.join(import.meta.dirname, 'chat-host.mjs')],
      ...{ bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'silent' },
    })
    const script = outputFiles[0]?.text ?? ''
    const html =
      '<!doctype html><html lang="en"><title>Chat</title><main></main><script type="module" src="/host.js"></script>'
    server = createServer(({ url }, response) => {
      const isScript = url === '/host.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : html)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    hostUrl = `http://127.0.0.1:${address.port}`
  })
  afterEach(() => browser?.close())
  afterAll(() => server?.close())

  async function openChat(): Promise<void> {
    browser = await launchChromium()
    page = await browser.newPage()
    page.setDefaultTimeout(30_000)
    problems = []
    dialogs = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('request', (request) => {
      const isOfApp = request.frame() !== page.mainFrame() && !request.url().startsWith('about:')
      if (isOfApp && !request.url().startsWith(`${service.baseUrl}/storage/`)) problems.push(request.url())
    })
    page.on('dialog', async (dialog) => {
      dialogs.push(dialog.message())
      await (consents ? dialog.accept() : dialog.dismiss())
    })
    await page.goto(hostUrl)
    await page.waitForFunction('globalThis.showAnswer')
  }

  /** Shows the answer of a tool, and returns the frame of the app. */
  async function show(name: string, given: object, more: object = {}): Promise<Frame> {
    const call = { url: `${service.baseUrl}/mcp`, token: service.token, name, given, theme: 'light', allowsMedia: true }
    const shown = z
      .object({ bytes: z.number() })
      .parse(await page.evaluate(`showAnswer(${JSON.stringify({ ...call, ...more })})`))
    expect(shown.bytes).toBeLessThan(maxBytes)
    const frame = page.frames().find((each) => each !== page.mainFrame())
    return frame ?? expect.fail('there is no frame')
  }

  const shot = async (name: string) => {
    const folder = process.env['SHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
  }

  const toldHost = async () => told.parse(await page.evaluate('globalThis.told'))

  async function assertAccessible(frame: Frame): Promise<void> {
    await frame.evaluate(axe.source)
    const { violations } = z
      .object({
        violations: z.array(z.looseObject({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
      })
      .parse(await frame.evaluate('axe.run()'))
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  }

  /** A recording with pauses of a hostile name, searched for them. */
  async function findPauses(): Promise<string> {
    const { buffer } = recordingWithPauses()
    const media_url = await service.client.uploadBytes(hostileName, buffer)
    const { body } = await service.client.send('POST', '/v1/jobs', { endpoint: 'audio/detect-silence', media_url })
    const { job_id } = z.object({ job_id: z.string() }).parse(body)
    expect(await service.client.ended(job_id)).toMatchObject({ status: 'completed' })
    return job_id
  }

  it('draws a result, plays it, moves an edge, and cuts a clip with consent', async () => {
    const job_id = await findPauses()
    await openChat()
    const frame = await show('svc.get_job', { job_id, wait_seconds: 30 })
    await frame.getByRole('heading', { name: hostileName }).waitFor()
    await frame.getByText('0:20.0 · silences: 8 · segments: 8').waitFor()
    expect(await frame.locator('img').count()).toBe(0)
    await page.waitForFunction(`told.calls.some(({ arguments: { tiles } }) => tiles)`)
    const colors = z.number().parse(
      await frame.evaluate(`new Promise((resolve) => setTimeout(() => {
        const canvas = document.querySelector('canvas')
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        resolve(new Set(new Uint32Array(data.buffer)).size)
      }, 300))`),
    )
    expect(colors).toBeGreaterThan(5)
    await expect.poll(() => frame.evaluate(duration), { timeout: 30_000 }).toBeGreaterThan(19)
    await shot('chat-drawn')
    await assertAccessible(frame)

    const start = frame.getByRole('slider', { name: 'Start of the clip' })
    expect(await start.getAttribute('aria-valuetext')).toBe('0:00.00')
    await start.focus()
    for (let press = 0; press < 10; press++) await page.keyboard.press('ArrowRight')
    expect(await start.getAttribute('aria-valuetext')).toBe('0:00.10')
    const end = frame.getByRole('slider', { name: 'End of the clip' })
    const box = (await end.boundingBox()) ?? expect.fail('the end is not drawn')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    const endSeconds = Number(await end.getAttribute('aria-valuenow'))
    expect(endSeconds).toBeGreaterThan(1.6)

    // The system can take the pointer away, such as to scroll: the handle then lets go.
    const held = (await end.boundingBox()) ?? expect.fail('the end is not drawn')
    await page.mouse.move(held.x + held.width / 2, held.y + held.height / 2)
    await page.mouse.down()
    await end.dispatchEvent('pointercancel')
    await page.mouse.move(held.x + 80, held.y + held.height / 2)
    await page.mouse.up()
    expect(Number(await end.getAttribute('aria-valuenow'))).toBe(endSeconds)

    const cut = frame.getByRole('button', { name: /^Cut 0:00\.10 – .* · \$0\.00/ })
    await cut.waitFor()
    consents = false
    await cut.click()
    await frame.getByText('The user refused the call.').waitFor()
    const where = { accountId: service.accountId, endpoint: 'video/clip-window' }
    expect([dialogs, await service.db.job.count({ where })]).toEqual([['Run svc.create_job?'], 0])
    consents = true
    await cut.click()
    await frame.getByText(/^Cut: .*\.wav$/).waitFor()
    expect(await service.db.job.count({ where: { ...where, status: 'completed' } })).toBe(1)
    await frame.getByRole('button', { name: /^Open .*\.wav$/ }).click()
    await page.waitForFunction('told.links.length > 0 && told.context.length > 0')
    const { links } = await toldHost()
    const file = Buffer.from(await (await fetch(links[0] ?? '')).arrayBuffer())
    expect(secondsOfWav(file)).toBeCloseTo(endSeconds - 0.1, 1)
    await assertAccessible(frame)
    await shot('chat')

    // The times of the clip are not those of the timeline, which leaves the player alone until the recording is back.
    const clickTimeline = (x: number) => frame.locator('canvas').click({ position: { x, y: 60 } })
    await expect.poll(() => frame.evaluate(duration), { timeout: 30_000 }).toBeLessThan(5)
    await clickTimeline(400)
    expect(await frame.evaluate(currentTime)).toBe(0)
    await frame.getByRole('button', { name: 'Play the recording' }).click()
    await expect.poll(() => frame.evaluate(duration), { timeout: 30_000 }).toBeGreaterThan(19)
    await clickTimeline(700)
    await expect.poll(() => frame.evaluate(currentTime)).toBeGreaterThan(3)
    expect([problems, dialogs.length]).toEqual([[], 2])
  })

  it('leads to the studio where the chat plays no media, in the dark too', async () => {
    const job_id = await findPauses()
    await openChat()
    const frame = await show('svc.get_job_result', { job_id }, { allowsMedia: false, theme: 'dark' })
    await frame.getByText('silences: 8').waitFor()
    await frame.locator('video').waitFor({ state: 'hidden' })
    await frame.getByRole('button', { name: 'Open in the studio' }).click()
    await page.waitForFunction('told.links.length > 0')
    expect((await toldHost()).links[0]).toMatch(new RegExp(`^${service.baseUrl}/dashboard/studio/upl_\\w+$`))
    expect(await frame.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(15, 19, 25)')
    await assertAccessible(frame)
    expect([problems, dialogs]).toEqual([[], []])
  })

  it('follows a run to its end, and shows what each step found and the file', async () => {
    const media_url = await service.client.uploadBytes(hostileName, recordingWithPauses().buffer)
    await openChat()
    const given = { workflow_id: 'remove-dead-space', media_url, mode: 'run_all' }
    const frame = await show('svc.create_workflow_job', given)
    await frame.getByText('0:20.0 · silences: 8 · segments: 8 · ranges: 8').waitFor()
    await frame.getByRole('button', { name: /^Open .*\.wav$/ }).waitFor()
    // 8 tones of 1.5 s, with what stays of the pauses.
    await expect.poll(() => frame.evaluate(duration), { timeout: 30_000 }).toBeGreaterThan(12)
    await assertAccessible(frame)
    expect([problems, dialogs]).toEqual([[], []])
  })

  it('shows the price of a plan, and the error of a call', async () => {
    await openChat()
    const failed = await show('svc.get_job_result', { job_id: 'job_aaaaaaaaaaaaaaaaaaaaaaaa' })
    await failed.getByText(/^not_found: /).waitFor()
    await page.reload()
    await page.waitForFunction('globalThis.showAnswer')
    const frame = await show('svc.create_workflow_job', { workflow_id: 'remove-dead-space', media_seconds: 60 })
    await frame.getByText('The plan costs at most $0.012.').waitFor()
    await assertAccessible(frame)
    expect(problems).toEqual([])
  })
})
