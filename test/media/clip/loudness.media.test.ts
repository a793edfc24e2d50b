import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ClipFormat } from '../../../src/core/media.ts'
import type { Segment } from '../../../src/core/segments.ts'
import { cutClip } from '../../../src/media/clip/cut.ts'
import { joinRanges } from '../../../src/media/clip/join.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { film, fixture, reading, speech } from '../../fixtures/make.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { mediaTools } from '../../setup/tools.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

const ffmpeg = testFfmpeg()

interface Wanted {
  readonly file: string
  readonly ranges: readonly [Segment, ...Segment[]]
  readonly format: ClipFormat
  readonly loudnessLufs: number | null
}

async function clipOf({ file, ranges, format, loudnessLufs }: Wanted) {
  const info = await inspectFile(file, ffmpeg, never)
  const outputPath = path.join(temporaryFolder(), `clip.${format}`)
  const input = {
    ...plainClip(),
    tracks: await readTracks({ path: file, format: info.format }, ffmpeg, never),
    ...{ format, loudnessLufs, outputPath, ffmpeg },
  }
  const [window, second] = ranges
  const clip = await (second ? joinRanges({ ...input, ranges }) : cutClip({ ...input, window }))
  return { ...clip, outputPath }
}

/** By another filter than the one that sets it: the loudness that loudnorm prints before it changes anything. */
async function loudnessOf(file: string, track = 0) {
  const args = [
    '-hide_banner',
    '-i',
    file,
    '-map',
    `0:a:${track}`,
    '-af',
    'loudnorm=print_format=json',
    '-f',
    'null',
    '-',
  ]
  const { stderr } = await promisify(execFile)(mediaTools.ffmpegPath, args)
  const read = (name: string) => Number(new RegExp(`"${name}" : "([^"]+)"`).exec(stderr)?.[1])
  return { lufs: read('input_i'), peak: read('input_tp') }
}

const whole = { start: 0, end: 30 }
const parts = [
  { start: 2, end: 20 },
  { start: 25, end: 40 },
] as const

describe('a clip of a given loudness', () => {
  it.each([
    ['flac', -14, [{ start: 5, end: 30 }]],
    ['m4a', -16, [whole]],
    ['mp3', -23, [whole]],
    ['opus', -14, [{ start: 5, end: 30 }]],
    ['m4a', -14, [...parts]],
    ['wav', -30, [...parts]],
  ] as const)('in %s has %d LUFS, and no peak above -1 dBTP', async (format, target, ranges) => {
    const wanted = { file: speech, ranges, format, loudnessLufs: target }
    const clip = await clipOf(wanted)
    const { lufs, peak } = await loudnessOf(clip.outputPath)
    expect(Math.abs(lufs - target)).toBeLessThan(0.5)
    expect(peak).toBeLessThanOrEqual(-1)
    const [told] = clip.receipt.loudness?.tracks ?? []
    expect(told?.integratedLufs).toBeCloseTo(lufs, 0)
    // The limiter looks ahead, and takes no time.
    expect(clip.durationSeconds).toBeCloseTo((await clipOf({ ...wanted, loudnessLufs: null })).durationSeconds, 6)
  })

  it.each(['m4a', 'mp4'] as const)('in %s has no peak above -1 dBTP where speech starts sharply', async (format) => {
    const clip = await clipOf({ file: reading, ranges: [{ start: 12, end: 19 }], format, loudnessLufs: -16 })
    const { lufs, peak } = await loudnessOf(clip.outputPath)
    expect(peak).toBeLessThanOrEqual(-1)
    expect(Math.abs(lufs + 16)).toBeLessThan(0.5)
  })

  it('has it in each of its tracks', async () => {
    const file = await fixture('two-tracks.mp4')
    const ranges = [{ start: 0, end: 4 }] as const
    const { outputPath, receipt } = await clipOf({ file, ranges, format: 'mp4', loudnessLufs: -20 })
    expect(receipt.loudness?.tracks).toHaveLength(2)
    for (const track of [0, 1]) expect((await loudnessOf(outputPath, track)).lufs).toBeCloseTo(-20, 0)
  })

  it('has the frames of a clip of any loudness', async () => {
    const ranges = [{ start: 0.5, end: 2.5 }] as const
    const { outputPath, receipt } = await clipOf({ file: film, ranges, format: 'mp4', loudnessLufs: -20 })
    expect(Math.abs((await loudnessOf(outputPath)).lufs + 20)).toBeLessThan(0.5)
    expect(receipt.framesEncoded).toBe(receipt.plannedFrames)
  })

  it('stays silent where the source is', async () => {
    const clip = await clipOf({
      file: await fixture('silence.wav'),
      ranges: [{ start: 0, end: 2 }],
      format: 'wav',
      loudnessLufs: -16,
    })
    expect(clip.receipt.loudness?.tracks).toEqual([{ integratedLufs: -70, truePeakDbtp: -70 }])
  })
})
