import path from 'node:path'
import { expect, it } from 'vitest'
import { cutClip } from '../../../src/media/clip/cut.ts'
import { readTracks } from '../../../src/media/inspect/tracks.ts'
import { createFfmpeg } from '../../../src/media/tools/ffmpeg.ts'
import { type StartTool, spawnTool } from '../../../src/media/tools/spawn.ts'
import { film } from '../../fixtures/make.ts'
import { plainClip } from '../../setup/plain-clip.ts'
import { mediaTools } from '../../setup/tools.ts'
import { never, temporaryFolder } from '../measure.ts'

it('one ffmpeg makes a plain exact clip, with the options of exact-clip-command.txt in this order', async () => {
  const folder = temporaryFolder()
  const outputPath = path.join(folder, 'clip.mp4')
  const commands: (readonly string[])[] = []
  const start: StartTool = (tool) => {
    if (tool.program === mediaTools.ffmpegPath && tool.args.at(-1) === outputPath) commands.push(tool.args)
    return spawnTool(tool)
  }
  const ffmpeg = createFfmpeg({ ...mediaTools, processDir: path.join(folder, 'processes'), start })
  await cutClip({
    tracks: await readTracks({ path: film, format: 'mp4' }, ffmpeg, never),
    window: { start: 3, end: 4.5 },
    ...plainClip(),
    ...{ format: 'mp4', quality: 'balanced', outputPath, ffmpeg },
  })
  expect(commands).toHaveLength(1)
  const words = commands.flat().map((word) => ({ [film]: 'SOURCE', [outputPath]: 'CLIP' })[word] ?? word)
  await expect(optionsOf(words)).toMatchFileSnapshot('exact-clip-command.txt')
})

/** One option with its value a line. */
function optionsOf(words: readonly string[]): string {
  const isOption = (word: string) => /^-[a-z]/.test(word)
  const lines = words.map(
    (word, index) => `${index > 0 && (isOption(word) || !isOption(words[index - 1] ?? '')) ? '\n' : ' '}${word}`,
  )
  return `${lines.join('').trim()}\n`
}
