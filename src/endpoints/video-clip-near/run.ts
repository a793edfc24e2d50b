import type { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { type MediaInfo, toAmplitude } from '../../core/media.ts'
import { normalize } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { chooseEdges } from '../../media/choose-edges.ts'
import { lastEnvelope } from '../../media/sound/envelopes.ts'
import { makeClips, openClip } from '../run-clip.ts'
import type { RunContext } from '../run-contract.ts'
import type { clipNearSettings } from './declaration.ts'
import { momentsOf, searchedWindows, snapReachSeconds } from './moments.ts'

type Settings = z.output<typeof clipNearSettings>

export async function runClipNear(context: RunContext<Settings>) {
  const { media, settings, envelopes, models, ffmpeg, signal } = context
  const { info } = media
  const moments = momentsOf(context.window, settings)
  // Throws for a moment past the end of the media, before any work.
  searchedWindows(context.window, settings, info.durationSeconds)
  const opened = await openClip(context)

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
  const search = { tracks: opened.tracks, info, envelopes: lastEnvelope(envelopes), hearSpeech, ffmpeg, signal }
  const windows = []
  for (const moment of moments) {
    const { start, end } = await chooseEdges(search, moment, edges)
    const window = { start: start.chosen, end: Math.min(end.chosen, info.durationSeconds) }
    windows.push({ moment, window, edges: { start_edge: start, end_edge: end } })
  }
  const wanted = settings.join
    ? [{ ranges: normalize(windows.map(({ window }) => window)), startSeconds: undefined }]
    : windows.map(({ window, moment }) => ({ ranges: [window], startSeconds: moment }))
  const { receipts, ...made } = await makeClips(context, opened, wanted)
  const shown = windows.map(({ moment, window, edges: found }) => ({
    ...{ moment: roundToMillisecond(moment), start: window.start, end: window.end },
    ...found,
  }))
  const [[first], [receipt]] = [shown, receipts]
  if (!first || !receipt)
    throw new ServiceError('invalid_request', 'start is required: the moment, in seconds or HH:MM:SS.')
  return {
    ...made,
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      ...{ window: first, windows: shown, receipt, receipts },
    },
    warnings: [...warnOfNoSnap(settings.snap, info), ...opened.warnings, ...made.warnings],
  }
}

/** Warns if the media lacks what snapping looks for; the edges then stay where they were requested. */
function warnOfNoSnap(snap: Settings['snap'], { audio, video }: MediaInfo): string[] {
  const asked = 'so its edges were not moved: they are at before_seconds and after_seconds from the moment.'
  if (snap === 'silence' && audio.length === 0) return [`The media has no sound to find a quiet point in, ${asked}`]
  return snap === 'keyframe' && !video ? [`The media has no picture and so no keyframe, ${asked}`] : []
}
