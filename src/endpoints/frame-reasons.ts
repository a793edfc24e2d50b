import type { FrameFlaw, FrameQuality } from '../media/frames/frame-quality.ts'
import type { ThumbnailQuality } from '../media/frames/thumbnail-quality.ts'

/** The shares from which something is good, and below which it is poor. */
const [good, poor] = [0.75, 0.4]

type MeasureName = keyof FrameQuality | keyof ThumbnailQuality

const words: Readonly<Record<MeasureName, readonly [ifGood: string, ifPoor: string | undefined]>> = {
  faces: ['a clear face, wholly in the frame', undefined],
  sharpness: ['sharp', 'not quite sharp'],
  exposure: ['well exposed', 'too dark or too bright in parts'],
  contrast: ['rich in contrast', 'low in contrast'],
  colour: ['colourful', 'hardly any colour'],
  stillness: ['still', 'in motion'],
  legibility: ['clear when small', 'hard to recognize when small'],
}

const flaws: Readonly<Record<FrameFlaw, string>> = {
  dark: 'nearly black',
  bright: 'nearly white',
  empty: 'blank',
  noise: 'noise',
  blurred: 'blurred',
}

/** In words, what is good about a frame and what is not. */
export function reasonsFor(quality: Readonly<Partial<Record<MeasureName, number>>>, flaw?: FrameFlaw): string[] {
  if (flaw) return [flaws[flaw]]
  const names = Object.keys(words).filter((name): name is MeasureName => Object.hasOwn(words, name))
  return names.flatMap((name) => {
    const share = quality[name] ?? poor
    const [ifGood, ifPoor] = words[name]
    if (share >= good) return [ifGood]
    return share < poor && ifPoor ? [ifPoor] : []
  })
}
