import type { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { pieceThirds } from '../../media/clip/video-pieces.ts'
import { makeClip } from '../../media/copying/make-clip.ts'
import type { Cores } from '../../media/sound/decode-audio.ts'
import { makeClips, openClip } from '../run-clip.ts'
import type { RunContext } from '../run-contract.ts'
import type { clipWindowSettings } from './declaration.ts'
import { namesOfRange, rangesToCut } from './ranges.ts'

type Settings = z.output<typeof clipWindowSettings>

export async function runClipWindow(context: RunContext<Settings>) {
  const { media, settings, cores } = context
  const { durationSeconds } = media.info
  const ranges = rangesToCut(context.window, settings, durationSeconds)
  const cuts = settings.join ? [ranges] : ranges.map((range) => [range])
  const made = await makeClips({
    ...context,
    opened: await openClip(context),
    planned: cuts.map((parts) => ({ ranges: parts, startSeconds: parts.length > 1 ? undefined : parts[0]?.start })),
    make: (input) =>
      withIdleCores(cores, pieceThirds(input.ranges, input).length, (concurrency) =>
        makeClip(settings.mode, { ...input, concurrency }),
      ),
    nameRange: (range) => namesOfRange(range, settings),
  })
  if (!made) throw new ServiceError('server_error')
  const { receipt, receipts, ...output } = made
  return {
    result: {
      media_seconds: roundToMillisecond(durationSeconds),
      receipt,
      ...(receipts.length > 1 ? { receipts } : {}),
    },
    ...output,
  }
}

/** Rendering a piece of video uses two cores. */
function withIdleCores<T>(cores: Cores, pieces: number, render: (concurrency: number) => Promise<T>): Promise<T> {
  return cores.borrow(pieces * 2 - 1, (borrowed) => render(Math.max(1, Math.floor((borrowed + 1) / 2))))
}
