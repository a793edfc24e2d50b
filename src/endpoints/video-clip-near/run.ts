import path from 'node:path'
import type { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { type MediaInfo, toAmplitude } from '../../core/media.ts'
import { normalize } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { chooseEdges } from '../../media/choose-edges.ts'
import { makeClip } from '../../media/copying/make-clip.ts'
import { billedMilliseconds, gatherWarnings, presentFiles, presentReceipt } from '../present-receipt.ts'
import { openClip, writeSidecars } from '../run-clip.ts'
import type { RunContext } from '../run-contract.ts'
import type { clipNearSettings } from './declaration.ts'
import { momentsOf, searchedWindows, snapReachSeconds } from './moments.ts'

type Settings = z.output<typeof clipNearSettings>

export async function runClipNear(context: RunContext<Settings>) {
  const { media, settings, envelopes, models, ffmpeg, signal, workDir, ...job } = context
  const { info } = media
  const moments = momentsOf(job.window, settings)
  // Throws for a moment past the end of the media, before any work.
  searchedWindows(job.window, settings, info.durationSeconds)
  const { source, tracks, clip: options, warnings, named } = await openClip(context)

  const edges = {
    beforeSeconds: settings.before_seconds,
    afterSeconds: settings.after_seconds,
    snap: settings.snap,
    reachSeconds: snapReachSeconds,
    quietAmplitude: toAmplitude(settings.quiet_threshold),
    minClipSeconds: settings.min_segment_seconds,
  }
  const hearSpeech = models.has('voice-activity')
    ? (samples: Float32Array) => models.run('voice-activity', samples)
    : undefined
  const search = { tracks, info, envelopes, hearSpeech, ffmpeg, signal }
  const windows = []
  for (const moment of moments) {
    const { start, end } = await chooseEdges(search, moment, edges)
    const window = { start: start.chosen, end: Math.min(end.chosen, info.durationSeconds) }
    windows.push({ moment, window, edges: { start_edge: start, end_edge: end } })
  }
  const files = settings.join
    ? [{ ranges: normalize(windows.map(({ window }) => window)), moment: undefined }]
    : windows.map(({ window, moment }) => ({ ranges: [window], moment }))
  const made = []
  for (const [index, { ranges, moment }] of files.entries()) {
    const name = files.length > 1 ? `clip-${index + 1}` : 'clip'
    const outputPath = path.join(workDir, `${name}.${options.format}`)
    const onProgress = (fraction: number) => job.reportProgress((index + fraction) / files.length)
    const cut = { ...options, outputPath, onProgress }
    if (ranges.length === 0) continue
    const clip = await makeClip(settings.mode, { ...cut, ranges, store: job.pieces })
    const filesOfClip = presentFiles(clip, outputPath, options.format, moment)
    made.push({
      receipt: { ...presentReceipt(clip.receipt, source), ...named },
      files: filesOfClip,
      sidecars: await writeSidecars(filesOfClip[0], clip.receipt.captions ?? undefined),
      billed: billedMilliseconds(clip, ...ranges),
    })
  }
  const shown = windows.map(({ moment, window, edges: found }) => ({
    ...{ moment: roundToMillisecond(moment), start: window.start, end: window.end },
    ...found,
  }))
  const [first, firstFile] = [shown[0], made[0]]
  if (!first || !firstFile)
    throw new ServiceError('invalid_request', 'start is required: the moment, in seconds or HH:MM:SS.')
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      window: first,
      windows: shown,
      receipt: firstFile.receipt,
      receipts: made.map(({ receipt }) => receipt),
    },
    files: [...made.flatMap((each) => each.files), ...made.flatMap(({ sidecars }) => sidecars)],
    warnings: [...warnOfNoSnap(settings.snap, info), ...warnings, ...gatherWarnings(made)],
    billedMilliseconds: made.reduce((sum, { billed }) => sum + billed, 0),
  }
}

/** Warns if the media lacks what snapping looks for; the edges then stay where they were requested. */
function warnOfNoSnap(snap: Settings['snap'], { audio, video }: MediaInfo): string[] {
  const asked = 'so its edges were not moved: they are at before_seconds and after_seconds from the moment.'
  if (snap === 'silence' && audio.length === 0) return [`The media has no sound to find a quiet point in, ${asked}`]
  return snap === 'keyframe' && !video ? [`The media has no picture and so no keyframe, ${asked}`] : []
}
