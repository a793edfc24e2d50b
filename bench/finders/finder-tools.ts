import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Context } from '../../scripts/main.ts'
import type { Ffmpeg } from '../../src/core/ffmpeg.ts'
import { inspectMedia } from '../../src/media/inspect/inspect.ts'
import { createCores } from '../../src/media/sound/decode-audio.ts'
import { fileSource } from '../../src/media/source/media-source.ts'
import { createFfmpeg } from '../../src/media/tools/ffmpeg.ts'
import type { AnalyseInput } from '../../src/media/track-analyses.ts'
import type { Models } from '../../src/models/models.ts'
import { createModelPool } from '../../src/models/pool.ts'

/** What measures with the real tools and models. */
export interface FinderTools {
  readonly root: string
  /** For the media that it makes; deleted afterwards. */
  readonly workDir: string
  readonly ffmpegPath: string
  readonly ffmpeg: Ffmpeg
  /** As many calls at a time as there are processes. */
  readonly models: Models
  readonly say: (message: string) => void
}

/** Runs a bench with models in `processes` processes, and ends and deletes what it used. */
export async function withFinderTools<Result>(
  { root, modelsDir, findTools, say }: Context,
  processes: number,
  bench: (tools: FinderTools) => Promise<Result>,
): Promise<Result> {
  const workDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-bench-'))
  const { ffmpegPath, ffprobePath } = await findTools()
  const pool = createModelPool({ modelsDir, size: processes })
  // Tools and models alone do not keep the process alive.
  const alive = setInterval(() => {}, 60_000)
  try {
    const ffmpeg = createFfmpeg({ ffmpegPath, ffprobePath, processDir: path.join(workDir, 'processes') })
    const models = pool.modelsFor(new AbortController().signal)
    return await bench({ root, workDir, ffmpegPath, say, ffmpeg, models })
  } finally {
    await pool.close()
    clearInterval(alive)
    rmSync(workDir, { recursive: true, force: true })
  }
}

/** The first track of a file, whole, as finders read it: on one core, or on as many as given. */
export async function wholeTrack({ ffmpeg, models }: FinderTools, file: string, cores = 1): Promise<AnalyseInput> {
  const signal = new AbortController().signal
  const source = await fileSource(file)
  const info = await inspectMedia(source, ffmpeg, signal)
  return {
    ...{ ffmpeg, models, signal, input: source.input(info.format), trackIndex: 0 },
    media: { info, open: async () => source },
    window: { start: 0, end: info.durationSeconds },
    cores: createCores(cores),
    onProgress: () => {},
  }
}
