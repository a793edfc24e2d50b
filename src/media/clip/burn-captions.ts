import { Readable } from 'node:stream'
import type { Cue } from '../../core/captions.ts'
import { ServiceError } from '../../core/errors.ts'
import type { FfmpegPictures } from '../../core/ffmpeg.ts'
import type { ClipFormat } from '../../core/media.ts'
import { type CaptionStrip, captionStrip } from '../captions/caption-layout.ts'
import { startCaptionPainter } from '../captions/caption-painter.ts'
import { ratio } from '../inspect/frame-rate.ts'
import type { SourceVideo } from '../inspect/tracks.ts'
import type { ClipCaptions } from './clip-captions.ts'
import type { ClipPicture } from './clip-picture.ts'
import { overlayFormat, pixelFormatOf } from './pixel-format.ts'
import { stepExpression } from './step-expression.ts'
import { tickOf } from './track-arguments.ts'

/** What captions make of a video: the picture changes at some ticks. */
export interface BurntCaptions {
  readonly strip: CaptionStrip
  /** Ascending; the first is 0. */
  readonly changes: readonly CaptionChange[]
}

interface CaptionChange {
  readonly tick: number
  /** Empty where no caption is shown. */
  readonly text: string
}

export interface CaptionedVideo {
  readonly track: SourceVideo
  readonly picture: ClipPicture | null
  readonly captions: ClipCaptions | null
  /** Of the clip, in seconds: where this part of it starts, and its last frame. */
  readonly startSeconds: number
  readonly lastSeconds: number
}

/** The times of changes are in one argument of a command, which has at most 128 KiB (MAX_ARG_STRLEN in execve(2)). */
const maxChanges = 4_500

/** What is to be burnt into a part of a clip. Null without captions there, or if they are not to be burnt. */
export function burntCaptions({
  track,
  picture,
  captions,
  startSeconds,
  lastSeconds,
}: CaptionedVideo): BurntCaptions | null {
  if (!captions?.style) return null
  const secondsPerTick = ratio(tickOf(track))
  // Each caption comes with the frame that is nearest to its time.
  const half = Math.min(0.025, track.frameRate > 0 ? 0.5 / track.frameRate : 0)
  const tickAt = (seconds: number) => Math.max(0, Math.round((seconds - startSeconds - half) / secondsPerTick))
  const changes: CaptionChange[] = []
  const add = (tick: number, text: string) => {
    if (changes.at(-1)?.tick === tick) changes.pop()
    if (text !== (changes.at(-1)?.text ?? '')) changes.push({ tick, text })
  }
  // What changes after the last frame is never shown, and would add a frame.
  const last = tickAt(lastSeconds + half)
  for (const { tick, text } of shownTexts(captions.cues, tickAt)) if (tick <= last) add(tick, text)
  if (changes.length > maxChanges)
    throw new ServiceError(
      'invalid_request',
      `settings.captions: more than ${maxChanges / 2} captions are burnt in at once. Choose a shorter window, or "as": "sidecar".`,
    )
  if (changes.length === 0) return null
  const { width, height } = picture ?? { width: track.width & ~1, height: track.height & ~1 }
  const strip = captionStrip({ width: Math.max(2, width), height: Math.max(2, height) }, captions.style)
  return { strip, changes: changes[0]?.tick === 0 ? changes : [{ tick: 0, text: '' }, ...changes] }
}

/** The text that is shown from each tick on: captions that overlap are shown together. */
function shownTexts(cues: readonly Cue[], tickAt: (seconds: number) => number): CaptionChange[] {
  const shown = cues.map(({ start, end, text }) => ({ start: tickAt(start), end: tickAt(end), text }))
  const ticks = [...new Set(shown.flatMap(({ start, end }) => [start, end]))].toSorted((a, b) => a - b)
  let first = 0
  return ticks.map((tick) => {
    while ((shown[first]?.end ?? tick + 1) <= tick) first += 1
    const texts: string[] = []
    for (let index = first; (shown[index]?.start ?? tick + 1) <= tick; index += 1) {
      const cue = shown[index]
      if (cue && cue.end > tick) texts.push(cue.text)
    }
    return { tick, text: texts.join(' ') }
  })
}

/** The filter that puts the captions, the second input, over the filtered pictures of a track, in a clip of this format. */
export function burningFilter(
  track: SourceVideo,
  format: ClipFormat,
  filter: string,
  { strip, changes }: BurntCaptions,
): string {
  const [, ...later] = changes
  const times = stepExpression(
    'N',
    later.map((_, index) => index + 1),
    changes.map(({ tick }) => String(tick)),
  )
  return [
    `[0:${track.streamIndex}]${filter}[film]`,
    `[1:v]settb=${tickOf(track)},setpts='${times}'[captions]`,
    `[film][captions]overlay=0:${strip.top}:format=${overlayFormat(pixelFormatOf(track.pixelFormat, format))}[${burntLabel}]`,
  ].join(';')
}

/** The output of the filter. */
export const burntLabel = 'burnt'

/** The pictures of the captions, painted while ffmpeg reads them. */
export function captionPictures({ strip, changes }: BurntCaptions, signal: AbortSignal): FfmpegPictures {
  const blank = new Uint8Array(strip.width * strip.height * 4)
  async function* paint() {
    const painter = await startCaptionPainter(strip, signal)
    try {
      for (const { text } of changes) yield text === '' ? blank : await painter.paint(text)
    } finally {
      await painter.close()
    }
  }
  return { stream: Readable.from(paint()), format: 'pictures', width: strip.width, height: strip.height }
}
