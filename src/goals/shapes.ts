import { type ClipAspect, clipAspects } from '../core/picture.ts'

// Shapes of pictures, as goals in words name them.

const ratios = clipAspects.filter((aspect) => aspect !== 'source')

/** What stands for a ratio in the text of a goal, such as `<9x16>`. */
function markOf(ratio: ClipAspect): string {
  return `<${ratio.replace(':', 'x')}>`
}

/** Words by which a goal asks for a shape. */
export const shapeWords = [
  ...['vertical', 'portrait', 'square', 'landscape', 'widescreen', 'aspect', 'reframe'],
  ...ratios.map(markOf),
]

const ratio = new RegExp(
  String.raw`(?<![:.\d])(${ratios.join('|').replaceAll(':', '[:x]')})(?![:\d]|\.\d)(?:\s+(?:aspect|ratio))*`,
  'g',
)

const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?`
/** A moment, or the end of a window. "At 12:30 to 9:16" is a moment and a shape, "1:00 to 2:00 to 9:16" a window and a shape. */
const beforeTime = new RegExp(
  String.raw`(?:\b(?:at|around|near|about|from|after|past|since|before|between|until|till|minute|moment|time)(?: the)?` +
    String.raw`|(?<!\b(?:at|around|near) |${clock}\s*(?:to|and|-|–)\s*)(?<![:\d])${clock}\s*(?:to|and|-|–))\s*$`,
)
const afterTime = /^\s*(?:to|until|till|and|-|–)\s*\d/
const afterShape = /^\s*(?:(?:format|shape|version|video)\b|(?:in)?to (?:16:9|1:1|4:5))/

/** Marks the ratios of a goal in lower case. 9:16 is the only one that can be a time, and is one where its neighbours say so. */
export function markShapes(goal: string): string {
  return goal.replaceAll(ratio, (found, shape: string, at: number) => {
    const [before, after] = [goal.slice(0, at), goal.slice(at + found.length)]
    const isTime = shape === '9:16' && found === shape && (beforeTime.test(before) || afterTime.test(after))
    return isTime && !afterShape.test(after) ? found : ` ${markOf(aspectOf(shape) ?? 'source')} `
  })
}

function aspectOf(shape: string): ClipAspect | undefined {
  return ratios.find((each) => each.replace(':', 'x') === shape.replace(':', 'x'))
}

/** In order: a film that is said to be in landscape is mostly the source. */
const named: readonly (readonly [RegExp, ClipAspect])[] = [
  [/\b(vertical|portrait)/, '9:16'],
  [/\bsquare\b/, '1:1'],
  [/\b(tiktok|instagram|reels|shorts)\b/, '9:16'],
  [/\b(landscape|widescreen)\b/, '16:9'],
]
const target = /\b(?:to|into|in|as) (?:an? )?(?: ?<(\d+x\d+)>|(vertical|portrait|square|landscape|widescreen)\b)/

/** The shape that the text of a read goal asks for. What it is turned into, and ratios, come first. */
export function aspectIn(text: string): ClipAspect | undefined {
  const [, ratioOfTarget, wordOfTarget = text] = target.exec(text) ?? []
  const [, stated] = /<(\d+x\d+)>/.exec(text) ?? []
  return aspectOf(ratioOfTarget ?? stated ?? '') ?? named.find(([words]) => words.test(wordOfTarget))?.[1]
}
