import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { ClipFormat } from '../../../src/core/media.ts'
import type { Segment } from '../../../src/core/segments.ts'
import type { CutMode } from '../../../src/media/clip/clip-receipt.ts'
import { fixture } from '../../fixtures/make.ts'
import type { FixtureName } from '../../fixtures/recipes.ts'
import { mediaTools } from '../../setup/tools.ts'
import { clipFile } from '../clip-file.ts'

interface Asked {
  readonly mode?: CutMode
  readonly ranges?: readonly Segment[]
  readonly format?: ClipFormat
  readonly audioOnly?: boolean
  readonly pieceSeconds?: number
}

async function make(name: FixtureName, { mode = 'exact', ranges = [{ start: 2, end: 5 }], ...asked }: Asked = {}) {
  return clipFile(mode, await fixture(name), { ranges, ...asked })
}

const probedChapters = z.object({
  chapters: z.array(
    z.object({
      start_time: z.string(),
      end_time: z.string(),
      tags: z.object({ title: z.string().optional() }).optional(),
    }),
  ),
})

/** As `title start-end`, in seconds. */
async function chaptersOf(file: string): Promise<string[]> {
  const args = ['-v', 'error', '-show_entries', 'chapter=start_time,end_time:chapter_tags=title', '-of', 'json', file]
  const { stdout } = await promisify(execFile)(mediaTools.ffprobePath, args)
  const { chapters } = probedChapters.parse(JSON.parse(stdout))
  return chapters.map(
    ({ start_time, end_time, tags }) =>
      `${tags?.title} ${Number(start_time).toFixed(1)}-${Number(end_time).toFixed(1)}`,
  )
}

async function timecodeIn(file: string): Promise<string> {
  const args = ['-v', 'error', '-show_entries', 'stream_tags=timecode:format_tags=timecode', '-of', 'csv=p=0', file]
  const { stdout } = await promisify(execFile)(mediaTools.ffprobePath, args)
  return [...new Set(stdout.split('\n').filter(Boolean))].join(' ')
}

const shifted = ['Intro 0.0-1.0', 'Main; part=2 #1 \\ end 1.0-3.0']

it.each([
  ['chapters.mp4', {}],
  ['chapters.mp4', { mode: 'copy' }],
  ['chapters.mp4', { mode: 'smart' }],
  ['chapters.mp4', { pieceSeconds: 1 }],
  ['chapters.mp4', { format: 'mov' }],
  ['chapters.mp4', { format: 'm4v' }],
  ['chapters.mp4', { format: 'webm' }],
  ['chapters.mp4', { audioOnly: true, format: 'm4a' }],
  ['chapters.mp4', { format: 'mp3' }],
  ['chapters.mp4', { format: 'ogg' }],
  ['chapters.mkv', {}],
  ['chapters.mp3', {}],
  ['chapters.mov', {}],
  ['chapters.mov', { mode: 'smart' }],
  ['chapters.mka', { format: 'm4a' }],
  ['chapters.m4b', {}],
  ['chapters.opus', { format: 'opus' }],
  ['chapters.webm', {}],
  ['chapters.webm', { format: 'mp4' }],
] as const)('chapters of %s are kept, cut and moved: %j', async (name, asked) => {
  const { receipt, outputPath } = await make(name, asked)
  if ('mode' in asked) expect(receipt).toMatchObject({ mode: asked.mode, fallbackReason: null })
  expect(await chaptersOf(outputPath)).toEqual(shifted)
  expect(receipt.droppedStreams.filter((text) => text.includes('chapter') || text.includes('data'))).toEqual([])
})

it('chapters of copied sound are where it plays: four packets before the requested start', async () => {
  const { outputPath } = await make('chapters.mp3', { mode: 'copy' })
  expect(await chaptersOf(outputPath)).toEqual(['Intro 0.0-1.1', 'Main; part=2 #1 \\ end 1.1-3.1'])
})

it.each([{ mode: 'exact' }, { mode: 'exact', audioOnly: true, format: 'm4a' }, { mode: 'copy' }] as const)(
  'chapters are moved by what is cut out before them: %j',
  async (asked) => {
    const { outputPath } = await make('chapters.mp4', {
      ...asked,
      ranges: [
        { start: 0, end: 1 },
        { start: 4, end: 6 },
      ],
    })
    expect(await chaptersOf(outputPath)).toEqual(['Intro 0.0-1.0', 'Main; part=2 #1 \\ end 1.0-3.0'])
  },
)

it('chapters that a container cannot hold are said to be missing', async () => {
  const { receipt } = await make('chapters.mp3', { format: 'wav' })
  expect(receipt.droppedStreams).toContain('chapters (2)')
})

it('a clip of media with thousands of chapters has none, and says so', async () => {
  const { receipt } = await make('long-tags.mkv')
  expect(receipt.droppedStreams).toContain('chapters (3000)')
})

it.each([
  ['timecode-film.mov', {}, '01:00:02:00'],
  ['timecode-film.mov', { mode: 'copy' }, '01:00:02:00'],
  ['timecode-film.mov', { mode: 'smart' }, '01:00:02:00'],
  ['timecode-film.mov', { format: 'mp4', pieceSeconds: 1 }, '01:00:02:00'],
  [
    'timecode-film.mov',
    {
      ranges: [
        { start: 1, end: 2 },
        { start: 3, end: 4 },
      ],
    },
    '01:00:01:00',
  ],
  ['timecode-late.mp4', {}, '10:00:01:28'],
  ['timecode-late.mp4', { mode: 'smart' }, '10:00:01:28'],
  ['timecode-late.mp4', { mode: 'copy', ranges: [{ start: 0.1, end: 1.5 }] }, '10:00:00:00'],
  ['timecode-drop.mp4', { ranges: [{ start: 2.002, end: 4 }] }, '00:01:00;02'],
  ['timecode-5994.mov', {}, '01:00:02:45'],
  ['timecode-film.mkv', {}, '01:00:02:00'],
  ['timecode-23.976-film.mov', { ranges: [{ start: 2.002, end: 3.5 }] }, '01:00:02:00'],
  ['timecode-48-film.mov', { ranges: [{ start: 2, end: 3.5 }] }, '01:00:02:00'],
  ['timecode-50-film.mov', { ranges: [{ start: 2, end: 3.5 }] }, '10:00:02:00'],
  ['timecode-60-film.mp4', { ranges: [{ start: 2, end: 3.5 }], mode: 'copy' }, '01:00:02:00'],
  ['timecode-midnight.mov', { ranges: [{ start: 2, end: 3.5 }] }, '00:00:01:12'],
  ['timecode-59.94-film.mkv', { ranges: [{ start: 2.002, end: 3.5 }] }, '01:00:02;00'],
] as const)('the timecode of %s counts on in a clip: %j', async (name, asked, timecode) => {
  const { receipt, outputPath } = await make(name, asked)
  if ('mode' in asked) expect(receipt).toMatchObject({ mode: asked.mode, fallbackReason: null })
  expect(await timecodeIn(outputPath)).toBe(timecode)
  expect(receipt.droppedStreams).toEqual([])
})

it('a clip that holds no timecode says so, and none of another frame is in it', async () => {
  const { receipt, outputPath } = await make('timecode-film.mov', { format: 'm4v' })
  expect(receipt.droppedStreams).toEqual(['timecode'])
  expect(await timecodeIn(outputPath)).toBe('')
  expect(await timecodeIn((await make('timecode-film.mkv', { format: 'webm' })).outputPath)).toMatch(/^(01:00:02:00)?$/)
})
