import path from 'node:path'
import type { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import type { Segment } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { pieceThirds } from '../../media/clip/video-pieces.ts'
import { makeClip } from '../../media/copying/make-clip.ts'
import type { Cores } from '../../media/sound/decode-audio.ts'
import { billedMilliseconds, gatherWarnings, presentFiles, presentReceipt } from '../present-receipt.ts'
import { openClip, writeSidecars } from '../run-clip.ts'
import type { RunContext } from '../run-contract.ts'
import type { clipWindowSettings } from './declaration.ts'
import { namesOfRange, rangesToCut } from './ranges.ts'

type Settings = z.output<typeof clipWindowSettings>

export async function runClipWindow(context: RunContext<Settings>) {
  const { media, settings, workDir, ...job } = context
  const { info } = media
  const ranges = rangesToCut(job.window, settings, info.durationSeconds)
  const cuts: readonly (readonly Segment[])[] = settings.join ? [ranges] : ranges.map((range) => [range])
  const { source, clip: options, warnings, named } = await openClip(context)

  const made = []
  for (const [index, parts] of cuts.entries()) {
    const name = cuts.length > 1 ? `clip-${index + 1}` : 'clip'
    const outputPath = path.join(workDir, `${name}.${options.format}`)
    const onProgress = (fraction: number) => job.reportProgress((index + fraction) / cuts.length)
    const cut = { ...options, outputPath, onProgress }
    const [window, second] = parts
    if (!window) continue
    const clip = await withIdleCores(job.cores, pieceThirds(parts, cut).length, (concurrency) =>
      makeClip(settings.mode, { ...cut, concurrency, store: job.pieces, ranges: parts }),
    )
    const files = presentFiles(clip, outputPath, options.format, second ? undefined : window.start)
    made.push({
      receipt: { ...presentReceipt(clip.receipt, source, (range) => namesOfRange(range, settings)), ...named },
      files,
      sidecars: await writeSidecars(files[0], clip.receipt.captions ?? undefined),
      billed: billedMilliseconds(clip, ...parts),
    })
  }
  const [first] = made
  if (!first) throw new ServiceError('server_error')
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      receipt: first.receipt,
      ...(made.length > 1 ? { receipts: made.map(({ receipt }) => receipt) } : {}),
    },
    files: [...made.flatMap(({ files }) => files), ...made.flatMap(({ sidecars }) => sidecars)],
    warnings: [...warnings, ...gatherWarnings(made)],
    billedMilliseconds: made.reduce((sum, { billed }) => sum + billed, 0),
  }
}

/** Rendering a piece of video uses two cores. */
function withIdleCores<T>(cores: Cores, pieces: number, render: (concurrency: number) => Promise<T>): Promise<T> {
  return cores.borrow(pieces * 2 - 1, (borrowed) => render(Math.max(1, Math.floor((borrowed + 1) / 2))))
}
