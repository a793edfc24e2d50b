import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { Command, Context } from '../../scripts/main.ts'
import type { Ffmpeg } from '../../src/core/ffmpeg.ts'
import { openConfinement } from '../../src/media/tools/confinement.ts'
import { createFfmpeg } from '../../src/media/tools/ffmpeg.ts'
import { chooseParts, report } from '../figures.ts'
import { withFolder } from '../lab-stack.ts'
import { type MemoryWatch, watchMemory } from '../processes.ts'
import { measureDetection } from './detection.ts'
import { measureJoined } from './joined.ts'
import { measureModes } from './modes.ts'
import { measureRemoteClip } from './remote-clip.ts'
import { type TalkFilm, talkFilm } from './talk-film.ts'
import { measureTwoWorkers } from './two-workers.ts'

/** What every part uses: the film, the tools as a worker runs them, and a folder for temporary data. */
export interface HourOfFilm {
  readonly context: Context
  readonly talk: TalkFilm
  readonly folder: string
  readonly ffmpegPath: string
  readonly ffmpeg: Ffmpeg
  readonly cores: number
  readonly memory: MemoryWatch
}

const parts = {
  detection: measureDetection,
  clip: measureRemoteClip,
  joined: measureJoined,
  modes: measureModes,
  'two-workers': measureTwoWorkers,
}

/** `npm run lab -- hour [PART …]`: the engine and whole jobs beside bare ffmpeg on an hour of film. */
export const hourCommand: Command = async (context) => {
  const chosen = chooseParts(context, parts)
  const { ffmpegPath, ffprobePath } = await context.findTools()
  context.say('creating the film, once')
  const talk = await talkFilm(ffmpegPath, path.join(context.root, 'test', 'fixtures', 'speech.wav'))
  for (const part of chosen) {
    context.say(part)
    await withFolder(async (folder) => {
      const { start, ...confinement } = await openConfinement({ onLevel: () => {} })
      const processDir = path.join(folder, 'processes')
      mkdirSync(processDir)
      const ffmpeg = createFfmpeg({ ffmpegPath, ffprobePath, start, processDir })
      const memory = watchMemory()
      try {
        const text = await parts[part]({
          ...{ context, talk, folder, ffmpegPath, ffmpeg, memory },
          cores: availableParallelism(),
        })
        await report(context, `hour-${part}`, text)
      } finally {
        memory.stop()
        await confinement.close()
      }
    })
  }
  return 0
}
