import path from 'node:path'
import type { Command } from '../../scripts/main.ts'
import { createFfmpeg } from '../../src/media/tools/ffmpeg.ts'
import { createModelPool } from '../../src/models/pool.ts'
import { chooseParts, report } from '../figures.ts'
import { withFolder } from '../lab-stack.ts'
import { measureBestFrames } from './best-frames.ts'
import { measureFillers } from './fillers.ts'
import { measureLaughter } from './laughter.ts'
import { measureSync } from './sync.ts'
import { measureTextFrames } from './text-frames.ts'
import { measureTopics } from './topics.ts'
import { measureWords } from './words.ts'

const parts = {
  words: measureWords,
  fillers: measureFillers,
  laughter: measureLaughter,
  sync: measureSync,
  topics: measureTopics,
  'text-frames': measureTextFrames,
  'best-frames': measureBestFrames,
}

/** `npm run lab -- finders [PART …]`: what the finders find and miss. */
export const findersCommand: Command = async (context) => {
  const { ffmpegPath, ffprobePath } = await context.findTools()
  for (const part of chooseParts(context, parts)) {
    const text = await withFolder(async (workDir) => {
      const pool = createModelPool({ modelsDir: context.modelsDir, size: 1 })
      // Tools and models alone do not keep the process alive.
      const alive = setInterval(() => {}, 60_000)
      try {
        const ffmpeg = createFfmpeg({ ffmpegPath, ffprobePath, processDir: path.join(workDir, 'processes') })
        const models = pool.modelsFor(new AbortController().signal)
        return await parts[part]({ context, workDir, ffmpegPath, ffmpeg, models, say: context.say })
      } finally {
        await pool.close()
        clearInterval(alive)
      }
    })
    await report(context, `finders-${part}`, text)
  }
  return 0
}
