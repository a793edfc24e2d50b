import path from 'node:path'
import type { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { cutPieces } from '../../media/clip/cut.ts'
import { joinPieces } from '../../media/clip/join.ts'
import { makePiece, piecesOf } from '../../media/clip/video-pieces.ts'
import { openClip } from '../run-clip.ts'
import type { EndpointParts, RunContext } from '../run-contract.ts'
import type { clipWindowSettings } from './declaration.ts'
import { rangesToCut } from './ranges.ts'

type Settings = z.output<typeof clipWindowSettings>

/** Each part makes a piece of the clip: an audio track, or about half a minute of its video, less at its end. */
export const clipWindowParts: EndpointParts<Settings> = {
  plan: async (job) => piecesOf((await clipOf(job)).clip),
  run: async (job, part) => {
    const { input, clip } = await clipOf(job)
    await makePiece(input, clip, part)
  },
}

async function clipOf(context: RunContext<Settings>) {
  const { media, settings, pieces, workDir, ...job } = context
  const { clip: options } = await openClip(context)
  const input = {
    ...options,
    outputPath: path.join(workDir, `clip.${options.format}`),
    store: pieces,
    onProgress: job.reportProgress,
  }
  const ranges = rangesToCut(job.window, settings, media.info.durationSeconds)
  const [window, second] = ranges
  if (!window) throw new ServiceError('server_error')
  return { input, clip: await (second ? joinPieces({ ...input, ranges }) : cutPieces({ ...input, window })) }
}
