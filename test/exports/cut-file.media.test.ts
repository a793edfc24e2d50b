import { expect, it } from 'vitest'
import { z } from 'zod'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { cutFileOf, inCutFile } from '../../src/exports/cut-file.ts'
import { describeExport } from '../../src/exports/export-document.ts'
import { runEndpoint } from '../endpoints/run-endpoint.ts'
import { fixture, speech } from '../fixtures/make.ts'
import { pcmOf } from '../media/measure.ts'

const receipt = z.object({ ranges: z.array(z.object({ at: z.number() })) })

const kept = [
  { start: 1.5, end: 4.25 },
  { start: 6.04, end: 6.9 },
  { start: 9, end: 12.5 },
]
/** In the first range, over the first gap, in the gap, from the gap into the last range. */
const found = [
  { start: 2, end: 3.5, label: 'first' },
  { start: 4, end: 6.5, label: 'over' },
  { start: 7, end: 8, label: 'gone' },
  { start: 8.5, end: 10, label: 'last' },
]

async function cut(file: string) {
  const { result, files, info } = await runEndpoint(clipWindowEndpoint, {
    file,
    settings: { ranges: kept, audio_fade_ms: 0 },
  })
  const clip = cutFileOf({ id: 'job_1', result, fileName: 'talk-clip.wav' })
  const exported = (entries: typeof found) =>
    inCutFile(describeExport({ mediaName: 'talk.wav', entries, media: info, rate: undefined }), clip)
  return { made: files[0]?.path ?? '', exported, joined: receipt.parse(result['receipt']).ranges }
}

it('times in a joined file are those at which it plays what was found, to the sample', async () => {
  const { made, exported, joined } = await cut(speech)
  const { entries, mediaSeconds, mediaName } = exported(found)
  const times = entries.map(({ label, start, end }) => [label, Math.round(start * 1000), Math.round(end * 1000)])
  expect(times).toEqual([
    ['first', 500, 2000],
    ['over', 2500, 3210],
    ['last', 3610, 4610],
  ])
  const [before, after] = [await pcmOf(speech), await pcmOf(made)]
  expect([mediaName, Math.round(mediaSeconds * 8_000)]).toEqual(['talk-clip.wav', after.length])
  const samples = (pcm: Int16Array, from: number, seconds: number) =>
    [...pcm.subarray(Math.round(from * 8_000), Math.round((from + seconds) * 8_000))].join()
  const [first, , last] = entries
  expect(samples(after, first?.start ?? 0, 1.5)).toBe(samples(before, 2, 1.5))
  expect(samples(after, last?.start ?? 0, 1)).toBe(samples(before, 9, 1))
  // The ranges themselves begin where the receipt says.
  const ranges = exported(kept.map((range, index) => ({ ...range, label: `range ${index + 1}` })))
  expect(ranges.entries.map(({ start }) => start)).toEqual(joined.map(({ at }) => expect.closeTo(at, 6)))
})

it('times in a joined film are within a frame of where its receipt says that ranges begin', async () => {
  const { exported, joined } = await cut(await fixture('long-film.mp4'))
  const { entries } = exported(kept.map((range, index) => ({ ...range, label: `range ${index + 1}` })))
  expect(entries.map(({ start }) => start)).toEqual(joined.map(({ at }) => expect.closeTo(at, 1)))
  for (const [index, { start }] of entries.entries())
    expect(Math.abs(start - (joined[index]?.at ?? -1))).toBeLessThan(0.04)
})
