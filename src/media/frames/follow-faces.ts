import type { CropPoint, CropRoom, Picture } from '../../core/picture.ts'
import type { Segment } from '../../core/segments.ts'
import type { Models } from '../../models/models.ts'
import { toneMapFilters } from '../inspect/colour.ts'
import { seekBefore, seekOptions } from '../inspect/seek.ts'
import { differenceOf, type Fingerprint, fingerprintOf } from './compare-pictures.ts'
import { frameParser, lookingDeadline, timedFrameOptions } from './frame-stream.ts'
import { cutDifference } from './look-at-frames.ts'
import { type FrameSource, sizeWithin } from './sample-frames.ts'
import { centreOfFaces, type LookedAt, reachSeconds, smoothPath } from './smooth-path.ts'

interface FaceFollower extends Pick<FrameSource, 'tracks' | 'video' | 'ffmpeg'> {
  readonly models: Models
}

/** How crops of this film find their paths. Undefined without a picture or a model for faces. */
export function cropPathFinder({ tracks, models, ffmpeg }: Omit<FaceFollower, 'video'>) {
  const { video } = tracks
  if (!video || !models.has('find-faces')) return undefined
  return (room: CropRoom, windows: readonly Segment[], signal: AbortSignal) =>
    followFaces({ tracks, video, models, ffmpeg }, room, windows, signal)
}

/** Faces are looked for this often, and in the first frame of each shot. */
const lookSeconds = 0.4
/** A film has at most one cut in this time: flicker and flashes are no shots of their own, and bound the looks to 7.5 a second. */
const shotSeconds = 0.2
/** At most this many frames a second are compared to find cuts. In slower films every frame is, so that the crop jumps exactly at a cut. */
const maxFramesPerSecond = 60
/** The model sees 256 × 256 pixels. */
const lookedAtPixels = 256 * 144

/** The path of a crop through ascending windows: it keeps faces inside, and keeps to the centre where no face is shown. Empty if no window shows a face. */
async function followFaces(
  follower: FaceFollower,
  room: CropRoom,
  windows: readonly Segment[],
  signal: AbortSignal,
): Promise<CropPoint[]> {
  const paths: CropPoint[][] = []
  let hasFace = false
  for (const window of windows) {
    const seen = await lookAtFaces(follower, room, window, signal)
    hasFace ||= seen.some(({ centre }) => centre !== undefined)
    paths.push(await smoothPath(seen, room, window))
  }
  return hasFace ? paths.flat() : []
}

/** Looks at frames for cuts, and at some of them for faces. */
async function lookAtFaces(
  { tracks, video, ffmpeg, models }: FaceFollower,
  room: CropRoom,
  window: Segment,
  signal: AbortSignal,
): Promise<LookedAt[]> {
  const { input, originSeconds } = tracks
  const start = Math.max(0, window.start - reachSeconds)
  const end = window.end + reachSeconds
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
    if (!isLookedAt) return
    const centre = centreOfFaces(await models.run('find-faces', picture), room)
    seen.push({ seconds, centre, beginsShot })
  }
  await ffmpeg.run({
    ...{ input, signal, deadlineSeconds: lookingDeadline({ start, end }) },
    inputOptions: seekOptions(seekBefore(start)),
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-an', '-sn', '-dn'],
      '-filter:v',
      [
        `trim=start=${(start + originSeconds).toFixed(6)}:end=${(end + originSeconds).toFixed(6)}`,
        `select='not(eq(round(t*${maxFramesPerSecond}),round(prev_selected_t*${maxFramesPerSecond})))'`,
        ...[`scale=${size.width}:${size.height}:flags=area`, ...toneMapFilters(video.colour), 'format=rgb24'],
      ].join(','),
      ...['-fps_mode', 'passthrough', '-c:v', 'rawvideo', ...timedFrameOptions],
    ],
    output: async (chunk) => {
      for (const { seconds, bytes } of parse(chunk)) await look(seconds - originSeconds, { ...size, rgb: bytes })
    },
    pixels: video.width * video.height,
  })
  return seen
}
