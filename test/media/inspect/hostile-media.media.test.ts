import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimingMp4, taggedMp3 } from '../../../lab/hostile/hostile-files.ts'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import type { MediaInfo } from '../../../src/core/media.ts'
import { decodeAudio } from '../../../src/media/sound/decode-audio.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { fixture } from '../../fixtures/make.ts'
import { canMeasureTools, never, temporaryFolder, testFfmpeg, toolMeasures } from '../measure.ts'
import { inspectFile } from './inspect-file.ts'

const folder = temporaryFolder()
/** Of one tool, whatever the file says. The one that is watched is less, and the kernel's is behind it. */
const maxToolBytes = 512 * 2 ** 20

async function saved(name: string, bytes: Buffer): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, bytes)
  return file
}

describe.skipIf(!canMeasureTools)('a small file', () => {
  it.each([
    ['60 million samples', [{ samples: 60_000_000 }]],
    ['30 tracks of two million samples', Array.from({ length: 30 }, () => ({ samples: 2_000_000 }))],
  ])('that claims %s takes no more memory than any probe', async (name, tracks) => {
    const { ffmpeg, peakBytes, cpuMs } = toolMeasures()
    const file = await saved(`${name}.mp4`, claimingMp4(tracks))
    const outcome: unknown = await inspectFile(file, ffmpeg, never).catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'processing_failed', retryable: false })
    expect(peakBytes()).toBeLessThan(maxToolBytes)
    expect(cpuMs()).toBeLessThan(2_000)
  })

  it('of three million ADTS headers without sound is refused soon', bestOfThree, async () => {
    const { ffmpeg, cpuMs } = toolMeasures()
    const header = Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x00, 0xff, 0xfc])
    const file = await saved('headers.aac', Buffer.alloc(21_000_000, header))
    await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
      code: 'processing_failed',
      retryable: false,
    })
    // Counting all of them takes 14 seconds.
    expect(cpuMs()).toBeLessThan(8_000)
  })

  it('of packets of one byte is counted to a million, and refused', bestOfThree, async () => {
    const { ffmpeg, cpuMs } = toolMeasures()
    const file = await saved('bytes.amr', Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(1_150_000, 0x7c)]))
    await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining('too many packets'),
    })
    expect(cpuMs()).toBeLessThan(20_000)
  })

  it('of huge pictures is refused with its size', async () => {
    const { ffmpeg, peakBytes } = toolMeasures()
    await expect(inspectFile(await fixture('huge-pictures.mov'), ffmpeg, never)).rejects.toMatchObject({
      code: 'media_too_large',
      message: expect.stringContaining('8192 × 8192'),
    })
    expect(peakBytes()).toBeLessThan(maxToolBytes)
  })

  it('with a gap of half an hour in its sound is decoded, and the gap is filled outside of memory', async () => {
    const { ffmpeg, peakBytes } = toolMeasures()
    const file = await fixture('long-gap.webm')
    const track = { sampleRate: 48_000, channels: 2 }
    let samples = 0
    const onSamples = ({ length }: Int16Array) => {
      samples += length
    }
    const range = { startFrame: 0, endFrame: 1_900 * 48_000, onSamples }
    const input = { path: file, format: 'webm' as const }
    await decodeAudio({ input, trackIndex: 0, track, ffmpeg, signal: never, ...range })
    expect(samples).toBeGreaterThan(1_801 * 48_000 * 2)
    expect(peakBytes()).toBeLessThan(64 * 2 ** 20)
  })

  it('of 60 audio tracks is read as its first eight', async () => {
    const { ffmpeg } = toolMeasures()
    const info: MediaInfo = await inspectFile(await fixture('many-tracks.mp4'), ffmpeg, never)
    expect(info.audio).toHaveLength(8)
    expect(info.unreadAudioTracks).toBe(52)
  })
})

describe('a tag of millions of letters', () => {
  const letters = 6_000_000
  /** More than a line of ffprobe and what arrives with its end. */
  const maxLineCharacters = 192 * 1024

  /** ffprobe, and the longest line that it passed on. */
  function watchedLines() {
    const inner = testFfmpeg()
    let longest = 0
    const ffmpeg: Ffmpeg = {
      ...inner,
      probe: (job) =>
        inner.probe({
          ...job,
          onLine: (line) => {
            longest = Math.max(longest, line.length)
            job.onLine(line)
          },
        }),
    }
    return { ffmpeg, longest: () => longest }
  }

  it('that nobody uses is not read into memory', async () => {
    const { ffmpeg, longest } = watchedLines()
    const file = await saved('title.mp3', taggedMp3('title', letters))
    expect(await inspectFile(file, ffmpeg, never)).toMatchObject({ audio: [{ codec: 'mp3' }] })
    expect(longest()).toBeLessThan(maxLineCharacters)
  })

  it('that is used is refused before it is in memory', async () => {
    const { ffmpeg, longest } = watchedLines()
    const file = await saved('timecode.mp3', taggedMp3('timecode', letters))
    await expect(inspectFile(file, ffmpeg, never)).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining('A tag of the media is too long'),
    })
    expect(longest()).toBeLessThan(maxLineCharacters)
  })
})
