import type { CropFollower, CropPoint, CropRoom, CropSubject, FocusPoint, Picture } from '../../core/picture.ts'
import { type Segment, totalDuration } from '../../core/segments.ts'
import { maxFilmFrameSeconds } from '../../core/snap-ranges.ts'
import { startTurns } from '../../core/turns.ts'
import type { Models } from '../../models/models.ts'
import { seekBefore, seekOptions } from '../inspect/frame-window.ts'
import { toneMapFilters } from '../inspect/video-track.ts'
import type { TrackAnalyses } from '../track-analyses.ts'
import { centreOfBoxes, easeReachSeconds, holdAt, type LookedAt, reachSeconds, smoothPath } from './crop-path.ts'
import { cutDifference } from './find-frames.ts'
import { differenceOf, type Fingerprint, fingerprintOf, lumaOf, sureFaceScore } from './frame-quality.ts'
import {
  assertShortLeads,
  type FrameSource,
  frameParser,
  frameRoundingSeconds,
  lastBeginning,
  lookingDeadline,
  sizeWithin,
  timedFrameOptions,
} from './sample-frames.ts'
import type { ScreenLine, ScreenText } from './text-reader.ts'

interface FollowedFilm extends Pick<FrameSource, 'tracks' | 'ffmpeg'> {
  readonly models: Models
  readonly screenTexts: TrackAnalyses<ScreenText>
}

export interface CropFocus {
  /** What is looked for. Null: the crop keeps to the centre. */
  readonly subject: CropSubject | null
  /** Where the crop is instead; of two for the same moment, the later in the list. */
  readonly points: readonly FocusPoint[]
}

/** How crops of this film find their paths. Undefined without a picture, and if the model for the subject is not installed. */
export function cropFollower(film: FollowedFilm, { subject, points }: CropFocus): CropFollower | undefined {
  const { video } = film.tracks
  const subjects = (subject ? subjectsOf[subject] : []).filter(
    (each) => each === 'motion' || film.models.has(modelFor[each]),
  )
  const [first = 'point'] = subjects
  if (!video || (first === 'point' && points.length === 0)) return undefined
  return {
    follows: first,
    points,
    find: async (room, windows, signal) => {
      // Each window is decoded from the keyframe before it.
      if (first !== 'point') {
        const moments = windows.map(({ start }) => start)
        await assertShortLeads({ ...film, video, signal }, { moments, billedSeconds: totalDuration(windows) })
      }
      const paths: (readonly CropPoint[])[] = []
      for (const window of windows) {
        const seen = await lookFor(subjects, { ...film, video, signal }, room, window)
        const path = await smoothPath(seen, room, window, subjects)
        paths.push(holdAt(sayHeld(path, seen, window), points, room, window))
      }
      const path = paths.flat()
      return path.some(({ follows }) => follows !== 'centre') ? path : []
    },
  }
}

/** What is followed instead where there is nothing of the kind, in this order. */
const subjectsOf: Record<CropSubject, readonly CropSubject[]> = {
  ...{ faces: ['faces'], motion: ['motion'], text: ['text', 'faces', 'motion'] },
}

/** What the frames around the window show, in order: of each subject where those before it are not always shown. */
async function lookFor(
  subjects: readonly CropSubject[],
  film: LookedAtFilm,
  room: CropRoom,
  window: Segment,
): Promise<LookedAt[]> {
  const decisive = { start: window.start - easeReachSeconds, end: window.end + easeReachSeconds }
  let seen: LookedAt[] = []
  for (const subject of subjects) {
    const looks = await looksFor[subject](film, room, window)
    // What is seen at a cut is of the new shot.
    seen = [...seen, ...looks].toSorted((a, b) => a.seconds - b.seconds || Number(b.beginsShot) - Number(a.beginsShot))
    if (looks.every(({ seconds, centre }) => centre !== undefined || !isWithin(seconds, decisive))) break
  }
  return seen
}

/** What is not shown in the window itself is not followed there: the crop is held. */
function sayHeld(path: readonly CropPoint[], seen: readonly LookedAt[], window: Segment): CropPoint[] {
  const shown = new Set<CropPoint['follows']>(['centre'])
  for (const { subject, seconds, centre } of seen)
    if (centre !== undefined && isWithin(seconds, window)) shown.add(subject)
  return path.map((point) => (shown.has(point.follows) ? point : { ...point, follows: 'held', cutsText: undefined }))
}

