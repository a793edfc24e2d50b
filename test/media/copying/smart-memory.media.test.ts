import path from 'node:path'
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, it } from 'vitest'
import { planSmart, readRangePackets } from '../../../src/media/copying/smart-plan.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { writeManyFrames } from '../../fixtures/many-frames.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

v8.setFlagsFromString('--expose-gc')
const collectGarbage: unknown = vm.runInNewContext('gc')

function usedBytes() {
  if (typeof collectGarbage === 'function') collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed, all: heapUsed + arrayBuffers }
}

it('the plan of a smart clip takes at most 80 bytes a frame, and few of them from the heap', async () => {
  const frames = 60_000
  const ffmpeg = testFfmpeg()
  const file = await writeManyFrames(temporaryFolder(), [{ frames, ticks: 90 }])
  const input = {
    tracks: await readTracks({ path: file, format: 'mp4' }, ffmpeg, never),
    ranges: [{ start: 0, end: frames / 1000 }],
    ...plainClip(),
    ...{ format: 'mp4' as const, outputPath: path.join(temporaryFolder(), 'clip.mp4'), ffmpeg },
  }
  // Whatever else this process still holds and lets go of only adds to one measurement: the least of several counts.
  let least = { heap: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }
  const measure = async () => {
    const before = usedBytes()
    const plan = await planSmart(input, await readRangePackets(input))
    const after = usedBytes()
    expect(plan.describe.framesCopied).toBeGreaterThan(0.99 * frames)
    const all = (after.all - before.all) / frames
    if (all < least.all) least = { heap: (after.heap - before.heap) / frames, all }
    return least
  }
  await expect.poll(async () => (await measure()).all).toBeLessThan(80)
  expect(least.heap).toBeLessThan(32)
})
