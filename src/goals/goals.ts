// What people call the work of endpoints and chains, and how a goal in words finds it.

/**
 * A text matches a goal if, for each list, it has a word that begins with one of the list's entries. `<time>` stands for a
 * time, `<window>` for a start and an end; marks.ts lists the other marks.
 */
export type Goal = readonly (readonly string[])[]

/** What goals are compared with: the words of a text, each between spaces. */
export interface GoalWords {
  readonly words: string
}

/** Marks that say more than a word. */
const specificMarks = ['<time>', '<split>', '<parts>', '<pictures>', '<library>', '<captioned>']

/** The number of lists of the most specific goal that the words match, where such a mark counts twice; 0 if they match none. */
export function matchOf({ words }: GoalWords, goals: readonly Goal[]): number {
  const matching = goals.filter((goal) => goal.every((list) => list.some((word) => hasWord(words, word))))
  const marks = specificMarks.filter((mark) => hasWord(words, mark))
  return Math.max(
    0,
    ...matching.map((goal) => goal.length + (marks.some((mark) => goal.flat().includes(mark)) ? 1 : 0)),
  )
}

/** Whether one of the words begins with `word`, or is it if `word` ends with a space. */
function hasWord(words: string, word: string): boolean {
  return words.includes(` ${word}`)
}
