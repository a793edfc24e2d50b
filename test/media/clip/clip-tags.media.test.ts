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

const tags = z.record(z.string(), z.string()).default({})
const probed = z.object({
  streams: z.array(z.object({ codec_type: z.string(), disposition: z.object({ default: z.number() }), tags })),
  format: z.object({ tags }),
})
const kept = ['title', 'artist', 'album', 'genre', 'language']

function keptOf(found: Readonly<Record<string, string>>): string[] {
  return kept.flatMap((name) => found[name] ?? found[name.toUpperCase()] ?? [])
}

/** The tags of the file, then those of each track; of the default ones with a star. */
async function tagsOf(file: string): Promise<string[]> {
  const entries = 'stream=codec_type:stream_disposition=default:stream_tags:format_tags'
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'json', file]
  const { stdout } = await promisify(execFile)(mediaTools.ffprobePath, args)
  const { streams, format } = probed.parse(JSON.parse(stdout))
  const tracks = streams.filter(({ codec_type }) => codec_type !== 'data')
  return [
    keptOf(format.tags).join(', '),
    ...tracks.map(({ disposition, tags: found }) => `${disposition.default ? '*' : ''}${keptOf(found).join(', ')}`),
  ]
}

interface Asked {
  readonly mode?: CutMode
  readonly ranges?: readonly Segment[]
  readonly format?: ClipFormat
  readonly audioOnly?: boolean
}

const two = [
  { start: 0, end: 2 },
  { start: 4, end: 6 },
]
const film = ['Film, Me, C:, Talk\nGerman', '*fra', 'eng', '*deu']

it.each<[FixtureName, Asked, readonly (string | undefined)[]]>([
  ['languages.mp4', {}, film],
  ['languages.mp4', { ranges: two }, film],
  ['languages.mp4', { mode: 'smart' }, film],
  ['languages.mp4', { mode: 'smart', ranges: two }, film],
  ['languages.mp4', { mode: 'copy' }, film],
  ['languages.mp4', { mode: 'copy', ranges: two }, film],
  ['languages.mp4', { format: 'webm', ranges: two }, film],
  ['languages.mkv', { ranges: two }, film],
  ['languages.mp4', { format: 'm4a', audioOnly: true, ranges: two }, [film[0], 'eng', '*deu']],
  ['tagged.mp3', { ranges: two }, [film[0], '']],
  ['tagged.opus', { ranges: two }, ['', 'Film, Me, C:, Talk\nGerman, deu']],
])('tags, languages and the default track of %s are kept: %j', async (name, { mode, ...asked }, expected) => {
  const { receipt, outputPath } = await clipFile(mode ?? 'exact', await fixture(name), {
    ranges: [{ start: 1.5, end: 5 }],
    ...asked,
  })
  expect(receipt.mode).toBe(mode ?? 'exact')
  const found = await tagsOf(outputPath)
  expect(found.map((text) => text.replace('\\', ''))).toEqual(expected)
})

it('a clip of several ranges leaves out tags of more than a megabyte', async () => {
  const { outputPath } = await clipFile('exact', await fixture('endless-tags.mka'), { ranges: two })
  expect(await tagsOf(outputPath)).toEqual(['', '*und'])
})
