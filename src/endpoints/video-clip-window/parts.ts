import path from 'node:path'
import type { z } from 'zod'
import { makeJoinPiece, planJoinPieces } from '../../media/clip/join.ts'
import { sourceTracks } from '../../media/inspect/tracks.ts'
import { cutOptions } from '../present-clip.ts'
import type { EndpointParts, RunContext } from '../run-contract.ts'
import type { clipWindowSettings } from './declaration.ts'
import { rangesToCut } from './ranges.ts'

type Settings = z.output<typeof clipWindowSettings>

/** Each part makes a piece of the clip: an audio track, or about a minute of its video. */
export const clipWindowParts: EndpointParts<Settings> = {
  plan: async (job) => planJoinPieces(await joinOf(job)),
  run: async (job, part) => makeJoinPiece(await joinOf(job), part),
}

async function joinOf({
  media,
  settings,
  window,
  ffmpeg,
  signal,
  pieces,
  workDir,
  reportProgress,
}: RunContext<Settings>) {
  const { info } = media
  const options = cutOptions(settings, info)
  return {
    tracks: await sourceTracks(await media.open(), info.format, ffmpeg, signal),
    ranges: rangesToCut(window, settings, info.durationSeconds),
    ...options,
    outputPath: path.join(workDir, `clip.${options.format}`),
    store: pieces,
    ...{ ffmpeg, signal, onProgress: reportProgress },
  }
}
