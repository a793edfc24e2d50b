import { expect, it } from 'vitest'
import { bestFramesEndpoint } from '../../../src/endpoints/video-best-frames/declaration.ts'
import { textFramesEndpoint } from '../../../src/endpoints/video-text-frames/declaration.ts'
import { thumbnailScoreEndpoint } from '../../../src/endpoints/video-thumbnail-score/declaration.ts'
import { assertShortLeads, openFrames } from '../../../src/media/frames/sample-frames.ts'
import { fileSource } from '../../../src/media/source/media-source.ts'
import { runEndpoint } from '../../endpoints/run-endpoint.ts'
import { film } from '../../fixtures/make.ts'
import { writeManyFrames } from '../../fixtures/many-frames.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

async function framesOf(file: string) {
  const info = await inspectFile(file, ffmpeg, never)
  return openFrames({ media: { info, open: () => fileSource(file) }, ffmpeg, signal: never })
}

/** 200 seconds of the largest pictures, 30 a second. */
const largeFilm = (hasOneKeyframe: boolean) =>
  writeManyFrames(temporaryFolder(), [{ frames: 6_000, ticks: 3_000 }], { size: '4096x2304', hasOneKeyframe })

const tooFar = expect.objectContaining({
  code: 'processing_failed',
  message: expect.stringMatching(/a keyframe every few seconds/),
})

it('frames far behind the only keyframe are refused, all together, before any is decoded', async () => {
  const source = await framesOf(await largeFilm(true))
  const run = () => expect.fail('nothing is decoded')
  const ask = (moments: readonly number[], more: object = {}) =>
    assertShortLeads({ ...source, ffmpeg: { ...ffmpeg, run } }, { moments, ...more })
  await ask([100])
  await expect(ask([150])).rejects.toEqual(tooFar)
  // Each may be near enough, and all of them not.
  await expect(ask([60, 70, 80, 90])).rejects.toEqual(tooFar)
  await expect(ask([100], { times: 2 })).rejects.toEqual(tooFar)
  // Media that is billed may be decoded.
  await ask([150], { billedSeconds: 50 })
})

it.each([
  ['scores frames', thumbnailScoreEndpoint, { settings: { times: [185, 190] } }],
  ['picks frames', bestFramesEndpoint, { start: 190, end: 192 }],
  ['reads the text', textFramesEndpoint, { start: 190, end: 192 }],
] as const)('no job %s so far behind the only keyframe of a film', async (_what, endpoint, ask) => {
  const models = { has: () => true, run: () => expect.fail('nothing is looked at') }
  await expect(runEndpoint(endpoint, { file: await largeFilm(true), models, ...ask })).rejects.toEqual(tooFar)
})

it('of a film with a keyframe every few seconds, any frames are decoded', async () => {
  const everywhere = (seconds: number) => Array.from({ length: 20 }, (_, index) => (seconds * index) / 20)
  await assertShortLeads(await framesOf(await largeFilm(false)), { moments: everywhere(200), times: 2 })
  await assertShortLeads(await framesOf(film), { moments: everywhere(5), times: 2 })
})
