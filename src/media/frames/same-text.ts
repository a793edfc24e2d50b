import leven from 'leven'
import { normalForm } from '../../core/text.ts'
import { startTurns } from '../../core/turns.ts'
import type { TextLine } from '../../models/read-text/text-lines.ts'

/** Of the picture's width and height: a line that moves further between two readings, such as in quick credits, counts as another. */
const maxMove = 0.25
/** A model reads one letter in this many differently in the next frame. Digits that differ are another text: clocks and scores change. */
const lettersPerMisreading = 6

/** Whether both are one line of text on the screen, read twice. */
export function isSameLine(one: Omit<TextLine, 'confidence'>, other: Omit<TextLine, 'confidence'>): boolean {
  return moveBetween(one, other) <= maxMove && (one.text === other.text || isSameText(formOf(one), formOf(other)))
}

/** The distance of the middles, in shares of the picture. */
export function moveBetween({ box: one }: Pick<TextLine, 'box'>, { box: other }: Pick<TextLine, 'box'>): number {
  const across = one.x + one.width / 2 - other.x - other.width / 2
  const down = one.y + one.height / 2 - other.y - other.height / 2
  return Math.hypot(across, down)
}

/** Whether both pictures show the same lines. */
export async function showSameLines(ones: readonly TextLine[], others: readonly TextLine[]): Promise<boolean> {
  return ones.length === others.length && (await areAllIn(ones, others)) && areAllIn(others, ones)
}

async function areAllIn(lines: readonly TextLine[], others: readonly TextLine[]): Promise<boolean> {
  const turns = startTurns()
  for (const line of lines) {
    if (!others.some((other) => isSameLine(line, other))) return false
    if (turns.isDue()) await turns.next()
  }
  return true
}

/** What is compared of a text. */
interface TextForm {
  /** Without case, spaces and punctuation, which models miss most easily. */
  readonly letters: string
  readonly digits: string
}

/** A line is compared with hundreds of others. */
const forms = new WeakMap<object, TextForm>()

function formOf(line: Pick<TextLine, 'text'>): TextForm {
  const known = forms.get(line)
  if (known) return known
  const letters = normalForm(line.text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  const form = { letters, digits: letters.replaceAll(/\P{N}/gu, '') }
  forms.set(line, form)
  return form
}

function isSameText({ letters: one, digits }: TextForm, { letters: other, digits: otherDigits }: TextForm): boolean {
  if (one === other) return one !== ''
  const most = Math.floor(Math.min(one.length, other.length) / lettersPerMisreading)
  if (digits !== otherDigits || Math.abs(one.length - other.length) > most) return false
  return leven(one, other, { maxDistance: most + 1 }) <= most
}
