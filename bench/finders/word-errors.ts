/** The words of a text for a comparison: lower case, without marks, numbers in digits written out, hyphens as spaces. */
export function comparedWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/\d+/g, (digits) => ` ${numberWords(Number(digits))} `)
    .replaceAll(/[^a-z]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => sameWords[word] ?? word)
}

/** Spellings of one word. */
const sameWords: Readonly<Record<string, string>> = { ok: 'okay', mr: 'mister', mrs: 'missus', dr: 'doctor' }

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function numberWords(value: number): string {
  if (value < 20) return ones[value] ?? ''
  if (value < 100) return `${tens[Math.floor(value / 10) - 2]}${value % 10 ? ` ${ones[value % 10]}` : ''}`
  if (value < 1_000)
    return `${ones[Math.floor(value / 100)]} hundred${value % 100 ? ` ${numberWords(value % 100)}` : ''}`
  return `${numberWords(Math.floor(value / 1_000))} thousand${value % 1_000 ? ` ${numberWords(value % 1_000)}` : ''}`
}

export interface WordAlignment {
  /** Substitutions, insertions and deletions. */
  readonly errors: number
  /** For each true word, the index of the equal word heard. */
  readonly heardAt: readonly (number | undefined)[]
}

/** The fewest changes that make the words heard of the true ones. */
export function alignWords(truth: readonly string[], heard: readonly string[]): WordAlignment {
  const costs = changeCosts(truth, heard)
  const cost = (row: number, column: number) => costs[row]?.[column] ?? 0
  const heardAt: (number | undefined)[] = truth.map(() => undefined)
  for (let [row, column] = [truth.length, heard.length]; row > 0 && column > 0; ) {
    const isEqual = truth[row - 1] === heard[column - 1]
    const isPair = cost(row, column) === cost(row - 1, column - 1) + (isEqual ? 0 : 1)
    const isMissing = cost(row, column) === cost(row - 1, column) + 1
    if (isPair && isEqual) heardAt[row - 1] = column - 1
    if (isPair || isMissing) row -= 1
    if (isPair || !isMissing) column -= 1
  }
  return { errors: cost(truth.length, heard.length), heardAt }
}

/** The changes that each number of first words takes. */
function changeCosts(truth: readonly string[], heard: readonly string[]): number[][] {
  const rows = [[0, ...heard.map((_, column) => column + 1)]]
  for (const [index, word] of truth.entries()) {
    const [before = [], row] = [rows[index], [index + 1]]
    for (const [column, other] of heard.entries()) {
      const pair = (before[column] ?? 0) + (word === other ? 0 : 1)
      row.push(Math.min(pair, (before[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1))
    }
    rows.push(row)
  }
  return rows
}
