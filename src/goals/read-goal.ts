import { type FoundTimes, findTimes } from './goal-times.ts'
import type { GoalWords } from './goals.ts'
import { markFiles } from './joined-files.ts'
import { markWork } from './marks.ts'
import { markShapes } from './shapes.ts'
import { type FoundPhrases, findSoughtPhrases, markQuotes } from './spoken-phrases.ts'
import { withUnits } from './units.ts'

/**
 * A goal whose text is in lower case, with its numbers and lengths in one form, `<time>` and `<window>` in place of its
 * times, `<quoted>` of what it quotes, and such as `<9x16>` of its ratios.
 */
export interface ReadGoal extends FoundTimes, FoundPhrases, GoalWords {
  /** As the caller wrote it. */
  readonly written: string
}

export function readGoal(goal: string): ReadGoal {
  const found = findTimes(markFiles(withUnits(markShapes(markQuotes(goal).toLowerCase()))))
  return withText({ ...found, ...findSoughtPhrases(goal), words: '', written: goal }, markWork(found.text))
}

/** The goal with another text. */
export function withText(goal: ReadGoal, text: string): ReadGoal {
  return { ...goal, text, words: spaced(text) }
}

/** The goal without the words that begin with one of the entries. */
export function withoutWords(goal: ReadGoal, words: readonly string[]): ReadGoal {
  const text = words.reduce((rest, word) => rest.replaceAll(new RegExp(` ${word}[^ ]*`, 'g'), ' '), goal.words)
  return withText(goal, text)
}

function spaced(text: string): string {
  return ` ${text.replaceAll(/[^\p{L}\p{N}<>'-]+/gu, ' ')} `
}
