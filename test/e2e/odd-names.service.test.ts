import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { fixture, speech } from '../fixtures/make.ts'
import { decodeErrors, temporaryFolder } from '../media/measure.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

let service: SharedService
beforeAll(async () => {
  service = await useSharedService()
})

const received = z.object({ upload: z.object({ name: z.string(), media_url: z.url() }) })
const cut = z.object({ output: z.object({ name: z.string(), url: z.url(), download_url: z.url(), bytes: z.int() }) })

/** By the form, as browsers and curl send a file. */
async function uploadForm(name: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const headers = { authorization: `Bearer ${service.token}` }
  const response = await fetch(`${service.baseUrl}/v1/uploads`, { method: 'POST', headers, body: form })
  expect(response.status).toBe(200)
  return received.parse(await response.json()).upload.media_url
}

async function completed(body: Record<string, unknown>) {
  const { id } = await service.client.create(body)
  const { error, result } = await service.client.ended(id)
  expect([body['endpoint'], error]).toEqual([body['endpoint'], undefined])
  return result ?? {}
}

const [longLetters, longStem] = [`${'ä'.repeat(125)}z.mp4`, `${'x'.repeat(251)}.wav`]

// What a file is called, what it is, and what its clip is called.
it.each([
  ['recording', async () => speech, 'recording-clip-0m00.5s.wav'],
  ['notes.txt', () => fixture('beeps.mp4'), 'notes-clip-0m00.5s.mp4'],
  ['film.mp3', () => fixture('beeps.mp4'), 'film-clip-0m00.5s.mp4'],
  ['still.jpg', () => fixture('beeps.mp4'), 'still-clip-0m00.5s.mp4'],
  ['sound.mp4', () => fixture('beeps.mp3'), 'sound-clip-0m00.5s.mp3'],
  ['data.bin', () => fixture('beeps.mkv'), 'data-clip-0m00.5s.mp4'],
  ['talk.mp4.part', () => fixture('beeps.webm'), 'talk.mp4-clip-0m00.5s.webm'],
  ['book.m4b', () => fixture('beeps.m4a'), 'book-clip-0m00.5s.m4a'],
  ['phone.3gp', () => fixture('beeps.mp4'), 'phone-clip-0m00.5s.mp4'],
  ['browser.weba', () => fixture('beeps.webm'), 'browser-clip-0m00.5s.webm'],
  ['camera.qt', () => fixture('beeps.mov'), 'camera-clip-0m00.5s.mov'],
  ['radio.mpga', () => fixture('beeps.mp3'), 'radio-clip-0m00.5s.mp3'],
  ['film.ac3', () => fixture('beeps.aac'), 'film-clip-0m00.5s.aac'],
  ['film.ts', () => fixture('beeps.mp4'), 'film-clip-0m00.5s.mp4'],
  ['Größe – 東京 🎙.flac', () => fixture('beeps.flac'), 'Größe – 東京 🎙-clip-0m00.5s.flac'],
  [`it's "so" \`x\` $(id) %2e%2e.opus`, () => fixture('beeps.opus'), `it's -so- \`x\` $(id) %2e%2e-clip-0m00.5s.ogg`],
  ['two\nlines\r\n.wav', () => fixture('beeps.wav'), 'twolines-clip-0m00.5s.wav'],
  ['-i concat:a|b.m4a', () => fixture('beeps.m4a'), 'i concat-a-b-clip-0m00.5s.m4a'],
  ['..', () => fixture('beeps.ogg'), 'clip-0m00.5s.ogg'],
  ['.mp4', () => fixture('beeps.mp4'), 'mp4-clip-0m00.5s.mp4'],
  ['\u202Egnp.mp3', () => fixture('beeps.mp3'), 'gnp-clip-0m00.5s.mp3'],
  [longLetters, () => fixture('beeps.mp4'), `${'ä'.repeat(51)}-clip-0m00.5s.mp4`],
  [longStem, async () => speech, `${'x'.repeat(103)}-clip-0m00.5s.wav`],
] as const)('media that is called %j is taken for what it is, searched, and cut', async (name, source, clipName) => {
  const bytes = await readFile(await source())
  const sent = await service.client.uploadBytes(name, bytes)
  const found = await completed({ endpoint: 'audio/detect-silence', media_url: sent })
  expect(found).toMatchObject({ media_seconds: expect.toSatisfy((seconds: number) => seconds > 2) })
  for (const media_url of [sent, await uploadForm(name, bytes)]) {
    const { output } = cut.parse(await completed({ endpoint: 'video/clip-window', media_url, start: 0.5, end: 1.5 }))
    expect(output.name).toBe(clipName)
    const saved = await fetch(output.download_url)
    const body = Buffer.from(await saved.arrayBuffer())
    expect([saved.status, body.length]).toEqual([200, output.bytes])
    const disposition = saved.headers.get('content-disposition') ?? ''
    const [, encoded] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? []
    if (encoded === undefined) expect(disposition.replaceAll('"', '')).toBe(`attachment; filename=${clipName}`)
    else expect(decodeURIComponent(encoded)).toBe(clipName)
    const file = path.join(temporaryFolder(), 'saved')
    await writeFile(file, body)
    expect(await decodeErrors(file)).toBe('')
  }
})
