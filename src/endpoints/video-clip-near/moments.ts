import type { JobWindow, Segment } from '../../core/segments.ts'
import { momentsIn, pastTheEnd } from '../parse-settings.ts'

/** The clips of one job. */
export const maxMoments = 20

/** How far snapping can move an edge, in seconds. */
export const snapReachSeconds = 2

/** How far an edge can move with these settings, in seconds. */
export function snapReachOf({ snap }: Pick<MomentSettings, 'snap'>): number {
  return snap === 'none' ? 0 : snapReachSeconds
}

export interface MomentSettings {
  readonly moments?: readonly (number | string)[] | undefined
  readonly before_seconds: number
  readonly after_seconds: number
  readonly snap: 'silence' | 'keyframe' | 'none'
}

/** The moments in seconds, from `start` or `settings.moments`. */
export function momentsOf(window: JobWindow, { moments }: MomentSettings): number[] {
  return momentsIn(window, moments, 'moments') ?? []
}

/** The widest clips that snapping can choose around each moment. */
export function searchedWindows(window: JobWindow, settings: MomentSettings, mediaSeconds?: number): Segment[] {
  return momentsOf(window, settings).map((moment) => searchedWindow(moment, settings, mediaSeconds))
}

/** The widest clip that snapping can choose around a moment. Throws `invalid_request` for a moment past the end of the media. */
function searchedWindow(moment: number, settings: MomentSettings, mediaSeconds = Number.POSITIVE_INFINITY): Segment {
  if (moment >= mediaSeconds) throw pastTheEnd('moment', moment, mediaSeconds, 'Choose an earlier one.')
  const reach = snapReachOf(settings)
  return {
    start: Math.max(0, moment - settings.before_seconds - reach),
    end: Math.min(mediaSeconds, moment + settings.after_seconds + reach),
  }
}
