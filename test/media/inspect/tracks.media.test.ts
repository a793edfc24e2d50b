import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import type { FfprobeRun } from '../../../src/core/ffmpeg.ts'
import { readTracks, sourceTracks } from '../../../src/media/inspect/tracks.ts'
import { fileSource } from '../../../src/media/source/media-source.ts'
import { fixture } from '../../fixtures/make.ts'
import { mediaTools } from '../../setup/tools.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

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

it.each([
  ['the default one', ['-disposition:v:0', '0', '-disposition:v:1', 'default'], 1],
  ['the first one, if that is the default', ['-disposition:v:0', 'default', '-disposition:v:1', '0'], 0],
  ['the first one, if none is', ['-disposition:v:0', '0', '-disposition:v:1', '0', '-default_mode', 'passthrough'], 0],
])('of two video tracks, reads %s', async (_name, dispositions, index) => {
  const file = path.join(temporaryFolder(), 'two.mkv')
  const sources = ['red', 'blue'].flatMap((colour) => ['-f', 'lavfi', '-i', `color=${colour}:s=64x64:d=1`])
  const options = ['-nostdin', '-v', 'error', ...sources, '-map', '0', '-map', '1', '-c:v', 'libx264', ...dispositions]
  await promisify(execFile)(mediaTools.ffmpegPath, [...options, file])
  const { video } = await readTracks({ path: file, format: 'mkv' }, testFfmpeg(), never)
  expect(video?.streamIndex).toBe(index)
})

it('of two video tracks, reads the one that is not empty', async () => {
  const file = path.join(temporaryFolder(), 'empty.mkv')
  const sources = ['red', 'blue'].flatMap((colour) => ['-f', 'lavfi', '-i', `color=${colour}:s=64x64:d=1`])
  const options = ['-nostdin', '-v', 'error', ...sources, '-map', '0', '-map', '1', '-c:v', 'libx264']
  const none = ['-bsf:v:0', 'noise=drop=1', '-disposition:v:0', 'default', '-disposition:v:1', '0']
  await promisify(execFile)(mediaTools.ffmpegPath, [...options, ...none, file])
  const { video } = await readTracks({ path: file, format: 'mkv' }, testFfmpeg(), never)
  expect(video?.streamIndex).toBe(1)
})
