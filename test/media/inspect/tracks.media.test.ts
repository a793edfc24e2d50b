import { expect, it, vi } from 'vitest'
import type { FfprobeRun } from '../../../src/core/ffmpeg.ts'
import { readTracks, sourceTracks } from '../../../src/media/inspect/tracks.ts'
import { fileSource } from '../../../src/media/source/media-source.ts'
import { fixture } from '../../fixtures/make.ts'
import { never, testFfmpeg } from '../measure.ts'

it('reads the tracks of a source once, and of another one anew', async () => {
  const ffmpeg = testFfmpeg()
  const probe = vi.fn((job: FfprobeRun) => ffmpeg.probe(job))
  const counting = { ...ffmpeg, probe }
  const path = await fixture('numbered.mp4')
  const source = await fileSource(path)
  const read = await readTracks({ path, format: 'mp4' }, ffmpeg, never)
  expect(await sourceTracks(source, 'mp4', counting, never)).toEqual(read)
  expect(await sourceTracks(source, 'm4v', counting, never)).toEqual({ ...read, input: { path, format: 'm4v' } })
  expect(probe).toHaveBeenCalledTimes(1)
  expect(await sourceTracks(await fileSource(path), 'mp4', counting, never)).toEqual(read)
  expect(probe).toHaveBeenCalledTimes(2)
})
