import { expect, it } from 'vitest'
import { readSlideLines, slideTitles } from '../../../src/endpoints/audio-semantic-chunks/slide-titles.ts'
import { longestWork } from '../../longest-work.ts'

interface Shown {
  readonly from?: number
  readonly to?: number
  /** Upper edge and height, in parts of the picture. */
  readonly y?: number
  readonly height?: number
  readonly confidence?: number
}

const line = (text: string, { from = 0, to = 60, y = 0.1, height = 0.08, confidence = 0.95 }: Shown = {}) => ({
  ...{ text, start: from, end: to, confidence },
  box: { x: 0.1, y, width: 0.5, height },
})
const bullet = (text: string, shown: Shown = {}) => line(text, { y: 0.4, height: 0.05, ...shown })

const chunks = [
  { start: 0, end: 100 },
  { start: 100, end: 200 },
  { start: 200, end: 400 },
]

it('a chunk has the title of the slide that is shown longest in it, and each slide titles one chunk', async () => {
  const titles = await slideTitles(
    [
      line('Welcome', { from: 0, to: 5 }),
      line('Why nobody reads manuals', { from: 5, to: 130 }),
      bullet('They are long', { from: 5, to: 130 }),
      bullet('They come late', { from: 40, to: 130 }),
      line('What we asked of Node.js', { from: 215, to: 300 }),
    ],
    chunks,
  )
  expect(titles).toEqual(['Why nobody reads manuals', undefined, 'What we asked of Node.js'])
})

it('a title of two lines is one title', async () => {
  const lines = [line('Why nobody', { y: 0.1 }), line('reads manuals', { y: 0.2 }), bullet('They are long')]
  expect(await slideTitles(lines, chunks)).toEqual(['Why nobody reads manuals', undefined, undefined])
})

it.each([
  ['subtitles', [line('so we went there', { y: 0.85 })]],
  ['text of one size', [line('first', { y: 0.1 }), line('second', { y: 0.3 }), line('third', { y: 0.5 })]],
  ['bullets that come after the title of their slide', [line('0:45'), bullet('Much smaller', { from: 20 })]],
  ['the name of a channel', [line('Channel Nine', { to: 400 })]],
  [
    'numbers, addresses and what was hardly read',
    [
      line('12 345 %', { to: 20 }),
      line('example.com', { from: 20, to: 40 }),
      line('Smeared', { from: 40, confidence: 0.6 }),
    ],
  ],
  ['what is shown for a moment', [line('Welcome', { to: 2 })]],
])('%s give no title', async (_, lines) => {
  expect(await slideTitles(lines, chunks)).toEqual([undefined, undefined, undefined])
})

it.each(['Node.js', 'Vue.js 3', 'What is new in ASP.NET', 'How main.ts begins'])('%s is a title', async (text) => {
  expect(await slideTitles([line(text)], chunks)).toEqual([text, undefined, undefined])
})

it.each([
  'example.com',
  'See example.co.uk',
  'www.foo.org/bar',
  'WWW.EXAMPLE.MUSEUM',
  'https://example.travel',
  'ada@example',
  'Talk-final.pptx',
])('%s is an address, and no title', async (text) => {
  expect(await slideTitles([line(text)], chunks)).toEqual([undefined, undefined, undefined])
})

it('lines of other media are refused, and so is a job without lines', async () => {
  const result = { media_seconds: 400, lines: [line('Welcome')] }
  expect(result).toMatchObject({ lines: await readSlideLines('job_a', result, 400.05) })
  await expect(readSlideLines('job_a', result, 90)).rejects.toThrow(/^The text of job_a is of media of 400 s/)
  await expect(readSlideLines('job_a', { media_seconds: 400 }, 400)).rejects.toThrow(/has no lines/)
})

it('as many lines as a result can have, all shown at once, do not block', async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => line(`Line ${index}`, { from: index / 50, to: 500 }))
  const short = Array.from({ length: 20_000 }, (_, index) => ({ start: index / 50, end: (index + 1) / 50 }))
  expect(await longestWork(() => slideTitles(many, short))).toBeLessThan(200)
})
