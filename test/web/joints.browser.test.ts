import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../../lab/people.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { launchChromium, noChromium } from '../setup/chromium.ts'
import { runFfmpeg } from '../setup/tools.ts'
import { desktop } from './browse.ts'
import { signIn } from './person.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''
const joints = 6
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=330:duration=40']
const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=40']

describe.skipIf(noChromium)(`the joints of a cut that plays before it is made${skipped}`, { retry: 3 }, () => {
  let service: SharedService
  let folder: string
  let browser: Browser
  beforeAll(async () => {
    service = await useSharedService()
    folder = await mkdtemp(path.join(tmpdir(), 'tones '))
    return () => rm(folder, { recursive: true })
  })
  afterEach(() => browser?.close())

  it.each([
    ['tone.wav', tone],
    ['tone.m4a', [...tone, '-c:a', 'aac']],
    ['tone.mp4', [...picture, ...tone, '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest']],
  ])('are silent for at most 20 ms in %s', async (name, args) => {
    const file = path.join(folder, name)
    await runFfmpeg(...args, file)
    browser = await launchChromium()
    // The listener is a script of the test.
    const context = await browser.newContext({ viewport: desktop, bypassCSP: true })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    await signIn(page, service, await signUp(service))
    await page.getByLabel('Recordings or films').setInputFiles(file)
    await page.getByRole('button', { name: /^Find pauses · / }).click()
    await page.getByRole('button', { name: /^Cut the (recording|film) · / }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    const second = () => page.keyboard.press('Shift+ArrowRight')
    for (let joint = 0; joint < joints; joint++) {
      await second()
      await second()
      await page.keyboard.press('i')
      await second()
      await page.keyboard.press('o')
      await page.keyboard.press('Delete')
    }
    await page.getByText(`${joints} cuts: 6.0 s less of 40 s`).waitFor()
    for (let back = 0; back < joints * 3; back++) await page.keyboard.press('Shift+ArrowLeft')
    await page.evaluate(listen)
    await page.keyboard.press('Space')
    await expect
      .poll(() => page.evaluate('window.heard.seconds'), { timeout: 60_000 })
      .toBeGreaterThan(joints * 2 + 0.5)
    await page.keyboard.press('Space')
    const heard = heardSchema.parse(await page.evaluate('window.heard'))
    console.log(`${name}: silences of ${heard.gaps.map((gap) => gap.toFixed(1)).join(', ') || 'no'} ms`)
    expect(heard.gaps.filter((gap) => gap > 20)).toEqual([])
  })
})

const heardSchema = z.object({ seconds: z.number(), gaps: z.array(z.number()) })

/** Runs in the page: what both elements play together, and each silence of it in milliseconds. The end of the playing is none. */
const listen = `(async () => {
  const context = new AudioContext()
  const listener = \`registerProcessor('listener', class extends AudioWorkletProcessor {
    quiet = 0
    heard = 0
    process(inputs) {
      const samples = inputs[0][0]
      for (let at = 0; at < 128; at++) {
        const isQuiet = !samples || Math.abs(samples[at]) < 0.002
        if (isQuiet) this.quiet += 1
        else {
          if (this.heard > 0 && this.quiet > sampleRate / 500) this.port.postMessage({ gap: (this.quiet / sampleRate) * 1000 })
          this.heard += 1
          this.quiet = 0
        }
      }
      if (currentFrame % 4096 === 0) this.port.postMessage({ seconds: this.heard / sampleRate })
      return true
    }
  })\`
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([listener], { type: 'text/javascript' })))
  const node = new AudioWorkletNode(context, 'listener')
  window.heard = { seconds: 0, gaps: [] }
  node.port.onmessage = ({ data }) => {
    if (data.gap) window.heard.gaps.push(data.gap)
    else window.heard.seconds = data.seconds
  }
  for (const element of document.querySelectorAll('video')) {
    const source = context.createMediaElementSource(element)
    source.connect(node)
    source.connect(context.destination)
  }
  await context.resume()
})()`
