import type { Ffmpeg } from '../core/ffmpeg.ts'
import type { MediaInfo } from '../core/media.ts'
import { clampTo, complement, dropShorterThan, durationOf, intersect, type Segment } from '../core/segments.ts'
import { roundToMillisecond } from '../core/time-code.ts'
import { createFrameCounter, readPackets, reorderSeconds } from './inspect/packets.ts'
import type { Tracks } from './inspect/tracks.ts'
import { type ChosenTrack, chooseTrack } from './sound/decode-audio.ts'
import { type EnergyWindows, measureEnergy } from './sound/energy.ts'
import type { Envelopes } from './sound/envelopes.ts'
import { findSilences } from './sound/silences.ts'
import { findSpeech, type HearSpeech } from './speech/find-speech.ts'

interface Edge {
  readonly asked: number
  readonly chosen: number
  readonly reason:
    | 'quiet'
    | 'between_words'
    | 'keyframe'
    | 'asked'
    | 'start_of_media'
    | 'end_of_media'
    | 'no_quiet_point'
    | 'no_keyframe'
}

interface EdgeSettings {
  readonly beforeSeconds: number
  readonly afterSeconds: number
  readonly snap: 'silence' | 'keyframe' | 'none'
  /** How far snapping may move an edge. */
  readonly reachSeconds: number
  /** Linear, 0 to 1. */
  readonly quietAmplitude: number
  readonly minClipSeconds: number
}

