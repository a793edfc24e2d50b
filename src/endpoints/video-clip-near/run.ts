import type { z } from 'zod'
import { invalidRequest } from '../../core/errors.ts'
import { type MediaInfo, toAmplitude } from '../../core/media.ts'
import { normalize } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { chooseEdges } from '../../media/choose-edges.ts'
import type { Tracks } from '../../media/inspect/tracks.ts'
import { lastEnvelope } from '../../media/sound/envelopes.ts'
import { makeClips, openClip } from '../run-clip.ts'
import type { RunContext } from '../run-contract.ts'
import type { clipNearSettings } from './declaration.ts'
import { momentsOf, searchedWindows, snapReachSeconds } from './moments.ts'

type Settings = z.output<typeof clipNearSettings>

export async function runClipNear(context: RunContext<Settings>) {
  const { settings } = context
  const { info } = context.media
  // Throws for a moment past the end of the media, before any work.
  searchedWindows(context.window, settings, info.durationSeconds)
  const opened = await openClip(context)
  const windows = await chooseWindows(context, opened.tracks)
  const clips = windows.map(({ moment, start, end }) => ({ ranges: [{ start, end }], startSeconds: moment }))
  const joined = { ranges: normalize(clips.flatMap(({ ranges }) => ranges)), startSeconds: undefined }
  const planned = settings.join ? [joined] : clips
  const made = await makeClips({ ...context, opened, planned })
  const shown = windows.map((window) => ({ ...window, moment: roundToMillisecond(window.moment) }))
  const [first] = shown
  if (!first || !made) throw invalidRequest('start is required: the moment, in seconds or HH:MM:SS.')
  const { receipt, receipts, warnings, ...output } = made
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      window: first,
      windows: shown,
      receipt,
      receipts,
    },
    warnings: [...warnOfNoSnap(settings.snap, info), ...warnings],
    ...output,
  }
}

/** The clip around each moment. */
async function chooseWindows(
  { media, settings, models, ffmpeg, signal, ...job }: RunContext<Settings>,
  tracks: Tracks,
) {
  const { info } = media
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
  const search = { tracks, info, envelopes: lastEnvelope(job.envelopes), hearSpeech, ffmpeg, signal }
  const windows = []
  for (const moment of momentsOf(job.window, settings)) {
    const { start, end } = await chooseEdges(search, moment, edges)
    const window = { start: start.chosen, end: Math.min(end.chosen, info.durationSeconds) }
    windows.push({ moment, ...window, start_edge: start, end_edge: end })
  }
  return windows
}

/** Warns if the media lacks what snapping looks for; the edges then stay where they were requested. */
function warnOfNoSnap(snap: Settings['snap'], { audio, video }: MediaInfo): string[] {
  const asked = 'so its edges were not moved: they are at before_seconds and after_seconds from the moment.'
  if (snap === 'silence' && audio.length === 0) return [`The media has no sound to find a quiet point in, ${asked}`]
  return snap === 'keyframe' && !video ? [`The media has no picture and so no keyframe, ${asked}`] : []
}
