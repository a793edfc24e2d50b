import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { openConfinement } from '../../src/media/tools/confinement.ts'
import { createFfmpeg } from '../../src/media/tools/ffmpeg.ts'
import { checkFile } from './check-file.ts'

// A process of its own, so that a file that crashes or blocks it ends nothing else. Its parent sends paths, and receives a verdict for each.

const [ffmpegPath, ffprobePath, folder] = z.tuple([z.string(), z.string(), z.string()]).parse(process.argv.slice(2))
const { start } = await openConfinement({ onLevel: () => {} })
const processDir = path.join(folder, 'processes')
mkdirSync(processDir, { recursive: true })
const ffmpeg = createFfmpeg({ ffmpegPath, ffprobePath, processDir, start })

process.on('message', (file) => {
  void checkFile(z.string().parse(file), ffmpeg, { ffmpegPath, ffprobePath, start }, folder).then((verdict) =>
    process.send?.(verdict),
  )
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
