import path from 'node:path'
import { expect, it } from 'vitest'
import { cutPieces } from '../../../src/media/clip/cut.ts'
import { joinPieces } from '../../../src/media/clip/join.ts'
import { leadBudget } from '../../../src/media/clip/lead-budget.ts'
import { piecesOf } from '../../../src/media/clip/video-pieces.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'
import { storeIn } from './piece-store.ts'

const ffmpeg = testFfmpeg()

/** What a cut and a join of a film of 150 seconds need, to be made in pieces of two seconds. */
async function inputOf(keyframeFrames: number) {
  const file = path.join(temporaryFolder(), 'film.mp4')
  const picture = ['-f', 'lavfi', '-i', 'color=size=64x64:rate=5:duration=150', '-pix_fmt', 'yuv420p']
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', String(keyframeFrames), '-sc_threshold', '0']
  await runFfmpeg(...picture, ...encoder, file)
  return {
    tracks: await readTracks({ path: file, format: 'mp4' }, ffmpeg, never),
    ...plainClip(),
    ...{
      format: 'mp4' as const,
      leadBudget: leadBudget(150),
      pieceSeconds: 2,
      store: storeIn(temporaryFolder()).store,
    },
    ...{ outputPath: path.join(temporaryFolder(), 'clip.mp4'), ffmpeg },
  }
}

it('clips of a film with one keyframe have few pieces, because each is decoded from there', async () => {
  const input = await inputOf(10_000)
  expect(piecesOf(await cutPieces({ ...input, window: { start: 0, end: 150 } }))).toHaveLength(4)
  const ranges = [
    { start: 0, end: 70 },
    { start: 75, end: 150 },
  ]
  expect(piecesOf(await joinPieces({ ...input, ranges }))).toHaveLength(3)
})

it('clips of a film with a keyframe every ten seconds have pieces of the length that was asked for', async () => {
  const input = await inputOf(50)
  const pieces = piecesOf(await cutPieces({ ...input, window: { start: 0, end: 150 } }))
  expect(pieces).toHaveLength(78)
  expect(Math.max(...pieces)).toBeCloseTo(2, 6)
})

it('a clip that is not divided takes what is decoded before it each time, also when its layout was stored', async () => {
  const input = { ...(await inputOf(10_000)), pieceSeconds: 10 }
  const clipAt = () => cutPieces({ ...input, window: { start: 120, end: 145 } })
  // Four times the media: each clip takes 120 seconds of 600.
  for (let clip = 0; clip < 5; clip++) expect(piecesOf(await clipAt())).toEqual([])
  await expect(clipAt()).rejects.toMatchObject({ code: 'processing_failed', retryable: false })
})
