import { ExceededLimit } from '../inspect/exceeded-limit.ts'
import { readPackets } from '../inspect/packets.ts'
import { type FrameSource, seekLeadSeconds } from './sample-frames.ts'

// Decoding starts at a keyframe. In a film of one keyframe an hour, a frame at its end takes the decoding of an hour.

/**
 * The pixels that a job may decode in front of its frames, and those for each. Measured: a core decodes 0.2 to 0.35 · 10⁹ pixels a second. A
 * film of 3840 × 2160 at 30 frames a second with a keyframe every ten seconds takes the second number on average, because each frame
 * is decoded again for its file.
 */
const [freePixels, pixelsPerFrame] = [30e9, 2.5e9]
/** Smaller pictures take about as long. */
const leastPixels = 640 * 360
/** As for clips, the media that is billed may be decoded this many times. */
const maxFactor = 4
const usualFrameRate = 30

interface Leads {
  /** On the clock where the media starts at 0. */
  readonly moments: readonly number[]
  /** How often each is decoded. */
  readonly times?: number
  /** The length of the media that is billed. */
  readonly billedSeconds?: number
}

/** Throws `processing_failed` if too much has to be decoded from the keyframes before these moments. Nothing is decoded for that. */
export async function assertShortLeads(
  { tracks, video, ffmpeg, signal }: FrameSource,
  { moments, times = 1, billedSeconds = 0 }: Leads,
): Promise<void> {
  if (moments.length === 0) return
  const pixels = Math.max(leastPixels, video.width * video.height)
  const maxPixels = freePixels + moments.length * pixelsPerFrame + maxFactor * billedSeconds * usualFrameRate * pixels
  const seeks = moments.map((moment) => moment + tracks.originSeconds - seekLeadSeconds).toSorted((a, b) => a - b)
  await readPackets(
    {
      ...{ input: tracks.input, ffmpeg, signal, streamIndex: video.streamIndex },
      intervals: seeks.map((seek) => ({ start: seek, end: seek })),
      maxPackets: Math.floor(maxPixels / pixels / times),
      tooMany: () => new ExceededLimit(tooFar),
    },
    () => {},
  )
}

const tooFar =
  'The frames come so long after the keyframes from which they have to be decoded that this would take too long. Choose fewer frames, or ones nearer to the start of the media, or convert it to have a keyframe every few seconds.'
