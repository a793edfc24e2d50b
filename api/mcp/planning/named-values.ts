import { mediaFormats } from '../../../src/core/media.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { placeholders } from './placeholders.ts'
import type { PlannedCall } from './tool-calls.ts'

// What a goal names as it is written: a file, an id, words, an amount.

const fileName = new RegExp(String.raw`[\p{L}\p{N}][\p{L}\p{N}_.-]{0,200}\.(?:${mediaFormats.join('|')})\b`, 'iu')
const jobId = /\b(?:job|run)_[a-zA-Z0-9]{24}\b/
const amount =
  /(?:\$|usd|dollars?) ?(\d{1,6}(?:\.\d{1,2})?)\b|\b(\d{1,6}(?:\.\d{1,2})?) ?(?:\$|usd|dollars?|(?:an?|per|each) month)/i

/** The calls of new work with the file that the goal names. Their job has no id yet. */
export function withNamedFile(goal: string, calls: readonly PlannedCall[]): PlannedCall[] {
  return calls.map((call) => withValues(call, { [placeholders.file]: fileName.exec(goal)?.[0] }))
}

/** A call about what the account has, with the job, the words or the amount that the goal names. */
export function withNamedValues({ written, text, quoted, sought }: ReadGoal, call: PlannedCall): PlannedCall {
  const [, after, before] = amount.exec(written) ?? amount.exec(text) ?? []
  const usd = after ?? before
  return withValues(call, {
    [placeholders.job]: jobId.exec(written)?.[0],
    [placeholders.phrase]: searchFor(quoted.length > 0 ? quoted : sought),
    [placeholders.amount]: usd === undefined ? undefined : Number(usd),
  })
}

/** As `query` of svc.list_jobs takes it. */
function searchFor(phrases: readonly string[]): string | undefined {
  if (phrases.length < 2) return phrases[0]
  return phrases.map((words) => (words.includes(' ') ? `"${words}"` : words)).join(' OR ')
}

/** The call with values in place of placeholders. */
export function withValues(
  call: PlannedCall,
  values: Readonly<Record<string, string | number | undefined>>,
): PlannedCall {
  const filled = Object.entries(call.arguments).map(([field, value]): [string, unknown] => [
    field,
    (typeof value === 'string' ? values[value] : undefined) ?? value,
  ])
  return { ...call, arguments: Object.fromEntries(filled) }
}
