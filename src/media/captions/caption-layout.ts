import type { CaptionLook, CaptionSafeArea, CaptionStyle, FrameMargins } from '../../core/captions.ts'
import type { FontMetrics } from '../../core/font-file.ts'
import { nearestEven, type Size } from '../../core/picture.ts'
import { escapeMarkup, oneLine, removeHidden } from '../../core/text.ts'

/** The strip of a film in which captions appear. Its sides and its place are even, as video stores colour for pairs of pixels. */
export interface CaptionStrip extends Size {
  /** From the upper edge of the film, in pixels. */
  readonly top: number
  /** From its left edge and from its right one, in pixels: no text is there. */
  readonly left: number
  readonly right: number
  readonly look: CaptionLook
  /** In pixels. */
  readonly fontSize: number
  /** The brightness of its white, 0 to 255. */
  readonly white: number
}

/** The renderer takes the first font that it was given, whatever its name is. */
const fontFamily = 'sans-serif'

/** The font size, as a part of the shorter side. */
const sizes: Readonly<Record<CaptionStyle, number>> = {
  ...{ plain: 0.05, boxed: 0.05, large: 0.085, highlight: 0.085, highlight_box: 0.075, one_word: 0.11 },
}
/** Sites cover the lower part of vertical film with texts and buttons. */
const [marginOfWide, marginOfTall] = [0.06, 0.18]
const [maxLines, lineHeight, sidePart] = [4, 1.3, 0.05]

/**
 * Shorts: Google's safe zone for vertical ads, in pixels of 1080 × 1920. Reels: Meta's guidance for ads. TikTok publishes templates instead
 * of numbers; in these, what the others leave free is free from 120 pixels on the left.
 */
const safeAreas: Readonly<Record<CaptionSafeArea, FrameMargins>> = {
  shorts: { top: 288 / 1920, bottom: 672 / 1920, left: 48 / 1080, right: 192 / 1080 },
  reels: { top: 0.14, bottom: 0.35, left: 0.06, right: 0.06 },
  all: { top: 288 / 1920, bottom: 672 / 1920, left: 120 / 1080, right: 192 / 1080 },
}
/** Other shapes are shown without texts and buttons over them. */
const verticalShape = 1.7
/** Boxes and outlines reach beyond the text on each side, in parts of the font size. */
const aroundText = 0.3

/** Undefined where nothing was asked for. */
export function askedMargins(
  { width, height }: Size,
  { safeArea, margins }: Pick<CaptionLook, 'safeArea' | 'margins'>,
): FrameMargins | undefined {
  return safeArea && height / width >= verticalShape ? safeAreas[safeArea] : margins
}

function marginsOf({ width, height }: Size, look: CaptionLook): FrameMargins {
  const asked = askedMargins({ width, height }, look)
  if (asked) return asked
  const margin = height > width ? marginOfTall : marginOfWide
  return { top: margin, bottom: margin, left: sidePart, right: sidePart }
}

/** Guides for subtitles advise at most 42 characters a line. */
const charactersPerLine = 42
/** Of an average character. */
const characterWidth = 0.6
/** More than the strip holds at its smallest size. */
export const maxDrawnCharacters = 1_000

export function captionStrip(picture: Size, look: CaptionLook, white = 255): CaptionStrip {
  const { width, height } = picture
  const fontSize = Math.max(6, Math.min(width, height) * sizes[look.style])
  const high = Math.min(2 * Math.floor(height / 2), nearestEven(fontSize * lineHeight * (maxLines + 0.5)))
  const margins = marginsOf(picture, look)
  const room = Math.max(0, height - high)
  const [above, below] = [height * margins.top, height * (1 - margins.bottom) - high]
  const tops = { bottom: below, middle: (above + below) / 2, top: above }
  const top = 2 * Math.floor(Math.min(room, Math.max(0, tops[look.position])) / 2)
  const [left, right] = [width * margins.left, width * margins.right]
  return { width, height: high, top, left, right, look, fontSize, white }
}