const modelFor = { faces: 'find-faces', text: 'read-text' } as const

interface LookedAtFilm extends FollowedFilm, Pick<FrameSource, 'video' | 'signal'> {}

type Look = (film: LookedAtFilm, room: CropRoom, window: Segment) => Promise<LookedAt[]>

const looksFor: Record<CropSubject, Look> = {
  faces: async ({ models, ...film }, room, window) =>
    whileShown(
      await lookAtFrames(film, 'faces', window, async (picture) => {
        const faces = await models.run('find-faces', picture)
        return centreOfBoxes(
          faces.filter(({ score }) => score >= sureFaceScore),
          room,
        )
      }),
      withReach(window),
    ),
  motion: async (film, room, window) => {
    let before: Float32Array | undefined
    const seen = await lookAtFrames(film, 'motion', window, async (picture, beginsShot) => {
      const luma = lumaOf(picture)
      const centre = before && !beginsShot ? centreOfMotion(before, luma, picture, room) : undefined
      before = luma
      return centre
    })
    return whileShown(seen, withReach(window))
  },
  text: lookAtText,
}

/** Faces and motion are looked for this often, and in the first frame of each shot. */
const lookSeconds = 0.4
/** A film has at most one cut in this time: flicker and flashes are no shots of their own, and bound the looks to 7.5 a second. */
const shotSeconds = 0.2
/** At most this many frames a second are compared to find cuts. In slower films every frame is, so that the crop jumps exactly at a cut. */
const maxFramesPerSecond = 60
/** The model for faces sees 256 × 256 pixels. */
const lookedAtPixels = 256 * 144

/** A slide shows its faces until the next one, and nothing moves on it. */
function whileShown(seen: readonly LookedAt[], { end }: Segment): LookedAt[] {
  return seen.flatMap((look, at) => {
    const length = (seen[at + 1]?.seconds ?? end) - look.seconds
    const looks = length > 2 * lookSeconds ? Math.ceil(length / lookSeconds) : 1
    return Array.from({ length: looks }, (_, index) => ({
      ...look,
      seconds: look.seconds + index * lookSeconds,
      centre: look.subject === 'motion' && index > 0 ? undefined : look.centre,
      beginsShot: look.beginsShot && index === 0,
    }))
  })
}

/** Looks at frames for cuts, and at some of them for the subject. */
async function lookAtFrames(
  film: Pick<LookedAtFilm, 'tracks' | 'video' | 'ffmpeg' | 'signal'>,
  subject: 'faces' | 'motion',
  window: Segment,
  centreIn: (picture: Picture, beginsShot: boolean) => Promise<number | undefined>,
): Promise<LookedAt[]> {
  const { tracks, video, ffmpeg, signal } = film
  const { input, originSeconds } = tracks
  const { start, end } = withReach(window)
  // A slide from before is still shown.
  const shown = start > 0 ? await lastBeginning(film, start) : undefined
  const from = shown !== undefined && start - shown > maxFilmFrameSeconds ? shown - frameRoundingSeconds : start
  const size = sizeWithin(video.shown, lookedAtPixels)
  const parse = frameParser(size.width * size.height * 3)
  const seen: LookedAt[] = []
  let before: { readonly fingerprint: Fingerprint; readonly slot: number } | undefined
  let cutSlot: number | undefined
  const look = async (seconds: number, picture: Picture) => {
    const fingerprint = fingerprintOf(picture)
    const [slot, shotSlot] = [Math.floor(seconds / lookSeconds), Math.floor(seconds / shotSeconds)]
    const isCut = before !== undefined && differenceOf(before.fingerprint, fingerprint) > cutDifference
    const beginsShot = isCut && shotSlot !== cutSlot
    if (beginsShot) cutSlot = shotSlot
    const isLookedAt = beginsShot || slot !== before?.slot
    before = { fingerprint, slot }
    if (isLookedAt) seen.push({ subject, seconds, centre: await centreIn(picture, beginsShot), beginsShot })
  }
  await ffmpeg.run({
    ...{ input, signal, deadlineSeconds: lookingDeadline({ start, end }) },
    inputOptions: seekOptions(seekBefore(from)),
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-an', '-sn', '-dn'],
      '-filter:v',
      [
        `trim=start=${(from + originSeconds).toFixed(6)}:end=${(end + originSeconds).toFixed(6)}`,
        `select='not(eq(round(t*${maxFramesPerSecond}),round(prev_selected_t*${maxFramesPerSecond})))'`,
        ...[`scale=${size.width}:${size.height}:flags=area`, ...toneMapFilters(video.colour), 'format=rgb24'],
      ].join(','),
      ...['-fps_mode', 'passthrough', '-c:v', 'rawvideo', ...timedFrameOptions],
    ],
    output: async (chunk) => {
      for (const { seconds, bytes } of parse(chunk))
        await look(Math.max(start, seconds - originSeconds), { ...size, rgb: bytes })
    },
    pixels: video.width * video.height,
  })
  return seen
}

