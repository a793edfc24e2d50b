import { expect, it } from 'vitest'
import { bestFramesEndpoint } from '../../../src/endpoints/video-best-frames/declaration.ts'
import { type Models, modelInterfaces } from '../../../src/models/models.ts'
import { film } from '../../fixtures/make.ts'
import { ffmpeg, runEndpoint } from '../run-endpoint.ts'

const models: Models = { has: () => true, run: async (name) => modelInterfaces[name].output.parse([]) }

it('the best frames are not charged if none of them can be written', async () => {
  const { run } = ffmpeg
  // Pictures of the search are no JPEGs.
  ffmpeg.run = async (job) => (job.outputOptions.includes('mjpeg') ? { decodeErrors: 1 } : run(job))
  await expect(runEndpoint(bestFramesEndpoint, { file: film, models, mayWarn: true })).rejects.toMatchObject({
    code: 'processing_failed',
  })
})