/** What a caption shows at a moment. */
export interface DrawnCaption {
  readonly text: string
  /** The index of a word that is said now. */
  readonly spoken?: number | undefined
}

/**
 * The text as SVG that fills the strip from below, from its middle or from above. A text of more lines than the strip has is written
 * smaller. The text is plain: what looks like markup is shown. The work is bounded, however long the text is.
 */
export function drawCaption({ text, spoken }: DrawnCaption, strip: CaptionStrip, font: FontMetrics): string {
  const { width, height, look, white } = strip
  const middle = (strip.left + width - strip.right) / 2
  const { lines, size } = fitText(text, strip, font)
  const isLeftward = firstStrong.exec(text)?.[1] !== undefined
  const step = size * lineHeight
  const free = height - lines.length * step
  const first = { bottom: free, middle: free / 2, top: 0 }[look.position]
  const { boxColour = '#000000' } = look
  const [colour, highlight, box] = [look.colour, look.highlightColour, boxColour].map((each) => shade(each, white))
  const isBoxed = look.style === 'boxed'
  const outline = ` stroke="black" stroke-width="${px(size / 6)}" stroke-linejoin="round" paint-order="stroke"`
  const drawn = lines.map(({ words, first: firstWord, width: lineWidth }, index) => {
    const baseline = first + (index + 1) * step - step * 0.4
    const left = middle - (lineWidth * size) / 2
    const at = (spoken ?? -1) - firstWord
    const word = words[at]
    const order = inSight(words, isLeftward)
    const before = order
      .slice(0, order.indexOf(at))
      .map((place) => `${words[place]} `)
      .join('')
    const boxes = [
      ...(isBoxed
        ? [boxAround({ left, across: lineWidth * size }, baseline, size, `fill="${box}" fill-opacity="0.7"`)]
        : []),
      ...(word !== undefined && look.style === 'highlight_box'
        ? [
            boxAround(
              { left: left + font.widthOf(before) * size, across: font.widthOf(word) * size },
              baseline,
              size,
              `fill="${highlight}" rx="${px(size / 6)}"`,
            ),
          ]
        : []),
    ]
    const spans = words.map((each, place) => {
      const shown = escapeMarkup(each)
      return place === at && look.style === 'highlight' ? `<tspan fill="${highlight}">${shown}</tspan>` : shown
    })
    return `${boxes.join('')}<text x="${px(middle)}" y="${px(baseline)}" fill="${colour}"${isBoxed ? '' : outline}>${directed(spans.join(' '), isLeftward)}</text>`
  })
  const attributes = `font-family="${fontFamily}" font-weight="bold" font-size="${px(size)}" text-anchor="middle"`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g ${attributes}>${drawn.join('')}</g></svg>`
}

const leftwardLetter =
  '[[\\p{scx=Hebr}\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Thaa}\\p{scx=Nkoo}\\p{scx=Mand}\\p{scx=Adlm}\\p{scx=Rohg}]&&\\p{L}]'
/** The letter that decides the direction of a text (Unicode Standard Annex #9, P2), captured if it is read from right to left. */
const firstStrong = new RegExp(`(${leftwardLetter})|\\p{L}`, 'v')

/** The renderer begins every line at the left, unless the text says otherwise by its characters. */
function directed(text: string, isLeftward: boolean): string {
  return isLeftward ? `\u{202B}${text}\u{202C}` : text
}

/** The places of the words from left to right, as the renderer writes them: those without letters go with the one before. */
function inSight(words: readonly string[], isLeftward: boolean): number[] {
  const runs: { readonly isLeftward: boolean; readonly places: number[] }[] = []
  for (const [place, word] of words.entries()) {
    const [letter, leftward] = firstStrong.exec(word) ?? []
    const last = runs.at(-1)
    const direction = letter === undefined ? (last?.isLeftward ?? isLeftward) : leftward !== undefined
    if (last?.isLeftward === direction) last.places.push(place)
    else runs.push({ isLeftward: direction, places: [place] })
  }
  const shown = runs.map((run) => (run.isLeftward ? run.places.toReversed() : run.places))
  return (isLeftward ? shown.toReversed() : shown).flat()
}

/** The colour `#rrggbb` where white has this brightness. */
function shade(colour: string, white: number): string {
  const parts = [1, 3, 5].map((at) => Math.round((Number.parseInt(colour.slice(at, at + 2), 16) * white) / 255))
  return `rgb(${parts.join(',')})`
}

function px(length: number): string {
  return length.toFixed(2)
}

interface Span {
  readonly left: number
  readonly across: number
}

function boxAround({ left, across }: Span, baseline: number, size: number, look: string): string {
  const [x, y, width] = [left - size * aroundText, baseline - size * 0.95, across + size * 2 * aroundText]
  return `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(size * lineHeight)}" ${look}/>`
}

interface Line {
  readonly words: readonly string[]
  /** The index of its first word in the text. */
  readonly first: number
  /** In parts of the font size. */
  readonly width: number
}

/** The largest size at which the text fits into the strip. A text that fits at none loses its end. */
function fitText(text: string, strip: CaptionStrip, font: FontMetrics) {
  const words = oneLine(removeHidden(text.slice(0, maxDrawnCharacters))).split(' ')
  const measured = words.map((word, first): Line => ({ words: [word], first, width: font.widthOf(word) }))
  const space = font.widthOf(' ')
  const isBounded = strip.look.safeArea !== undefined || strip.look.margins !== undefined
  for (let size = strip.fontSize; ; size *= 0.85) {
    const inside = (strip.width - strip.left - strip.right) / size - (isBounded ? 2 * aroundText : 0)
    const room = Math.floor(strip.height / (size * lineHeight))
    const longest = Math.min(inside, charactersPerLine * characterWidth)
    const unit = size < strip.fontSize * leastWholeWords ? 'grapheme' : 'word'
    const pieces = measured.flatMap((word) => (word.width > longest ? piecesOf(word, unit, font) : [word]))
    const lines = wrap(pieces, space, { longest, room })
    const isWide = lines.some(({ width }) => width > inside)
    if ((lines.length <= room && !isWide) || size < strip.fontSize / 4) return { lines: lines.slice(0, room), size }
  }
}

/** Words that are too long are written smaller before they are broken anywhere, to this part of the size. */
const leastWholeWords = 0.5

/** A word in pieces that lines can break between, such as the words of a Chinese sentence. */
function piecesOf({ words, first }: Line, granularity: 'word' | 'grapheme', font: FontMetrics): Line[] {
  const pieces: string[] = []
  for (const { segment } of new Intl.Segmenter('en', { granularity }).segment(words.join(' '))) {
    const last = pieces.at(-1)
    // No line begins with a comma or ends with an opening bracket.
    const isBound = /^(?![\p{Ps}\p{Pi}])\p{P}/u.test(segment) || /[\p{Ps}\p{Pi}]$/u.test(last ?? '')
    if (last !== undefined && granularity === 'word' && isBound) pieces[pieces.length - 1] = last + segment
    else pieces.push(segment)
  }
  return pieces.map((piece) => ({ words: [piece], first, width: font.widthOf(piece) }))
}

/** Stops at the line after the room, which shows that the words need more. */
function wrap(pieces: readonly Line[], space: number, to: { readonly longest: number; readonly room: number }): Line[] {
  const lines: Line[] = []
  for (const piece of pieces) {
    const last = lines.at(-1)
    const isSameWord = last && last.first + last.words.length > piece.first
    const width = last ? last.width + (isSameWord ? 0 : space) + piece.width : 0
    if (last && width <= to.longest) lines[lines.length - 1] = { ...last, words: joined(last, piece), width }
    else if (lines.length > to.room) return lines
    else lines.push(piece)
  }
  return lines
}

/** A piece of the last word of the line is written behind it, without a space. */
function joined(line: Line, piece: Line): string[] {
  const whole = line.words.slice(0, piece.first - line.first)
  const begun = line.words.slice(whole.length)
  return [...whole, [...begun, ...piece.words].join('')]
}
