import leven from 'leven'
import type { TextLine } from '../../models/read-text/text-lines.ts'

/** Of the picture's width and height: a line that moves further between two readings, such as in quick credits, counts as another. */
const maxMove = 0.25
/** A model reads one letter in this many differently in the next frame. Digits that differ are another text: clocks and scores change. */
const lettersPerMisreading = 6

/** Whether both are one line of text on the screen, read twice. */
export function isSameLine(one: Omit<TextLine, 'confidence'>, other: Omit<TextLine, 'confidence'>): boolean {
  return moveBetween(one, other) <= maxMove && isSameText(one.text, other.text)
}

/** The distance of the middles, in shares of the picture. */
export function moveBetween({ box: one }: Pick<TextLine, 'box'>, { box: other }: Pick<TextLine, 'box'>): number {
  const across = one.x + one.width / 2 - other.x - other.width / 2
  const down = one.y + one.height / 2 - other.y - other.height / 2
  return Math.hypot(across, down)
}

/** Whether both pictures show the same lines. */
export function showSameLines(ones: readonly TextLine[], others: readonly TextLine[]): boolean {
  const isIn = (line: TextLine, lines: readonly TextLine[]) => lines.some((each) => isSameLine(line, each))
  return (
    ones.length === others.length &&
    ones.every((line) => isIn(line, others)) &&
    others.every((line) => isIn(line, ones))
  )
}

function isSameText(one: string, other: string): boolean {
  const [first, second] = [comparable(one), comparable(other)]
  if (first === second) return first !== '' || one === other
  if (digitsOf(first) !== digitsOf(second)) return false
  return leven(first, second) <= Math.floor(Math.min(first.length, second.length) / lettersPerMisreading)
}

/** Without case, spaces and punctuation, which models miss most easily. */
function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function digitsOf(text: string): string {
  return text.replaceAll(/\P{N}/gu, '')
}
