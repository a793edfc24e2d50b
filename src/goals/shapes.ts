import { type ClipAspect, clipAspects, type Size } from '../core/picture.ts'

// Shapes and sizes of pictures, as goals in words name them.

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

/** Those to which a picture is cropped. */
export const cropWords = shapeWords.filter((word) => word !== 'aspect' && word !== 'reframe')

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

/** The shape that the text of a read goal asks for. What it is turned into, ratios and sizes come first. */
export function aspectIn(text: string): ClipAspect | undefined {
  const [, ratioOfTarget, wordOfTarget = text] = target.exec(text) ?? []
  const [, stated] = /<(\d+x\d+)>/.exec(text) ?? []
  const size = sizeIn(text)
  return (
    aspectOf(ratioOfTarget ?? stated ?? '') ??
    (size && aspectOfSize(size)) ??
    named.find(([words]) => words.test(wordOfTarget))?.[1]
  )
}

const pixels = String.raw`([1-9]\d{2,3})`
/** `1080x1920`, `1080 by 1920`. */
const size = new RegExp(String.raw`(?<![\w.:])${pixels} ?(?:x|×|\*|by) ?${pixels}(?![\w:])`)

function sizeIn(text: string): Size | undefined {
  const [, width, height] = size.exec(text) ?? []
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) }
}

/** Sizes such as 854x480 are a ratio rounded to whole pixels. */
function aspectOfSize({ width, height }: Size): ClipAspect | undefined {
  return ratios.find((each) => Math.abs(width / height / widthOfHeight(each) - 1) < 0.01)
}

/** The width of a ratio as a share of its height. */
function widthOfHeight(aspect: ClipAspect): number {
  const [width = 1, height = 1] = aspect.split(':').map(Number)
  return width / height
}

/** By what people call them: the pixels of the shorter side. */
const sizeNames: readonly (readonly [RegExp, number])[] = [
  [/\b(4k|uhd|ultra hd)\b/, 2160],
  [/\b(full ?hd|fhd)\b/, 1080],
  [/\bhd\b/, 720],
]

/** The pixels from top to bottom that the goal asks for. */
export function heightIn(text: string): number | undefined {
  const shorter = Number(/\b(\d{3,4})p\b/.exec(text)?.[1] ?? sizeNames.find(([name]) => name.test(text))?.[1] ?? 0)
  const aspect = aspectIn(text)
  const width = aspect ? widthOfHeight(aspect) : 1
  const height = sizeIn(text)?.height ?? Math.round(width < 1 ? shorter / width : shorter)
  return height > 0 ? height : undefined
}

const otherRatio =
  /(?<![:.\d])(?:4[:x]3|3[:x]4|3[:x]2|2[:x]3|5[:x]4|2[:x]1|18[:x]9|21[:x]9|2\.\d{1,2}:1)(?![:\d])|\b(?:ultrawide|cinemascope)\b/

/** Whether the goal asks for a shape that no clip has. */
export function asksForOtherShape(text: string): boolean {
  const stated = sizeIn(text)
  return otherRatio.test(text) || (stated !== undefined && aspectOfSize(stated) === undefined)
}

/** Whether the goal states the width of the picture alone. */
export function asksForWidth(text: string): boolean {
  return /\b\d{3,4} ?(?:px |pixels? )?(?:wide|in width)\b|\bwidth (?:of |to |is |= ?)?\d{3,4}\b/.test(text)
}
