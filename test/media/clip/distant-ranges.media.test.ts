import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import type { ClipFormat, MediaFormat } from '../../../src/core/media.ts'
import { createMemoryBudget, smallToolBytes } from '../../../src/core/memory-budget.ts'
import type { Segment } from '../../../src/core/segments.ts'
import { joinRanges, readJoinPlan } from '../../../src/media/clip/join.ts'
import { spliceAudio } from '../../../src/media/clip/join-audio.ts'
import { readFrames } from '../../../src/media/inspect/frame-window.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { createFfmpeg } from '../../../src/media/tools/ffmpeg.ts'
import { fixture } from '../../fixtures/make.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { mediaTools } from '../../setup/tools.ts'
import { never, pcmOf, temporaryFolder, testFfmpeg } from '../measure.ts'
import { changingSound } from './changing-sound.ts'

const ffmpeg = testFfmpeg()

async function inputOf(file: string, from: MediaFormat, ranges: readonly Segment[], format: ClipFormat = 'mp4') {
  const tracks = await readTracks({ path: file, format: from }, ffmpeg, never)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  return { ...plainClip(), tracks, ranges, format, outputPath, ffmpeg }
}

describe('the frames of ranges that are ten minutes apart', () => {
  const ranges = [
    { start: 3.013, end: 4.2 },
    { start: 4.9, end: 7.77 },
    { start: 700.31, end: 703.5 },
    { start: 1_900.001, end: 1_904.4 },
  ]

  it.each(['half-hour.mp4', 'half-hour-open-gop.mp4'] as const)(
    'of %s are read alone, and give the clip that all frames give',
    async (name) => {
      const input = await inputOf(await fixture(name), 'mp4', ranges)
      const { tracks } = input
      if (!tracks.video) throw new Error('no video')
      const all = await readFrames(tracks, tracks.video, [{ start: 3.013, end: 1_904.4 }], ffmpeg, never)
      const alone = await readFrames(tracks, tracks.video, ranges, ffmpeg, never)
      expect(alone.starts.length).toBeLessThan(all.starts.length / 30)
      expect(await readJoinPlan(input)).toEqual(await readJoinPlan({ ...input, frames: all }))
    },
  )

  it('of a film with one keyframe are each read once, and divide no group', async () => {
    const file = path.join(temporaryFolder(), 'one-keyframe.mp4')
    const picture = ['-f', 'lavfi', '-i', 'color=size=64x64:rate=5:duration=1910', '-pix_fmt', 'yuv420p']
    const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10000', '-sc_threshold', '0']
    await promisify(execFile)(mediaTools.ffmpegPath, ['-nostdin', '-v', 'error', ...picture, ...encoder, file])
    const input = await inputOf(file, 'mp4', ranges)
    const { tracks } = input
    if (!tracks.video) throw new Error('no video')
    const { starts, longestGroupSeconds } = await readFrames(tracks, tracks.video, ranges, ffmpeg, never)
    expect(new Set(Array.from(starts)).size).toBe(starts.length)
    expect(longestGroupSeconds).toBeGreaterThan(1_900)
    expect((await readJoinPlan(input)).pieces).toHaveLength(1)
  })
})

describe('the sound of ranges that are more than five minutes apart', () => {
  const ranges = [
    { start: 0.2, end: 1.2 },
    { start: 2, end: 3.5 },
    { start: 800.0001, end: 802 },
    { start: 1_890, end: 1_893 },
  ]

  /** The join, and how many seconds of sound were decoded for it. */
  async function joined(
    input: Omit<Awaited<ReturnType<typeof inputOf>>, 'fadeSeconds'> & { readonly fadeSeconds: number },
  ) {
    const [track] = input.tracks.audio
    if (!track) throw new Error('no sound')
    let bytes = 0
    const watched: Ffmpeg = {
      ...ffmpeg,
      run: (job) => {
        const { output } = job
        if (typeof output === 'string') return ffmpeg.run(job)
        const counted = (chunk: Buffer) => {
          bytes += chunk.length
          return output(chunk)
        }
        return ffmpeg.run({ ...job, output: counted })
      },
    }
    const { receipt } = await joinRanges({ ...input, ffmpeg: watched })
    return {
      receipt,
      samples: await pcmOf(input.outputPath),
      decodedSeconds: bytes / 4 / track.channels / track.sampleRate,
    }
  }

  it.each([0.005, 1])('is spliced with crossfades of %d s as if all of it were decoded', async (fadeSeconds) => {
    const file = await fixture('half-hour.wav')
    const { samples, decodedSeconds } = await joined({ ...(await inputOf(file, 'wav', ranges, 'wav')), fadeSeconds })
    expect(decodedSeconds).toBeLessThan(15)
    const spans = ranges.map(({ start, end }) => ({
      start: Math.round(start * 8_000),
      length: Math.round(end * 8_000) - Math.round(start * 8_000),
    }))
    const fade = fadeSeconds * 8_000
    const spliced = spliceAudio(spans, 1, fade).push(Float32Array.from(await pcmOf(file)))
    const expected = spliced.flatMap((part) => [...part])
    expect(samples).toHaveLength(expected.length)
    const differences = samples.map((sample, index) => Math.abs(sample - (expected[index] ?? 0)))
    // The ends fade.
    expect(Math.max(...differences.subarray(fade, -fade))).toBeLessThanOrEqual(1)
  })

  it('is silent where the track has ended, and the clip has its length', async () => {
    const later = [...ranges, { start: 2_500, end: 2_501 }, { start: 3_000, end: 3_001 }]
    const input = await inputOf(await fixture('half-hour.wav'), 'wav', later, 'wav')
    const { samples } = await joined(input)
    expect(samples).toHaveLength(9.5 * 8_000 - 1)
    expect(samples.subarray(7.51 * 8_000).every((sample) => sample === 0)).toBe(true)
  })

  it('is decoded from the first to the last where it has other channels there', async () => {
    const parts = ['5.1', 'stereo'] as const
    const changing = await changingSound(
      parts.map((channels) => ({ codec: 'ac3', rate: 48_000, channels })),
      'mka',
    )
    const file = path.join(temporaryFolder(), 'looped.mka')
    const loop = ['-stream_loop', '17', '-i', changing, '-c', 'copy', file]
    await promisify(execFile)(mediaTools.ffmpegPath, ['-nostdin', '-v', 'error', ...loop])
    const behind = (start: number) => [
      { start: 1, end: 3 },
      { start, end: start + 2 },
    ]
    const same = await joined(await inputOf(file, 'mka', behind(347.5), 'wav'))
    expect([same.receipt.remarks, same.decodedSeconds < 10]).toEqual([[], true])
    const other = await joined(await inputOf(file, 'mka', behind(357.5), 'wav'))
    expect([other.receipt.remarks, other.decodedSeconds < 10]).toEqual([['changing'], false])
  })

  it('is joined beside others in the memory of two tools', async () => {
    const memory = createMemoryBudget(2 * smallToolBytes)
    const scarce = createFfmpeg({ ...mediaTools, processDir: path.join(temporaryFolder(), 'processes'), memory })
    const file = await fixture('half-hour.wav')
    const joins = Array.from({ length: 3 }, async () =>
      joinRanges({ ...(await inputOf(file, 'wav', ranges, 'wav')), ffmpeg: scarce }),
    )
    for (const { durationSeconds } of await Promise.all(joins)) expect(durationSeconds).toBeCloseTo(7.5, 3)
  })
})
