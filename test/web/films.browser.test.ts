import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page, Route } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../../lab/people.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import { mediaTools } from '../setup/tools.ts'
import { assertAccessible, assertFitsPhone, openBrowser, phone, shot } from './browse.ts'
import { signIn } from './person.ts'
import { playPast, shownPicture } from './playing.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''
const run = promisify(execFile)
const film = path.resolve('test/fixtures/film.mp4')
const speech = path.resolve('test/fixtures/speech.wav')
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=330:duration=5', '-map', '0:v', '-map', '1:a']

const jobBody = z.object({ job: z.looseObject({ id: z.string() }) })
const probed = z.object({ streams: z.array(z.looseObject({})), format: z.object({ duration: z.string() }) })

describe.skipIf(noChromium)(`a film in the studio${skipped}`, () => {
  let service: SharedService
  let folder: string
  let browser: Browser
  let page: Page
  let problems: string[]
  beforeAll(async () => {
    service = await useSharedService()
    folder = await mkdtemp(path.join(tmpdir(), 'films '))
    return () => rm(folder, { recursive: true })
  })
  afterEach(() => browser?.close())

  async function openPage(): Promise<void> {
    const opened = await openBrowser(service.baseUrl)
    browser = opened.browser
    page = opened.page
    problems = opened.problems
  }

  async function openStudio(file: string): Promise<void> {
    await openPage()
    await addRecording(file)
  }

  async function addRecording(file: string): Promise<void> {
    await signIn(page, service, await signUp(service))
    await page.getByLabel('Recordings or films').setInputFiles(file)
    await page.getByRole('button', { name: /^Find pauses · / }).waitFor()
  }

  async function madeOf(from: string, name: string, ...args: string[]): Promise<string> {
    const made = path.join(folder, name)
    await run(mediaTools.ffmpegPath, ['-y', '-v', 'error', '-i', from, ...args, made])
    return made
  }

  const play = () => page.getByRole('button', { name: 'Play', exact: true })
  /** The same, once it plays. */
  const playable = () => page.getByRole('button', { name: 'Play', exact: true, disabled: false })

  it('shows its picture, steps by frames, and plays without a part that was marked and cut', async () => {
    await openStudio(await madeOf(film, 'film.mp4', ...tone, '-c:v', 'copy', '-c:a', 'aac', '-shortest'))
    await page.getByRole('button', { name: /^Find pauses · / }).click()
    await page.getByRole('button', { name: /^Cut the (recording|film) · / }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Shift+ArrowRight')
    const before = await shownPicture(page)
    expect(before.width).toBe(1280)
    expect(before.seconds).toBeCloseTo(1, 2)
    await page.keyboard.press('ArrowRight')
    const after = await shownPicture(page)
    expect(after.seconds).toBeCloseTo(1.04, 2)
    expect(after.pixels).not.toBe(before.pixels)
    await page.keyboard.press('ArrowLeft')
    expect((await shownPicture(page)).pixels).toBe(before.pixels)

    await page.keyboard.press('i')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('o')
    await page.keyboard.press('Delete')
    await page.getByText(/^1 cut: 1\.0 s less of /).waitFor()
    for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowLeft')
    const playing = await playPast(page, 2.2, () => page.keyboard.press('Space'))
    await page.keyboard.press('k')
    expect(Math.min(...playing)).toBeLessThan(0.5)
    expect(Math.max(...playing)).toBeGreaterThan(2.2)
    expect(playing.filter((time) => time > 1.05 && time < 1.95)).toEqual([])
    await shot(page, 'film')
    await assertAccessible(page)
    expect(problems).toEqual([])
  })

  it('gives a short of the range that was marked, upright for phones', async () => {
    await openStudio(await madeOf(film, 'film.mp4', ...tone, '-c:v', 'copy', '-c:a', 'aac', '-shortest'))
    await page.getByRole('button', { name: /^Find pauses · / }).click()
    const recipes = page.getByRole('region', { name: 'Recipes' })
    await recipes.getByText('Mark a range in the timeline first.').waitFor()
    const short = recipes.getByRole('button', { name: /^Short/ })
    expect(await short.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('i')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('o')
    await recipes.getByText('The marked range, upright for phones.').waitFor()
    await recipes.getByRole('button', { name: /^Short · /, disabled: false }).click()
    const link = recipes.getByRole('link', { name: /^Download film/ })
    const download = page.waitForEvent('download')
    await link.click()
    const made = await (await download).path()
    const args = ['-v', 'error', '-show_entries', 'stream=width,height:format=duration', '-of', 'json', made]
    const { stdout } = await run(mediaTools.ffprobePath, args)
    const { streams, format } = probed.parse(JSON.parse(stdout))
    expect(streams).toContainEqual({ width: 1080, height: 1920 })
    expect(Number(format.duration)).toBeCloseTo(1, 1)
    // Another range has no short yet, and what was paid for is found again by its range.
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('o')
    await link.waitFor({ state: 'hidden' })
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('o')
    await link.waitFor()
    await assertAccessible(page)
    await shot(page, 'short')
    expect(problems).toEqual([])
  })

  it('steps by its own frames where these are not 25 a second', async () => {
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=30000/1001:duration=3']
    const file = await madeOf(
      speech,
      'film.mp4',
      ...picture,
      '-map',
      '0:a',
      '-map',
      '1:v',
      '-pix_fmt',
      'yuv420p',
      '-shortest',
    )
    await openStudio(file)
    await page.getByRole('button', { name: /^Find pauses · / }).click()
    await page.getByRole('button', { name: /^Cut the (recording|film) · / }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    const shown = [await shownPicture(page)]
    while (shown.length <= 12) {
      await page.keyboard.press('ArrowRight')
      shown.push(await shownPicture(page))
    }
    expect(shown.at(-1)?.seconds).toBeCloseTo((12 * 1001) / 30_000, 2)
    expect(new Set(shown.map(({ pixels }) => pixels)).size).toBe(shown.length)
  })

  it('of a kind that the browser cannot play has a timeline and a transcript, and plays by a copy on request', async () => {
    const sound = ['-i', speech, '-map', '0:v', '-map', '1:a', '-shortest']
    await openStudio(await madeOf(film, 'film.mkv', ...sound, '-c:v', 'mpeg4', '-c:a', 'ac3'))
    await page.getByText('This browser cannot play this film.').waitFor()
    expect(await play().isDisabled()).toBe(true)
    await page.getByRole('button', { name: /^Find pauses · / }).click()
    await page.getByRole('button', { name: /^Cut the (recording|film) · / }).waitFor()
    await page.getByRole('button', { name: /^Find words · / }).click()
    await page.getByRole('group', { name: /^Words: / }).waitFor()
    await assertAccessible(page)
    await shot(page, 'unplayable')
    await page.keyboard.press('Space')
    expect(await play().isDisabled()).toBe(true)
    await page.getByRole('button', { name: /^Make a playable copy · / }).click()
    await page.getByText('This browser cannot play this film.').waitFor({ state: 'hidden' })
    expect((await shownPicture(page)).width).toBe(960)

    await page.reload()
    await playable().waitFor()
    // A copy is no cut of it.
    expect(await page.getByRole('region', { name: 'The cut file' }).count()).toBe(0)
    await page.getByRole('heading', { level: 1 }).click()
    expect(Math.max(...(await playPast(page, 1.5, () => page.keyboard.press('Space'))))).toBeGreaterThan(1.5)
    await page.keyboard.press('Space')
    expect(problems).toEqual([])
  })

  it.each([
    ['film.avi', 'The file is an AVI video, which is not supported.'],
    // Browsers take its name for that of a text.
    ['film.ts', 'The file is an MPEG transport stream, which is not supported.'],
  ])('of a kind that the service does not read says so, such as %s, and offers no copy', async (name, what) => {
    const opened = await openBrowser(service.baseUrl)
    browser = opened.browser
    page = opened.page
    await signIn(page, service, await signUp(service))
    await page.getByLabel('Recordings or films').setInputFiles(await madeOf(film, name, '-c:v', 'mpeg4', '-c:a', 'ac3'))
    await page.getByRole('region', { name: 'Timeline' }).getByRole('alert').getByText(what).waitFor()
    await page.getByText('Neither this browser nor the service can read this film.').waitFor()
    expect(await page.getByRole('button', { name: /^Make a playable copy/ }).count()).toBe(0)
    for (const name of ['Find pauses', 'Find words'])
      expect(await page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
    expect(await page.getByText('The service cannot read this file').count()).toBe(2)
    expect(await page.getByText(what).count()).toBe(1)
    await shot(page, 'unsupported')
    await assertAccessible(page)
  })

  it('is told apart where the browser plays only its sound, and gets its picture by a copy', async () => {
    const file = await madeOf(film, 'film.mov', '-c:v', 'prores_ks', '-profile:v', '1', '-c:a', 'aac', '-ac', '2')
    await openStudio(file)
    await page.getByText('This browser plays only the sound of this film.').waitFor()
    expect(await play().isDisabled()).toBe(false)
    await page.getByRole('button', { name: /^Make a playable copy · / }).click()
    await page.getByText('This browser plays only the sound of this film.').waitFor({ state: 'hidden' })
    expect((await shownPicture(page)).width).toBe(960)
    expect(problems).toEqual([])
  })

  it('that is a recording in ALAC is heard by a copy', async () => {
    await openStudio(await madeOf(speech, 'talk.m4a', '-c:a', 'alac'))
    await page.getByText('This browser cannot play this recording.').waitFor()
    expect(await play().isDisabled()).toBe(true)
    await page.setViewportSize(phone)
    await assertFitsPhone(page)
    await assertAccessible(page)
    await page.getByRole('button', { name: /^Make a playable copy · / }).click()
    await playable().waitFor()
    expect(Math.max(...(await playPast(page, 1.5, () => play().click())))).toBeGreaterThan(1.5)
    expect(problems).toEqual([])
  })

  it('plays by a copy whose end the list of jobs has before the page is told of it', async () => {
    await openPage()
    const tell = await tellerOf(page, service.baseUrl)
    await addRecording(await madeOf(speech, 'talk.m4a', '-c:a', 'alac'))

    /** What answers as if the job went on. */
    let open = /[?]media_name=|[/]job_/
    await page.route(/[/]v1[/]jobs[?/]/, async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      const body = open.test(route.request().url()) ? text.replaceAll('"completed"', '"running"') : text
      await route.fulfill({ response, body })
    })
    const answer = (path: RegExp) => page.waitForResponse((response) => path.test(response.url()) && response.ok())
    const read = answer(/[/]v1[/]jobs[/]job_/)
    await page.getByRole('button', { name: /^Make a playable copy · / }).click()
    const [id = ''] = /job_\w+/.exec((await read).url()) ?? []
    await expect.poll(() => service.db.job.count({ where: { id, status: 'completed' } })).toBe(1)
    open = /[/]job_/
    const list = answer(/[?]media_name=/)
    await tell({ kind: 'job', job: { id: 'job_of_another_file', status: 'running', progress: 0 } })
    await (await list).finished()
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))')
    open = /nothing/
    await tell({ kind: 'ended', object: 'job', id })
    await playable().waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(problems).toEqual([])
  })

  it('shows what a job found although the answer of before its end comes after the page is told of it', async () => {
    await openPage()
    const tell = await tellerOf(page, service.baseUrl)
    await addRecording(speech)
    const answerLate = async (route: Route) => {
      const response = await route.fetch()
      const { job } = jobBody.parse(await response.json())
      await expect.poll(() => service.db.job.count({ where: { id: job.id, status: 'completed' } })).toBe(1)
      const list = page.waitForRequest(/[?]media_name=/)
      await tell({ kind: 'ended', object: 'job', id: job.id })
      await list
      await route.fulfill({ json: { job: { ...job, status: 'running', result: undefined } } })
    }
    await page.route(/[/]v1[/]jobs[/]job_\w+[?]/, answerLate, { times: 1 })
    await page.getByRole('button', { name: /^Find pauses · / }).click()
    await page.getByRole('button', { name: /^Cut the recording · / }).waitFor()
    expect(problems).toEqual([])
  })
})

/** Tells the page of changes, which it then hears from no stream. */
async function tellerOf(page: Page, baseUrl: string): Promise<(told: object) => Promise<unknown>> {
  const leader = await page.context().newPage()
  await leader.goto(`${baseUrl}/docs/jobs`)
  await leader.evaluate(`
    changes = new BroadcastChannel('changes')
    changes.onmessage = ({ data }) => data.kind === 'is it live?' && changes.postMessage({ kind: 'live', isLive: true })
    navigator.locks.request('changes', () => new Promise(() => {}))
    undefined`)
  return (told) => leader.evaluate(`changes.postMessage(${JSON.stringify(told)})`)
}
