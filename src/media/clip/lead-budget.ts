import type { Segment } from '../../core/segments.ts'
import type { FrameTimes } from '../inspect/frame-window.ts'
import { ExceededLimit } from '../inspect/packets.ts'
import { equalThirds } from './video-pieces.ts'

/**
 * What a job may decode in front of its clips. Decoding starts at a keyframe, so that a clip of milliseconds at the end of a film with
 * one keyframe decodes all of the film, and each of a hundred such clips does.
 */
export interface LeadBudget {
  secondsLeft: number
}

/** Most films have a keyframe every ten seconds. Shorter leads than this are not counted. */
const freeLeadSeconds = 60

/** A job may decode this many times its media in front of its clips, and a clip its own length in front of its pieces. */
const maxLeadFactor = 4

export function leadBudget(mediaSeconds: number): LeadBudget {
  return { secondsLeft: maxLeadFactor * mediaSeconds }
}

/** What is decoded before the window, if these are the frames in and around it. */
export function leadOf(window: Segment, { starts }: FrameTimes): number {
  return window.start - (starts[0] ?? window.start)
}

/** The pieces of a clip, or fewer, because each may have to be decoded from the keyframe before the longest group of pictures. */
export function limitPieces(
  thirds: readonly number[],
  clipSeconds: number,
  { longestGroupSeconds = 0 }: FrameTimes,
): readonly number[] {
  if (longestGroupSeconds <= freeLeadSeconds) return thirds
  const maxCount = Math.max(1, Math.floor((maxLeadFactor * clipSeconds) / longestGroupSeconds))
  return thirds.length <= maxCount ? thirds : equalThirds(maxCount)
}

/** Takes a lead from the budget, once for each time that it is decoded. Throws `ExceededLimit` if nothing is left. */
export function takeLead(budget: LeadBudget, lead: number): void {
  if (lead <= freeLeadSeconds) return
  budget.secondsLeft -= lead
  if (budget.secondsLeft >= 0) return
  throw new ExceededLimit(
    'Too many of the clips start minutes after the keyframe from which they have to be decoded. Put them into one file with "join": true, send fewer, or convert the media to have a keyframe every few seconds.',
  )
}