interface EdgeSearch {
  readonly tracks: Tracks
  readonly info: MediaInfo
  readonly envelopes: Pick<Envelopes, 'get'>
  /** Without it, only the envelope decides. */
  readonly hearSpeech: HearSpeech | undefined
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

/** Shorter pauses are within words. */
const minQuietSeconds = 0.1
const energyWindowSeconds = 0.02

/** Chooses where the clip around a moment starts and ends. Snapping never moves an edge past the moment. */
export async function chooseEdges(
  search: EdgeSearch,
  moment: number,
  settings: EdgeSettings,
): Promise<{ start: Edge; end: Edge }> {
  const { durationSeconds } = search.info
  const asked = { start: moment - settings.beforeSeconds, end: moment + settings.afterSeconds }
  const start =
    asked.start <= 0
      ? edge(0, 0, 'start_of_media')
      : await snap(search, settings, asked.start, { start: 0, end: moment })
  const end =
    asked.end >= durationSeconds
      ? edge(durationSeconds, durationSeconds, 'end_of_media')
      : await snap(search, settings, asked.end, { start: moment, end: durationSeconds })
  const minSeconds = Math.min(settings.minClipSeconds, asked.end - asked.start)
  if (end.chosen - start.chosen >= minSeconds && end.chosen > start.chosen) return { start, end }
  return { start: edge(start.asked, start.asked, 'asked'), end: edge(end.asked, end.asked, 'asked') }
}

async function snap(search: EdgeSearch, settings: EdgeSettings, asked: number, bounds: Segment): Promise<Edge> {
  const reach = {
    start: Math.max(bounds.start, asked - settings.reachSeconds),
    end: Math.min(bounds.end, asked + settings.reachSeconds),
  }
  if (settings.snap === 'keyframe' && search.tracks.video) return snapToKeyframe(search, asked, reach)
  if (settings.snap === 'silence' && search.info.audio.length > 0) {
    return snapToQuiet(search, settings.quietAmplitude, asked, reach)
  }
  return edge(asked, asked, 'asked')
}

async function snapToQuiet(search: EdgeSearch, amplitude: number, asked: number, reach: Segment): Promise<Edge> {
  const track = chooseTrack(search.info, 'default')
  if (reach.end <= reach.start) return edge(asked, asked, 'asked')
  const { envelope } = await search.envelopes.get({ track, window: reach })
  const speech = await speechIn(search, track, reach)
  const quiet = await findSilences(envelope, { window: reach, amplitude, minSilenceSeconds: minQuietSeconds })
  const point = nearestCutPoint({ speech, quiet }, asked, reach)
  if (point) return edge(asked, point.seconds, point.isQuiet ? 'quiet' : 'between_words')
  const levels = await measureEnergy(envelope, reach, energyWindowSeconds)
  const quietest = quietestPoint(levels, energyWindowSeconds, reach.start) ?? asked
  return edge(asked, Math.min(quietest, reach.end), 'no_quiet_point')
}

async function speechIn({ tracks, hearSpeech, ffmpeg, signal }: EdgeSearch, track: ChosenTrack, window: Segment) {
  if (!hearSpeech) return []
  return findSpeech({ input: tracks.input, trackIndex: track.index, track, window, hearSpeech, ffmpeg, signal })
}

async function snapToKeyframe(search: EdgeSearch, asked: number, reach: Segment): Promise<Edge> {
  const { tracks, ffmpeg, signal } = search
  const { input, originSeconds, video } = tracks
  const keyframes: number[] = []
  const interval = { start: reach.start + originSeconds, end: reach.end + originSeconds }
  const streamIndex = video?.streamIndex ?? 0
  const countFrame = createFrameCounter(interval.end + reorderSeconds)
  await readPackets({ input, ffmpeg, signal, streamIndex, interval }, ({ pts, isKeyframe }) => {
    countFrame(pts)
    const seconds = pts - originSeconds
    if (isKeyframe && seconds >= reach.start && seconds <= reach.end) keyframes.push(seconds)
  })
  const chosen = nearest(keyframes, asked)
  return chosen === undefined ? edge(asked, asked, 'no_keyframe') : edge(asked, chosen, 'keyframe')
}

function edge(asked: number, chosen: number, reason: Edge['reason']): Edge {
  return { asked: roundToMillisecond(asked), chosen: roundToMillisecond(chosen), reason }
}

/** A cut keeps this distance from the sound on either side if the stretch is long enough. */
const quietMarginSeconds = 0.05
/** In noise, a model detects the soft ends of words late or not at all. */
const pauseMarginSeconds = 0.15
/** Shorter stretches leave no room for a cut. */
const minStretchSeconds = 0.04

interface CutPoint {
  readonly seconds: number
  readonly isQuiet: boolean
}

/**
 * The point inside `reach` where a cut is least audible; of equally good points, the one nearest to `asked`. A point that is
 * quiet and outside speech is best, then one outside speech, then a quiet one. Undefined if there is no such point, or if there
 * is neither speech nor quiet.
 */
export function nearestCutPoint(
  { speech, quiet }: Readonly<Record<'speech' | 'quiet', readonly Segment[]>>,
  asked: number,
  reach: Segment,
): CutPoint | undefined {
  const pauses = complement(speech, reach)
  const point = (stretches: readonly Segment[], marginSeconds: number) =>
    nearestIn(dropShorterThan(clampTo(stretches, reach), minStretchSeconds), marginSeconds, asked)
  const quietPoint = point(intersect(quiet, pauses), quietMarginSeconds)
  if (quietPoint !== undefined) return { seconds: quietPoint, isQuiet: true }
  const pausePoint = speech.length > 0 ? point(pauses, pauseMarginSeconds) : undefined
  if (pausePoint !== undefined) return { seconds: pausePoint, isQuiet: false }
  const within = point(quiet, quietMarginSeconds)
  return within === undefined ? undefined : { seconds: within, isQuiet: true }
}

function nearestIn(stretches: readonly Segment[], marginSeconds: number, asked: number): number | undefined {
  const points = stretches.map((stretch) => {
    const margin = Math.min(marginSeconds, durationOf(stretch) / 2)
    return Math.min(Math.max(asked, stretch.start + margin), stretch.end - margin)
  })
  return nearest(points, asked)
}

/** The middle of the quietest measured window; windows count from `startSeconds`. */
export function quietestPoint(
  { power }: EnergyWindows,
  windowSeconds: number,
  startSeconds: number,
): number | undefined {
  if (power.length === 0) return undefined
  const quietest = power.reduce((best, value, index) => (value < (power[best] ?? 0) ? index : best), 0)
  return startSeconds + (quietest + 0.5) * windowSeconds
}

/** The point nearest to `asked`; the first if several are equally near. */
function nearest(points: readonly number[], asked: number): number | undefined {
  return points.reduce<number | undefined>(
    (best, point) => (best === undefined || Math.abs(point - asked) < Math.abs(best - asked) ? point : best),
    undefined,
  )
}
