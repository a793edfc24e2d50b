import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { film, fixture, speech } from '../../fixtures/make.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { never, pcmOf, testFfmpeg } from '../measure.ts'
import { inspectFile } from './inspect-file.ts'

const ffmpeg = testFfmpeg()

describe('inspection', () => {
  it('reads a real film', async () => {
    expect(await inspectFile(film, ffmpeg, never)).toEqual({
      format: 'mp4',
      durationSeconds: 5.312,
      bytes: 1_055_736,
      audio: [{ codec: 'aac', sampleRate: 48_000, channels: 6, layout: '5.1', isDefault: true, endSeconds: 5.312 }],
      video: {
        codec: 'h264',
        width: 1280,
        height: 720,
        frameRate: 25,
        hasVariableFrameRate: false,
        nominalFrameRate: 25,
      },
    })
  })

  it.each([
    ['film.mov', 'mov'],
    ['film.m4v', 'm4v'],
    ['film.webm', 'webm'],
    ['speech.mp3', 'mp3'],
    ['speech.m4a', 'm4a'],
    ['speech.aac', 'aac'],
    ['speech.ogg', 'ogg'],
    ['phone.wav', 'wav'],
    ['no-video.mp4', 'm4a'],
    ['beeps.flac', 'flac'],
    ['beeps.aiff', 'aiff'],
    ['beeps.opus', 'ogg'],
    ['beeps.mka', 'mka'],
    ['beeps.mkv', 'mkv'],
    ['noises.amr', 'amr'],
  ] as const)('%s is %s by its content', async (name, format) => {
    expect((await inspectFile(await fixture(name), ffmpeg, never)).format).toBe(format)
  })

  it.each([
    ...(['speech.mp3', 'speech.m4a', 'speech.ogg', 'speech.aac', 'speech.flac', 'speech.aiff'] as const),
    ...(['speech.opus', 'noises.amr'] as const),
  ])('%s is as long as what its decoder gives', async (name) => {
    const file = await fixture(name)
    const info = await inspectFile(file, ffmpeg, never)
    const seconds = (await pcmOf(file)).length / (info.audio[0]?.sampleRate ?? 1)
    // Decoders also give the padding of the last block.
    expect(Math.abs(info.durationSeconds - seconds)).toBeLessThan(0.025)
  })

  it.each([
    ['numbered.mp4', false],
    ['ntsc.mp4', false],
    ['film.webm', false],
    ['variable.mp4', true],
    ['variable.webm', true],
  ] as const)('%s: variable frame rate is %s', async (name, expected) => {
    expect((await inspectFile(await fixture(name), ffmpeg, never)).video?.hasVariableFrameRate).toBe(expected)
  })

  it.each([
    ['screen.mp4', 60],
    ['screen.mkv', 60],
    ['screen-moves-late.mkv', 5],
    ['late-frames.mp4', 30],
    ['ntsc.mp4', 29.97],
  ] as const)('%s: frames were taken at %d a second, however many are left out', async (name, rate) => {
    const { video } = await inspectFile(await fixture(name), ffmpeg, never)
    expect(video?.nominalFrameRate).toBeCloseTo(rate, 1)
  })

  it('gives the size of a rotated picture as it is shown', async () => {
    expect((await inspectFile(await fixture('rotated.mp4'), ffmpeg, never)).video).toMatchObject({
      width: 120,
      height: 160,
    })
  })

  it.each([
    ['interlaced.mp4', { pixelAspect: { across: 64, down: 45 }, firstField: 'upper' }],
    ['interlaced-lower.mp4', { pixelAspect: { across: 8, down: 9 }, firstField: 'lower' }],
    ['interlaced-turned.mp4', { pixelAspect: { across: 45, down: 64 }, firstField: 'upper' }],
  ] as const)('reads the shape of the pixels of %s, and which field is shown first', async (name, expected) => {
    expect((await inspectFile(await fixture(name), ffmpeg, never)).video).toMatchObject(expected)
    expect((await inspectFile(film, ffmpeg, never)).video).not.toHaveProperty('firstField')
  })

  it('reads the timecode of the first frame', async () => {
    expect(await inspectFile(await fixture('timecode.mov'), ffmpeg, never)).toMatchObject({
      timecode: '01:02:03:04',
      timecodeBase: 25,
    })
    expect(await inspectFile(await fixture('film.mov'), ffmpeg, never)).not.toHaveProperty('timecode')
  })

  it.each([
    ['timecode-59.94.mov', '01:00:00;45', 60],
    ['timecode-119.88.mov', '01:00:00:100', 120],
    ['timecode.mkv', '01:00:00;10', 30],
    ['unreadable-timecode.mkv', 'hour one', 25],
  ] as const)('reads the timecode of %s, and how many frames it counts', async (name, timecode, timecodeBase) => {
    expect(await inspectFile(await fixture(name), ffmpeg, never)).toMatchObject({ timecode, timecodeBase })
  })

  it.each([24, 25, 48, 50])(
    'reads a timecode at %d frames a second that is marked as drop-frame, as phones write it, and no damage',
    async (rate) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'timecode '))
      onTestFinished(() => rm(folder, { recursive: true }))
      const file = path.join(folder, 'flagged.mov')
      const picture = ['-f', 'lavfi', '-i', `color=size=64x64:rate=${rate}:duration=0.5`, '-timecode', '19:36:00:10']
      await runFfmpeg(...picture, file)
      const bytes = await readFile(file)
      // The flags of the sample entry, behind its reserved bytes and its number.
      const flags = bytes.lastIndexOf('tmcd') + 19
      expect(bytes.readUInt8(flags)).toBe(0)
      bytes.writeUInt8(1, flags)
      await writeFile(file, bytes)
      expect(await inspectFile(file, ffmpeg, never)).toMatchObject({ timecode: '19:36:00:10', timecodeBase: rate })
      const input = { path: file, format: 'mov' } as const
      const decoded = { input, signal: never, deadlineSeconds: 10, outputOptions: ['-f', 'null'], output: '-' }
      expect(await ffmpeg.run(decoded)).toEqual({ decodeErrors: 0 })
    },
  )

  it('reads the time of day at which a recorder began', async () => {
    const info = await inspectFile(await fixture('recorded-at-one.wav'), ffmpeg, never)
    expect(info.secondsSinceMidnight).toBe(3600)
  })

  it('does not take cover art for video', async () => {
    expect((await inspectFile(await fixture('covered.m4a'), ffmpeg, never)).video).toBeNull()
  })

  it('knows the default track', async () => {
    const { audio } = await inspectFile(await fixture('two-tracks.mp4'), ffmpeg, never)
    expect(audio.map(({ isDefault }) => isDefault)).toEqual([false, true])
  })

  it('measures from the start of the media, wherever its clock starts', async () => {
    const { durationSeconds } = await inspectFile(await fixture('late.webm'), ffmpeg, never)
    expect(Math.abs(durationSeconds - 5)).toBeLessThan(0.03)
  })

  it('reads a single frame', async () => {
    expect(await inspectFile(await fixture('one-frame.mp4'), ffmpeg, never)).toMatchObject({
      durationSeconds: 0.04,
      audio: [],
    })
  })

  it('stops when it is aborted', async () => {
    const reason = new Error('not needed any more')
    await expect(inspectFile(speech, ffmpeg, AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
