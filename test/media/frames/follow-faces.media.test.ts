import { expect, it } from 'vitest'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import { cropPathFinder } from '../../../src/media/frames/follow-faces.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { type Models, modelInterfaces } from '../../../src/models/models.ts'
import { fixture } from '../../fixtures/make.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()
/** Of 64 × 36 pixels. */
const frameBytes = 64 * 36 * 3

it('costs no more where every frame of a film is a cut, however many it has', async () => {
  const file = await fixture('flicker.mp4')
  const { format } = await inspectFile(file, ffmpeg, never)
  const tracks = await readTracks({ path: file, format }, ffmpeg, never)
  let [bytes, looks] = [0, 0]
  const counted: Ffmpeg = {
    ...ffmpeg,
    run: (options) =>
      ffmpeg.run({
        ...options,
        output: (chunk) => {
          bytes += chunk.length
          return typeof options.output === 'string' ? undefined : options.output(chunk)
        },
      }),
  }
  const models: Models = {
    has: () => true,
    run: async (name) => {
      looks += 1
      return modelInterfaces[name].output.parse([])
    },
  }
  const path = await cropPathFinder({ tracks, models, ffmpeg: counted })?.(
    { along: 'x', share: 0.3 },
    [{ start: 0, end: 2 }],
    never,
  )
  // No face was found.
  expect(path).toEqual([])
  expect(looks).toBeGreaterThanOrEqual(10)
  expect(looks).toBeLessThanOrEqual(15)
  expect(bytes / frameBytes).toBeGreaterThan(110)
  expect(bytes / frameBytes).toBeLessThan(140)
})
