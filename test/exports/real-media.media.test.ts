import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type EditRateName, editRates } from '../../src/core/edit-rate.ts'
import { describeExport } from '../../src/exports/export-document.ts'
import type { ExportFormatName } from '../../src/exports/export-formats.ts'
import { fixture } from '../fixtures/make.ts'
import type { FixtureName } from '../fixtures/recipes.ts'
import { inspectFile } from '../media/inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../media/measure.ts'
import { mediaTools } from '../setup/tools.ts'
import { written } from './documents.ts'

async function exported(file: string, format: ExportFormatName, rateName?: EditRateName, start = 0) {
  const media = await inspectFile(file, testFfmpeg(), never)
  const entries = [{ start, end: media.durationSeconds, label: 'all' }]
  const rate = rateName && editRates[rateName]
  const mediaName = path.basename(file)
  return { media, text: written(format, describeExport({ mediaName, entries, media, rate })) }
}

/** Marked as drop-frame at a whole rate, as phones write it. */
async function flaggedTimecode(): Promise<string> {
  const file = path.join(temporaryFolder(), 'flagged.mov')
  const bytes = await readFile(await fixture('timecode-midnight.mov'))
  bytes.writeUInt8(1, bytes.lastIndexOf('tmcd') + 19)
  await writeFile(file, bytes)
  return file
}

const flagged = 'a film marked as drop-frame at 24'

it.each<[FixtureName | typeof flagged, EditRateName | undefined, string]>([
  ['timecode-59.94.mov', '29.97', '01:00:00;22'],
  ['timecode-59.94.mov', '59.94', '01:00:00;45'],
  ['timecode-119.88.mov', '59.94', '01:00:00:50'],
  ['timecode-50-film.mov', '25', '10:00:00:00'],
  ['timecode.mkv', undefined, '01:00:00;10'],
  ['timecode-midnight.mov', undefined, '23:59:59:12'],
  [flagged, undefined, '23:59:59:12'],
  ['recorded-at-one.wav', '25', '01:00:00:00'],
])('an EDL of %s at %s begins at %s', async (name, rate, start) => {
  const file = name === flagged ? await flaggedTimecode() : await fixture(name)
  expect((await exported(file, 'edl', rate)).text).toContain(` C        ${start} `)
})

it('an edit of a picture that begins late has the timecode that a clip of it has', async () => {
  const file = await fixture('timecode-late.mp4')
  expect((await exported(file, 'edl')).text).toContain(' C        10:00:00:00 ')
  expect((await exported(file, 'edl', undefined, 2)).text).toContain(' C        10:00:01:28 ')
})

it.each([
  ['screen.mp4', '1/60s'],
  ['screen.mkv', '1/60s'],
  ['late-frames.mp4', '1/30s'],
  ['variable.mp4', '1/30s'],
  ['ntsc.mp4', '1001/30000s'],
  ['timecode-119.88.mov', '1001/60000s'],
] as const)('%s is edited with frames of %s', async (name, frame) => {
  expect((await exported(await fixture(name), 'fcpxml')).text).toContain(` frameDuration="${frame}"`)
})

describe('pixels and fields are those of the media', () => {
  it.each([
    ['interlaced.mp4', 64, 45, 'upper'],
    ['interlaced-lower.mp4', 8, 9, 'lower'],
    ['fields-mpeg2.mkv', 64, 45, 'upper'],
    ['fields-dv.mov', 64, 45, 'lower'],
  ] as const)('%s', async (name, across, down, first) => {
    const { text } = await exported(await fixture(name), 'fcpxml')
    expect(text).toMatch(new RegExp(`fieldOrder="${first} first"`))
    expect(text).toContain(` paspH="${across}" paspV="${down}"/>`)
    const xmeml = (await exported(await fixture(name), 'xmeml')).text
    expect(xmeml).toContain(`<fielddominance>${first}<`)
  })
})

it.each([
  ['AAC that goes on after the picture', ['-f', 'lavfi', '-i', 'sine=d=6.3', '-c:a', 'aac'], 'a.mp4', 25],
  ['PCM that goes on after the picture', ['-f', 'lavfi', '-i', 'sine=d=6.31', '-c:a', 'pcm_s16le'], 'b.mov', 25],
  ['MP3 beside 29.97', ['-f', 'lavfi', '-i', 'sine=d=6.29', '-c:a', 'libmp3lame'], 'c.mkv', '30000/1001'],
  ['Opus at 24', ['-f', 'lavfi', '-i', 'sine=d=6.1', '-c:a', 'libopus'], 'd.mkv', 24],
] as const)('no edit is longer than the media: %s', async (_what, sound, name, rate) => {
  const file = path.join(temporaryFolder(), name)
  const picture = ['-f', 'lavfi', '-i', `color=s=64x48:r=${rate}:d=6`]
  await promisify(execFile)(mediaTools.ffmpegPath, ['-v', 'error', ...picture, ...sound, file])
  const { text, media } = await exported(file, 'fcpxml')
  const lengths = Array.from(text.matchAll(/<asset(?:-clip)? [^>]*duration="(\d+)(?:\/(\d+))?s"/g), ([, of, per]) =>
    per === undefined ? Number(of) : Number(of) / Number(per),
  )
  expect(lengths.length).toBeGreaterThan(1)
  for (const length of lengths) {
    expect(length).toBeLessThanOrEqual(media.durationSeconds + 1e-6)
    expect(length).toBeGreaterThan(media.durationSeconds - 0.05)
  }
})