function isWithin(seconds: number, { start, end }: Segment): boolean {
  return seconds >= start && seconds < end
}

function withReach({ start, end }: Segment): Segment {
  return { start: Math.max(0, start - reachSeconds), end: end + reachSeconds }
}

/** Smaller differences of a pixel are noise. */
const noiseStep = 16
const motionCells = 64
/** Pixels that move, as a share of the picture, below which nothing does. */
const leastMotion = 0.002
/** How much more motion than any other part of its size a crop has that follows something: elsewhere all of the picture moves. */
const standsOut = 0.3

/** The middle of what moves in the crop that has the most motion. Undefined if nothing moves, or everything does. */
function centreOfMotion(
  before: Float32Array,
  luma: Float32Array,
  { width, height }: Pick<Picture, 'width' | 'height'>,
  { along, share }: CropRoom,
): number | undefined {
  const cells = new Float64Array(motionCells)
  const length = along === 'x' ? width : height
  let moved = 0
  for (const [at, value] of luma.entries()) {
    const step = Math.abs(value - (before[at] ?? value))
    if (step < noiseStep) continue
    moved += 1
    const place = along === 'x' ? at % width : Math.floor(at / width)
    const cell = Math.floor((place * motionCells) / length)
    cells[cell] = (cells[cell] ?? 0) + step
  }
  const sum = (from: number, to: number) => cells.subarray(from, to).reduce((total, each) => total + each, 0)
  const span = Math.max(1, Math.round(share * motionCells))
  const starts = Array.from({ length: motionCells - span + 1 }, (_, start) => start)
  const best = starts.reduce((most, start) => (sum(start, start + span) > sum(most, most + span) ? start : most), 0)
  const inside = sum(best, best + span)
  if (moved < leastMotion * luma.length || inside < (share + standsOut * share * (1 - share)) * sum(0, motionCells))
    return undefined
  const weighted = cells.subarray(best, best + span).reduce((total, each, at) => total + each * (best + at + 0.5), 0)
  return weighted / inside / motionCells
}

/** Looks up what text is shown. Where others are shown at once in place of all lines, another picture is shown. */
async function lookAtText({ screenTexts, tracks }: LookedAtFilm, room: CropRoom, window: Segment): Promise<LookedAt[]> {
  const reach = withReach(window)
  const looked = { start: reach.start, end: Math.min(reach.end, tracks.durationSeconds) }
  const { value } = await screenTexts.get({ track: { index: 0 }, window: looked, onProgress: () => {} })
  const turns = startTurns()
  const seen: LookedAt[] = []
  let [next, shown]: [number, ScreenLine[]] = [0, []]
  for (const seconds of momentsOf(value.lines, looked)) {
    if (turns.isDue()) await turns.next()
    const before = shown.length
    shown = shown.filter(({ end }) => end > seconds)
    const stays = shown.length > 0
    for (let line = value.lines[next]; line && line.start <= seconds; line = value.lines[next]) {
      if (line.end > seconds) shown.push(line)
      next += 1
    }
    seen.push({
      ...{ subject: 'text', seconds },
      centre: centreOfBoxes(
        shown.map(({ box }) => box),
        room,
      ),
      beginsShot: before > 0 && !stays && shown.length > 0,
      cutsText: shown.some(({ box }) => (room.along === 'x' ? box.width : box.height) > room.share),
    })
  }
  return seen
}

function momentsOf(lines: readonly ScreenLine[], { start, end }: Segment): number[] {
  const looks = Array.from(
    { length: Math.ceil((end - start) / lookSeconds) },
    (_, index) => start + index * lookSeconds,
  )
  return [...new Set([...looks, ...lines.map((line) => line.start)])].toSorted((a, b) => a - b)
}
