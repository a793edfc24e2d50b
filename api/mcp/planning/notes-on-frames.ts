import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import { maxFrames } from '../../../src/endpoints/video-best-frames/declaration.ts'
import { cropShapes } from '../../../src/endpoints/video-thumbnail-score/declaration.ts'
import { numberOf } from '../../../src/goals/goal-lengths.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { aspectIn, heightIn } from '../../../src/goals/shapes.ts'
import { frameWords } from '../../../src/goals/words.ts'

/** What the files of frames are, where a goal may expect another thing. */
export function notesOnFrames({ text }: ReadGoal, { id }: Endpoint): string[] {
  if (id === 'video/thumbnail-score' && !/\b(thumbnails?|covers?|posters?)\b/.test(text))
    return [
      'The files are crops of the frames to 16:9, 9:16 and 1:1: settings.crops chooses the shapes. A crop to the shape of the film is the whole frame.',
    ]
  if (id === 'video/text-frames' && frameWords.some((word) => text.includes(word)))
    return [
      'It finds when the text is shown. For its picture, send that time as settings.times of video/thumbnail-score.',
    ]
  const isCapped = id === 'video/best-frames' && (numberOf(text, frameWords) ?? 0) > maxFrames
  const isOfSlides = id === 'video/best-frames' && /\bslides?\b/.test(text)
  return [
    ...(isCapped ? [`video/best-frames returns at most ${maxFrames} frames, of shots that it chooses.`] : []),
    ...(isOfSlides
      ? [
          `video/best-frames chooses sharp frames of different shots, at most ${maxFrames}, and does not know slides. video/text-frames finds when their text is shown, and video/thumbnail-score makes pictures of these times.`,
        ]
      : []),
  ]
}

/** What the pictures of frames cannot be. */
export function notesOnCrops({ text }: ReadGoal, steps: readonly string[]): string[] {
  if (!steps.some((id) => id === 'video/best-frames' || id === 'video/thumbnail-score')) return []
  const aspect = aspectIn(text)
  const isOther = aspect !== undefined && !cropShapes.some((shape) => shape === aspect)
  return [
    ...(isOther ? [`Pictures of frames are cropped to ${cropShapes.join(', ')}, and not to ${aspect}.`] : []),
    ...(heightIn(text) === undefined ? [] : ['Pictures of frames are as large as the media: no setting scales them.']),
  ]
}
