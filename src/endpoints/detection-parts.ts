import { ServiceError } from '../core/errors.ts'
import { stretchAround } from '../media/sound/envelope.ts'
import { requestsOf } from '../media/sound/envelopes.ts'
import { splitStretch } from '../media/sound/measure-envelope.ts'
import { resolveWindow } from './job-window.ts'
import type { EndpointParts, RunContext } from './run-contract.ts'
import type { DetectionSettings } from './split-detection.ts'

/** Each part measures a piece of the sound of one track. */
export const detectionParts: EndpointParts<DetectionSettings> = {
  plan: async (job) => {
    const areReusable = await Promise.all(tracksOf(job).map((request) => job.envelopes.isReusable(request)))
    if (areReusable.every(Boolean)) return []
    return piecesOf(job).map(({ piece }) => (piece.endMs - piece.startMs) / 1000)
  },
  run: async (job, part) => {
    const found = piecesOf(job)[part]
    if (!found) throw new ServiceError('server_error', undefined, { cause: new RangeError(`no part ${part}`) })
    // Another job may have ended since the plan.
    if (await job.envelopes.isReusable(found.request)) return
    await job.envelopes.measurePiece({ ...found.request, onProgress: job.reportProgress }, found.piece)
  },
}

function tracksOf({ media: { info }, settings, window }: RunContext<DetectionSettings>) {
  return requestsOf({ info, choice: settings.audio_track, window: resolveWindow(window, info.durationSeconds) })
}

function piecesOf(job: RunContext<DetectionSettings>) {
  return tracksOf(job).flatMap((request) =>
    splitStretch(stretchAround(request.window)).map((piece) => ({ request, piece })),
  )
}
