import { Readable } from 'node:stream'
import { type CaptionLook, type Cue, maxShownCues, type PlacedCues, type ShownRange } from '../../core/captions.ts'
import { invalidRequest, type ServiceError } from '../../core/errors.ts'
import type { FfmpegPictures } from '../../core/ffmpeg.ts'
import { type CaptionStrip, captionStrip, type DrawnCaption, maxDrawnCharacters } from '../captions/caption-layout.ts'
import { allowCaptions, type OwnFont, startCaptionPainter } from '../captions/caption-painter.ts'
import { captionWhite, ratio, type SourceVideo } from '../inspect/video-track.ts'
import { type ClipPicture, drawnSize } from './clip-picture.ts'
import { tickOf } from './track-arguments.ts'

/** What captions make of a video: the picture changes at some ticks. */
export interface BurntCaptions {
  readonly strip: CaptionStrip
  /** Ascending; the first is 0. */
  readonly changes: readonly CaptionChange[]
}

/** Its text is empty where no caption is shown. */
interface CaptionChange extends DrawnCaption {
  readonly tick: number
}

export interface CaptionedVideo {
  readonly track: SourceVideo
  readonly picture: ClipPicture | null
  readonly captions: ClipCaptions | null
  /** Of the clip, in seconds: where this part of it starts, and its last frame. */
  readonly startSeconds: number
  readonly lastSeconds: number
}

/** More is no text to read, and each takes tenths of a second to paint. */
const changesPerSecond = 10
const moreChanges = 20
/** The times of changes are in one argument of a command, which has at most 128 KiB (MAX_ARG_STRLEN in execve(2)). */
const maxChanges = 3_000
/** Where fewer frames are claimed, changes between them are kept, because the rate of frames may vary. */
const longestFrameSeconds = 0.05

/**
 * What is to be burnt into a part of a clip. Null without captions there, or if they are not to be burnt. Throws `invalid_request` if
 * they change more often than is painted.
 */
export function burntCaptions(video: CaptionedVideo): BurntCaptions | null {
  const { track, picture, captions, startSeconds, lastSeconds } = video
  if (!captions?.look) return null
  const secondsPerTick = ratio(tickOf(track))
  const frameSeconds = Math.min(longestFrameSeconds, 1 / Math.max(0, track.frameRate))
  const most = Math.min(maxChanges, moreChanges + Math.ceil(changesPerSecond * (lastSeconds - startSeconds)))
  const changes: (CaptionChange & { readonly frame: number })[] = []
  for (const { seconds, text, spoken } of shownTexts(captions.cues, startSeconds, lastSeconds + frameSeconds / 2)) {
    // On the clock of the clip, so that its pieces agree.
    const frame = Math.floor(seconds / frameSeconds)
    // Each caption comes with the frame that is nearest to its time.
    const tick = Math.max(0, Math.round((seconds - startSeconds - frameSeconds / 2) / secondsPerTick))
    const last = changes.at(-1)
    // No frame shows what ends before the next one.
    if (last && (last.frame === frame || last.tick === tick)) changes.pop()
    const before = changes.at(-1)
    if (text !== (before?.text ?? '') || spoken !== before?.spoken) changes.push({ tick, text, spoken, frame })
    if (changes.length > most) throw tooManyChanges(most, lastSeconds - startSeconds)
  }
  if (changes.length === 0) return null
  const strip = captionStrip(drawnSize(track, picture), captions.look, captionWhite(track.colour))
  const shown = changes.map(({ frame: _, ...change }) => change)
  return { strip, changes: shown[0]?.tick === 0 ? shown : [{ tick: 0, text: '' }, ...shown] }
}

function tooManyChanges(most: number, seconds: number): ServiceError {
  return invalidRequest(
    `settings.captions: the captions change more than ${most} times in ${seconds.toFixed(1)} seconds of the clip. Show each for longer, or send "as": "sidecar".`,
  )
}

/**
 * The text that is shown from each time on, in ascending order: captions that overlap are shown together. Captions beyond
 * `maxShownCues` are left out.
 */
function* shownTexts(cues: readonly Cue[], fromSeconds: number, toSeconds: number) {
  let active: readonly Cue[] = []
  const shown = (seconds: number) => ({
    ...{ seconds: Math.max(fromSeconds, seconds), text: joinedText(active) },
    spoken: active.length === 1 ? active[0]?.spoken : undefined,
  })
  function* endUntil(seconds: number) {
    for (;;) {
      const end = Math.min(...active.map((cue) => cue.end))
      if (end > seconds) return
      active = active.filter((cue) => cue.end > end)
      yield shown(end)
    }
  }
  const inside = cues.filter(({ start, end }) => end > fromSeconds && start <= toSeconds)
  for (const cue of inside.toSorted((a, b) => a.start - b.start)) {
    yield* endUntil(cue.start)
    if (active.length >= maxShownCues) continue
    active = [...active, cue]
    yield shown(cue.start)
  }
  yield* endUntil(toSeconds)
}

function joinedText(cues: readonly Cue[]): string {
  return cues
    .reduce((text, cue) => (text.length < maxDrawnCharacters ? `${text} ${cue.text}` : text), '')
    .slice(1, maxDrawnCharacters + 1)
}

/** The pictures of the captions, painted while ffmpeg reads them. Painting ends with ffmpeg. */
export function captionPictures(
  { strip, changes }: BurntCaptions,
  signal: AbortSignal,
  font?: OwnFont,
): FfmpegPictures {
  const closed = new AbortController()
  allowCaptions(font, changes.length)
  async function* paint() {
    const blank = new Uint8Array(strip.width * strip.height * 4)
    const painter = startCaptionPainter(strip, AbortSignal.any([signal, closed.signal]), font)
    try {
      for (const { text, spoken } of changes) yield text === '' ? blank : await painter.paint({ text, spoken })
    } finally {
      await painter.close()
    }
  }
  const stream = Readable.from(paint())
  stream.once('close', () => closed.abort())
  return { stream, format: 'pictures', width: strip.width, height: strip.height }
}

/** The captions that a clip should have. */
export interface CaptionsRequest {
  /** How they look as part of the picture. Null keeps them apart. */
  readonly look: CaptionLook | null
  /** The font that the look names. */
  readonly font?: OwnFont | undefined
  /** Finds those of the ranges that the clip shows. */
  readonly place: (ranges: readonly ShownRange[]) => PlacedCues
}

/** The captions of a clip, on its own clock. */
export interface ClipCaptions extends PlacedCues {
  readonly cues: readonly Cue[]
  readonly look: CaptionLook | null
  readonly font?: OwnFont | undefined
}

export function clipCaptions(
  { captions }: { readonly captions?: CaptionsRequest | null | undefined },
  ranges: readonly ShownRange[],
): ClipCaptions | null {
  return captions ? { ...captions.place(ranges), look: captions.look, font: captions.font } : null
}
