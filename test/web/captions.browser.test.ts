import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { runEndpoint } from '../endpoints/run-endpoint.ts'
import { fixture } from '../fixtures/make.ts'
import { launchChromium, noChromium } from '../setup/chromium.ts'

const origin = 'http://clips.test'
const page = '<video preload="auto" muted></video>'

/** Runs in the page: what the track shows at some moments of the clip. */
const playTrack = `async (times) => {
  const video = document.querySelector('video')
  // A film in memory can be sought.
  video.src = URL.createObjectURL(await (await fetch('/clip.webm')).blob())
  const track = document.createElement('track')
  Object.assign(track, { src: '/clip.vtt', kind: 'captions', default: true })
  const loaded = new Promise((resolve, reject) => { track.onload = resolve; track.onerror = reject })
  video.append(track)
  track.track.mode = 'showing'
  await loaded
  const shown = []
  for (const time of times) {
    const sought = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
    video.currentTime = time
    await sought
    shown.push([...track.track.activeCues].map((cue) => cue.getCueAsHTML().textContent).join('|'))
  }
  return shown
}`

describe.skipIf(noChromium)(
  `captions beside a clip in a browser${noChromium ? ` (skipped: ${noChromium})` : ''}`,
  () => {
    it('are shown while the clip plays what they say', async () => {
      const text =
        'WEBVTT\n\n00:01.000 --> 00:01.800\none\n\n00:04.000 --> 00:05.000\nremoved\n\n00:09.500 --> 00:10.500\ntwo &amp; three'
      const ranges = [
        { start: 0.5, end: 2 },
        { start: 9, end: 11 },
      ]
      const { files } = await runEndpoint(clipWindowEndpoint, {
        file: await fixture('shots.mp4'),
        settings: { ranges, format: 'webm', quality: 'fast', height: 90, captions: { text } },
      })
      const browser = await launchChromium()
      try {
        const opened = await browser.newPage()
        await opened.route(`${origin}/**`, async (route) => {
          const name = path.basename(new URL(route.request().url()).pathname)
          const file = files.find(({ fileName }) => fileName === name)
          if (!file) return route.fulfill({ contentType: 'text/html', body: page })
          return route.fulfill({ contentType: file.contentType, body: await readFile(file.path) })
        })
        await opened.goto(`${origin}/`)
        const shown = await opened.evaluate(`(${playTrack})([0.2, 0.55, 1.25, 1.7, 2.05, 2.95, 3.2])`)
        expect(z.array(z.string()).parse(shown)).toEqual(['', 'one', 'one', '', 'two & three', 'two & three', ''])
      } finally {
        await browser.close()
      }
    })
  },
)
