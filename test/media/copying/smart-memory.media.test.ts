import path from 'node:path'
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, it } from 'vitest'
import { leadBudget } from '../../../src/media/clip/lead-budget.ts'
import { copyBudget } from '../../../src/media/copying/copy-budget.ts'
import { planSmart, readRangePackets } from '../../../src/media/copying/smart-plan.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { writeManyFrames } from '../../fixtures/many-frames.ts'
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
  const file = await writeManyFrames(temporaryFolder(), frames)
  const input = {
    tracks: await readTracks({ path: file, format: 'mp4' }, ffmpeg, never),
    ranges: [{ start: 0, end: frames / 90_000 }],
    ...({ format: 'mp4', quality: 'fast', audioOnly: false, fadeSeconds: 0, loudnessLufs: null } as const),
    ...{ copyBudget: copyBudget(0), leadBudget: leadBudget(0), outputPath: path.join(temporaryFolder(), 'clip.mp4') },
    ...{ ffmpeg, signal: never, onProgress: () => {} },
  }
  const before = usedBytes()
  const plan = await planSmart(input, await readRangePackets(input))
  const after = usedBytes()
  expect(plan.describe.framesCopied).toBeGreaterThan(0.99 * frames)
  expect((after.all - before.all) / frames).toBeLessThan(80)
  expect((after.heap - before.heap) / frames).toBeLessThan(32)
})
