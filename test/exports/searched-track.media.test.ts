import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { AudioTrackChoice } from '../../src/core/media.ts'
import { describeExport } from '../../src/exports/export-document.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../media/measure.ts'
import { mediaTools } from '../setup/tools.ts'
import { written } from './documents.ts'

const exec = promisify(execFile)
const tones = [300, 600, 1200] as const

/** Three tracks, of which the second plays by default. */
async function writeMedia(folder: string, name: string, codecs: readonly string[]): Promise<void> {
  const picture = name.endsWith('.mka') ? [] : ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=25:d=3']
  const sounds = tones.flatMap((frequency) => ['-f', 'lavfi', '-i', `sine=frequency=${frequency}:duration=3`])
  const maps = Array.from({ length: picture.length > 0 ? 4 : 3 }, (_, input) => ['-map', `${input}`]).flat()
  const defaults = ['0', 'default', '0'].flatMap((value, track) => [`-disposition:a:${track}`, value])
  const inputs = ['-v', 'error', ...picture, ...sounds, ...maps]
  await exec(mediaTools.ffmpegPath, [...inputs, ...codecs, ...defaults, path.join(folder, name)])
}

/** The file that the exported command makes of media in the folder. */
async function cutOf(folder: string, name: string, searched?: AudioTrackChoice): Promise<string> {
  const media = await inspectFile(path.join(folder, name), testFfmpeg(), never)
  const entries = [
    { start: 0.2, end: 1.2, label: 'one' },
    { start: 1.6, end: 2.6, label: 'two' },
  ]
  const command = written('ffmpeg', describeExport({ mediaName: name, entries, media, rate: undefined, searched }))
  await exec('bash', ['-c', `ffmpeg() { "$FFMPEG" -v error "$@"; }; ${command}`], {
    ...{ cwd: folder, env: { ...process.env, FFMPEG: mediaTools.ffmpegPath } },
  })
  return path.join(folder, name.replace('.', '-cut.'))
}

/** Of a tone, by how often it crosses zero in its middle second. */
async function frequencyOf(file: string, track: number): Promise<number> {
  const args = [
    '-v',
    'error',
    '-ss',
    '0.5',
    '-t',
    '1',
    '-i',
    file,
    '-map',
    `0:a:${track}`,
    '-ac',
    '1',
    '-f',
    's16le',
    '-',
  ]
  const { stdout } = await exec(mediaTools.ffmpegPath, args, { encoding: 'buffer' })
  const samples = new Int16Array(new Uint8Array(stdout).buffer)
  const crossings = samples.filter((sample, index) => sample >= 0 !== (samples[index - 1] ?? 0) >= 0)
  return Math.round(crossings.length / 200) * 100
}

describe.each([
  ['talk.mp4', ['-c:v', 'libx264', '-c:a', 'aac']],
  ['talk.mov', ['-c:v', 'libx264', '-c:a', 'pcm_s16le']],
  ['talk.mkv', ['-c:v', 'libx264', '-c:a', 'ac3']],
  ['talk.webm', ['-c:v', 'libvpx', '-c:a', 'libopus']],
  ['talk.mka', ['-c:a', 'flac']],
] as const)('the exported command cuts %s', (name, codecs) => {
  it.each([
    ['default', [600]],
    [2, [1200]],
    ['all', [300, 600, 1200]],
  ] as const)('with the tracks that were searched: %s', async (searched: AudioTrackChoice, heard) => {
    const folder = temporaryFolder()
    await writeMedia(folder, name, codecs)
    const cut = await cutOf(folder, name, searched)
    const { audio } = await inspectFile(cut, testFfmpeg(), never)
    expect(await Promise.all(audio.map((_, track) => frequencyOf(cut, track)))).toEqual(heard)
  })
})

it('the exported command cuts the picture that was read, which need not be the first', async () => {
  const folder = temporaryFolder()
  const pictures = ['64x48', '32x24'].flatMap((size) => ['-f', 'lavfi', '-i', `testsrc=s=${size}:r=25:d=3`])
  const defaults = ['-disposition:v:0', '0', '-disposition:v:1', 'default']
  const maps = ['-map', '0', '-map', '1', '-c:v', 'libx264']
  await exec(mediaTools.ffmpegPath, ['-v', 'error', ...pictures, ...maps, ...defaults, path.join(folder, 'two.mkv')])
  const { video } = await inspectFile(await cutOf(folder, 'two.mkv'), testFfmpeg(), never)
  expect(video).toMatchObject({ width: 32, height: 24 })
})
