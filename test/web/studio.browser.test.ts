import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Download, Locator, Page, Route } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { linkInMail, newPerson, signUp } from '../../lab/people.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { noChromium } from '../setup/chromium.ts'
import {
  assertAccessible,
  assertFitsPhone,
  desktop,
  openBrowser,
  phone,
  press,
  shot,
  tabTo,
  typeInto,
} from './browse.ts'
import { signIn } from './person.ts'
import { playPast } from './playing.ts'
import { recordingWithPauses, secondsOfWav } from './recording.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''

describe.skipIf(noChromium)(`the studio${skipped}`, { retry: 0 }, () => {
  let service: SharedService
  let browser: Browser
  let page: Page
  let problems: string[]
  beforeAll(async () => {
    service = await useSharedService()
  })
  afterEach(() => browser?.close())

  async function openPage(viewport = desktop): Promise<void> {
    const opened = await openBrowser(service.baseUrl, viewport)
    browser = opened.browser
    page = opened.page
    problems = opened.problems
  }

  /** Signed in, with the recording in the studio and its pauses found. Returns the account. */
  async function openStudio(file: Parameters<Locator['setInputFiles']>[0]): Promise<string> {
    await openPage()
    const person = await signUp(service)
    await signIn(page, service, person)
    await page.getByLabel('Recordings or films').setInputFiles(file)
    await page.getByRole('button', { name: /^Find pauses · / }).click()
    await page.getByRole('button', { name: /^Cut the (recording|film) · / }).waitFor()
    const { id } = await service.db.account.findFirstOrThrow({ where: { owner: { email: person.email } } })
    return id
  }

  async function assertWithoutPauses(download: Download): Promise<void> {
    expect(download.suggestedFilename()).toMatch(/^episode-clip.*\.wav$/)
    // Of 20 seconds: seven pauses of a second leave 0.4 s, and the last one 0.2 s.
    expect(secondsOfWav(await readFile(await download.path()))).toBeCloseTo(20 - 7 * 0.6 - 0.8, 1)
  }

  it.each([
    ['a desk', desktop],
    ['a phone', phone],
  ])(
    'leads a person on %s from the sign-up to a recording without its pauses, in at most twelve actions',
    async (where, viewport) => {
      await openPage(viewport)
      const person = newPerson()
      let actions = 0
      const act = async (action: Promise<unknown>) => {
        actions += 1
        await action
        expect(await page.evaluate('document.documentElement.scrollWidth'), page.url()).toBeLessThanOrEqual(
          viewport.width,
        )
        await shot(page, `journey-${where.replace(' ', '-')}-${actions}`)
      }
      await page.goto(`${service.baseUrl}/dashboard/sign-up`)
      await act(page.getByLabel('Email address').fill(person.email))
      await act(page.getByRole('button', { name: 'Mail me a link' }).click())
      await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
      await act(page.goto(await linkInMail(service, person, 'verify-email')))
      await act(page.getByLabel('Password').fill(person.password))
      await act(page.getByRole('button', { name: 'Create the account' }).click())
      const chooser = page.waitForEvent('filechooser')
      await act(page.getByRole('button', { name: 'Choose a file' }).click())
      await (await chooser).setFiles(recordingWithPauses())
      await act(page.getByRole('button', { name: /^Find pauses · / }).click())
      await act(page.getByRole('button', { name: /^Cut the (recording|film) · / }).click())
      const download = page.waitForEvent('download')
      await act(page.getByRole('link', { name: /^Download · / }).click())
      await assertWithoutPauses(await download)
      expect(actions).toBeLessThanOrEqual(11)
      expect(problems).toEqual([])
    },
  )

  it('does the same by keyboard alone', async () => {
    await openPage()
    const person = newPerson()
    await page.goto(`${service.baseUrl}/dashboard/sign-up`)
    await typeInto(page, 'Email address', person.email)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
    await page.goto(await linkInMail(service, person, 'verify-email'))
    await typeInto(page, 'Password', person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await assertAccessible(page)
    const chooser = page.waitForEvent('filechooser')
    await press(page, 'button', 'Choose a file')
    await (await chooser).setFiles(recordingWithPauses())
    await page.getByRole('button', { name: /^Find pauses · / }).waitFor()
    const focused = () => page.evaluate('document.activeElement.textContent')
    expect(await focused()).toBe('episode.wav')
    // Beside the studio, pages have their names below the icons.
    const room = await page.getByRole('navigation').getByText('Webhooks', { exact: true }).boundingBox()
    expect(room?.width).toBeGreaterThan(30)
    await assertAccessible(page)
    await tabTo(page, page.getByRole('button', { name: /^Find pauses · / }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Cut the (recording|film) · / }).waitFor()
    await page.getByText('8 cuts: 5.0 s less of 20 s').waitFor()
    expect(await focused()).toBe('Pauses')
    await assertAccessible(page)
    await tabTo(page, page.getByRole('button', { name: /^Cut the (recording|film) · / }))
    await page.keyboard.press('Enter')
    await page.getByText('15 s instead of 20 s').waitFor()
    await shot(page, 'cut')
    await assertAccessible(page)
    const download = page.waitForEvent('download')
    await tabTo(page, page.getByRole('link', { name: /^Download · / }))
    await page.keyboard.press('Enter')
    await assertWithoutPauses(await download)
    expect(problems).toEqual([])
  })

  it('opens a sample episode with its pauses and words by one click, free of charge', async () => {
    await openPage()
    await signIn(page, service, await signUp(service))
    await page.getByRole('button', { name: 'Open a sample episode' }).click()
    await page.getByText('9 cuts').first().waitFor()
    await page.getByRole('region', { name: 'Transcript' }).waitFor()
    const uploadId = page.url().split('/').at(-1)
    const jobs = await service.db.job.findMany({ where: { mediaUrl: { endsWith: `/${uploadId}` } } })
    expect(jobs.map(({ finalMicroUsd }) => finalMicroUsd)).toEqual([0n, 0n])
    await page.waitForLoadState('networkidle')
    // docs/studio.png, in README.md.
    await shot(page, 'studio')
    expect(problems).toEqual([])
  })

  it('answers the sliders from the levels that were measured, at no cost, and takes edits back', async () => {
    const where = { accountId: await openStudio(recordingWithPauses()) }
    const jobsBefore = await service.db.job.count({ where })
    const found = page.getByText('8 cuts: 5.0 s less of 20 s')
    await found.waitFor()
    await tabTo(page, page.getByRole('slider', { name: 'For at least' }))
    const preview = page.waitForResponse(/\/preview$/)
    await page.keyboard.press('End')
    expect((await preview).status()).toBe(200)
    await page.getByText('0 cuts').first().waitFor()
    await page.getByText('No pauses were found.').waitFor()
    expect(await page.getByRole('button', { name: /^Cut the recording · / }).getAttribute('aria-disabled')).toBe('true')
    await assertAccessible(page)
    await shot(page, 'no-pauses')
    await press(page, 'button', 'Undo')
    await found.waitFor()
    await press(page, 'button', 'Redo')
    await page.getByText('No pauses were found.').waitFor()
    await press(page, 'button', 'Undo')
    await found.waitFor()
    // The first pause is from 1.5 to 2.5 s, of which 0.2 s stay on each side.
    await page.keyboard.press(']')
    const edge = page.getByRole('slider', { name: 'Start of the cut' })
    await tabTo(page, edge)
    expect(await edge.getAttribute('aria-valuetext')).toBe('0:01.70')
    await page.keyboard.press('ArrowLeft')
    expect(await edge.getAttribute('aria-valuetext')).toBe('0:01.69')
    await page.keyboard.press('Control+z')
    await found.waitFor()
    await shot(page, 'edges')
    await tabTo(page, page.getByRole('button', { name: /^0:01.70 – 0:02.30/ }))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Delete')
    await page.getByText('7 cuts: 4.4 s less of 20 s').waitFor()
    expect(await service.db.job.count({ where })).toBe(jobsBefore)
    expect(problems).toEqual([])
  })

  it('cuts once what the sliders say, although answers of the service are lost', async () => {
    const accountId = await openStudio(recordingWithPauses())
    const cut = page.getByRole('button', { name: /^Cut the (recording|film) · / })
    await page.route('**/preview', (route) => route.abort())
    await tabTo(page, page.getByRole('slider', { name: 'For at least' }))
    await page.keyboard.press('Home')
    expect(await cut.getAttribute('aria-disabled')).toBe('true')
    await page.getByText('These are still the pauses of before.').waitFor()
    expect(await cut.getAttribute('aria-disabled')).toBe('true')
    await assertAccessible(page)
    await shot(page, 'no-preview')
    await page.unroute('**/preview')
    await press(page, 'button', 'Try again')
    await page.getByRole('button', { name: /^Cut the (recording|film) · /, disabled: false }).waitFor()

    const loseAnswer = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/v1/jobs', loseAnswer, { times: 1 })
    await cut.click()
    await page.getByText('The service cannot be reached.').waitFor()
    // The page may be told of the job before the answer is missed: then the button leads to it.
    await page.getByRole('button', { name: /^(Cut the recording · |Open the last cut$)/ }).click()
    await page.getByText('15 s instead of 20 s').waitFor()
    // The same file is not made and charged again, also by a page that is opened later.
    await page.reload()
    await press(page, 'button', 'Open the last cut')
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('The cut file')
    await assertAccessible(page)
    await shot(page, 'last-cut')
    const jobs = await service.db.job.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' } })
    expect(jobs.map(({ endpoint }) => endpoint)).toEqual(['audio/detect-silence', 'video/clip-window'])
    // For at most the price on its button.
    for (const job of jobs) expect(job.limitMicroUsd).toBe(job.estimatedMicroUsd)
    await page.keyboard.press(']')
    await page.keyboard.press('Delete')
    await cut.click()
    await page.getByText('16 s instead of 20 s').waitFor()
    // An older cut is found again too, as the edits are those of it.
    await page.keyboard.press('Control+z')
    await press(page, 'button', 'Open the last cut')
    await page.getByText('15 s instead of 20 s').waitFor()
    expect(await service.db.job.count({ where: { accountId } })).toBe(3)
    expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([])
  })

  it('keeps the button of a run busy until the list of jobs has the first one of it', async () => {
    await openStudio(recordingWithPauses())
    const run = { id: 'run_1', object: 'workflow_run', status: 'running' }
    await page.route('**/v1/workflows/clean-speech/runs', (route) =>
      route.request().postDataJSON().mode === 'run_all'
        ? route.fulfill({ status: 202, json: { request_id: 'req_1', run_id: run.id, run } })
        : route.continue(),
    )
    let reads = 0
    await page.route('**/v1/workflow-runs/run_1*', (route) => {
      reads += 1
      return route.fulfill({ json: { request_id: 'req_1', run } })
    })
    const listed = page.waitForResponse('**/v1/jobs?media_name=*')
    await page.getByRole('button', { name: /^Clean speech · / }).click()
    await listed
    await expect.poll(() => reads).toBeGreaterThan(0)
    await page.getByText('Listening and cutting …').waitFor()
    expect(await page.getByRole('button', { name: /^Clean speech · / }).getAttribute('aria-disabled')).toBe('true')
  })

  it('keeps the edits of an upload for pages that are opened later, until the sign-out', async () => {
    await openStudio(recordingWithPauses())
    await page.getByText('8 cuts: 5.0 s less of 20 s').waitFor()
    await page.keyboard.press(']')
    await page.keyboard.press('Delete')
    await page.getByText('7 cuts: 4.4 s less of 20 s').waitFor()
    await page.reload()
    await page.getByText('7 cuts: 4.4 s less of 20 s').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('8 cuts: 5.0 s less of 20 s').waitFor()
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('7 cuts: 4.4 s less of 20 s').waitFor()
    const drafts = 'Object.keys(localStorage).filter((key) => key.startsWith("draft ")).length'
    expect(await page.evaluate(drafts)).toBe(1)
    // What a page still asks when its person signs out is not refused: it is not asked any more.
    const isSignedOut = page.waitForResponse('**/api/auth/sign-out')
    await page.route(/\/v1\/uploads(\?.*)?$/, async (route) => {
      await isSignedOut
      await route.continue().catch(() => {})
    })
    await page.getByRole('link', { name: 'Back to the media' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Email address').waitFor()
    await expect.poll(() => page.evaluate(drafts)).toBe(0)
    expect(problems).toEqual([])
  })

  it('does not read the length of media again that any job on them has measured', async () => {
    await openPage()
    await signIn(page, service, await signUp(service))
    await page.getByLabel('Recordings or films').setInputFiles(recordingWithPauses())
    await page.getByRole('button', { name: /^Find pauses · / }).waitFor()
    const uploadId = page.url().split('/').at(-1) ?? ''
    const headers = { origin: service.baseUrl }
    const data = { endpoint: 'audio/detect-energy', media_url: `${service.baseUrl}/v1/media/${uploadId}` }
    const made = await page.request.post(`${service.baseUrl}/v1/jobs?wait=30`, { headers, data })
    expect(z.object({ job: z.looseObject({}) }).parse(await made.json()).job['status']).toBe('completed')
    const estimated: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/estimate')) estimated.push(request.postData() ?? '')
    })
    await page.reload()
    await page.getByRole('button', { name: /^Find pauses · / }).waitFor()
    expect(estimated.length).toBeGreaterThan(0)
    expect(estimated.filter((body) => body.includes('media_url'))).toEqual([])
  })

  it('says at the address of no upload what happened, and leads to the media', async () => {
    await openPage()
    await signIn(page, service, await signUp(service))
    await page.goto(`${service.baseUrl}/dashboard/studio/upl_00000000000000000000000000`)
    await page.getByRole('heading', { level: 1, name: 'Media not found' }).waitFor()
    await assertAccessible(page)
    await shot(page, 'unknown')
    await press(page, 'link', 'To your media')
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor()
  })

  it('says that an upload which another browser began goes on there', async () => {
    await openPage()
    await signIn(page, service, await signUp(service))
    const request = { filename: 'half.wav', content_type: 'audio/wav', bytes: 1000, resumable: true }
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }
    const presign = `fetch('/v1/uploads/presign', ${JSON.stringify(sent)}).then((answer) => answer.json())`
    const { upload } = z.object({ upload: z.object({ id: z.string() }) }).parse(await page.evaluate(presign))
    await page.goto(`${service.baseUrl}/dashboard/studio/${upload.id}`)
    await page.getByText('The upload of this file is not complete.').waitFor()
    await assertAccessible(page)
    await shot(page, 'unsent')
    await press(page, 'link', 'Upload the file')
    await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor()
    expect(problems).toEqual([])
  })

  it('plays the cut without what it leaves out', async () => {
    await openStudio(recordingWithPauses())
    await page.getByText('8 cuts').first().waitFor()
    // Played through, the first two seconds of the cut are before 2.7 s of the recording.
    const playing = await playPast(page, 2.5, () => page.keyboard.press('Space'))
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(playing.length).toBeGreaterThan(20)
    const inPause = playing.filter((time) => time > 1.75 && time < 2.25)
    expect(inPause).toEqual([])
    expect(Math.max(...playing)).toBeGreaterThan(2.5)
    expect(problems).toEqual([])
  })

  it('plays what was started before the media arrived', async () => {
    await openStudio(recordingWithPauses())
    let send = () => {}
    const isStarted = new Promise<void>((resolve) => (send = resolve))
    await page.route('**/storage/**', async (route) => {
      await isStarted
      await route.continue()
    })
    await page.reload()
    await page.getByText('8 cuts: 5.0 s less of 20 s').waitFor()
    const playing = await playPast(page, 0.5, async () => {
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Pause' }).waitFor()
      send()
    })
    expect(Math.max(...playing)).toBeGreaterThan(0.5)
    expect(problems).toEqual([])
  })

  it('plays from the storage after the page is opened again, with what was found', async () => {
    await openStudio(recordingWithPauses())
    await page.reload()
    await page.getByText('8 cuts: 5.0 s less of 20 s').waitFor()
    await page.keyboard.press(']')
    const playing = await playPast(page, 2.5, () => page.keyboard.press('l'))
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    expect(Math.max(...playing)).toBeGreaterThan(2.5)
    expect(problems).toEqual([])
  })

  it('reads a transcript of more than 20,000 words from its file, and says how to get it if it does not load', async () => {
    await openStudio(path.resolve('test/fixtures/speech.wav'))
    // Two hours of speech have so many: the result lists none of them.
    const words = Array.from({ length: 20_001 }, (_, index) => ({
      ...{ text: `word${index}`, start: index / 1024, end: (index + 0.5) / 1024, confidence: 0.9 },
    }))
    await page.route('**/v1/jobs/*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(/"words":\[[^\]]*\]/, '"words":[]') })
    })
    await page.route(/words\.json/, (route) => route.fulfill({ json: { words } }))
    await page.getByRole('button', { name: /^Find words · / }).click()
    await page.getByRole('region', { name: 'Transcript' }).waitFor()
    await page.getByLabel('Search the transcript').fill('word20000')
    await page.getByText('1 place', { exact: true }).waitFor()
    expect(problems).toEqual([])

    await page.route(/words\.json/, (route) => route.fulfill({ json: { words: [] } }))
    await page.reload()
    await page.getByText('No words were heard.').waitFor()
    await assertAccessible(page)

    await page.route(/words\.json/, (route) => route.abort())
    await page.reload()
    await page.getByText('The words were found, but not loaded.').waitFor()
    await assertAccessible(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'download them' }).click()
    expect((await download).suggestedFilename()).toMatch(/words\.json$/)
  })

  it('shows what is said beside it, finds it, and cuts by it', async () => {
    await openStudio(path.resolve('test/fixtures/speech.wav'))
    await page.getByRole('button', { name: /^Find words · / }).click()
    await page.getByRole('region', { name: 'Transcript' }).waitFor()
    await assertAccessible(page)
    const search = page.getByLabel('Search the transcript')
    expect((await search.boundingBox())?.width).toBeGreaterThan(300)
    await search.fill('voicemail')
    await page.getByText(/^[23] places$/).waitFor()
    const before = await page.getByText(/cuts?: .* less of/).textContent()
    await tabTo(page, page.getByRole('group', { name: /^Words: / }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Delete')
    expect(await page.locator('.line-through').allTextContents()).toEqual(['If ', 'you '])
    expect(await page.getByText(/cuts?: .* less of/).textContent()).not.toBe(before)
    await shot(page, 'words')
    await page.emulateMedia({ colorScheme: 'dark' })
    await shot(page, 'words-dark')
    await page.setViewportSize(phone)
    await shot(page, 'phone')
    await assertFitsPhone(page)
    // What is said comes before the numbers, for eyes and for screen readers.
    const inOrder = `[...document.querySelectorAll('[aria-label=Timeline],[aria-label=Transcript],[aria-label="Pauses and cuts"]')]`
    const seen = z.array(z.tuple([z.string(), z.number()]))
    const read = async () =>
      seen.parse(await page.evaluate(`${inOrder}.map((part) => [part.ariaLabel, part.getBoundingClientRect().top])`))
    // The page learns its new width with the next frame.
    await expect
      .poll(async () => (await read()).map(([name]) => name))
      .toEqual(['Timeline', 'Transcript', 'Pauses and cuts'])
    const places = await read()
    expect(places).toEqual(places.toSorted(([, one], [, other]) => one - other))
    await page.getByRole('region', { name: 'Transcript' }).scrollIntoViewIfNeeded()
    await shot(page, 'phone-words')
    await assertAccessible(page)
    await page.setViewportSize(desktop)
    await page.getByRole('button', { name: /^Chapters · / }).click()
    await page.getByRole('link', { name: 'Download the chapters' }).waitFor()
    await page.getByRole('button', { name: /^Clean speech · / }).click()
    const cleaning = page.getByText('Listening and cutting …')
    await cleaning.waitFor()
    await cleaning.waitFor({ state: 'hidden' })
    const answer = page.getByRole('region', { name: 'Recipes' }).getByRole('status').first()
    // The talk has no fillers, or few.
    expect(await answer.textContent()).toMatch(/^(Download speech|Nothing was cut: no “um”, stutter)/)
    await shot(page, 'recipes')
    // What was paid for is still there.
    const cleaned = await answer.textContent()
    await page.reload()
    await page.getByRole('link', { name: 'Download the chapters' }).waitFor()
    await expect.poll(() => answer.textContent()).toBe(cleaned)
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await assertAccessible(page)
    expect(problems).toEqual([])
  })
})
