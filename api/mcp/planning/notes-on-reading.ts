import { parseTimeCode } from '../../../src/core/time-code.ts'
import { endpoints } from '../../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import { ofMediaSeconds } from '../../../src/goals/goal-times.ts'
import { namesSeveralMedia } from '../../../src/goals/marks.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'

// What a plan says where the goal expects more than its calls do.

/** That edges of clips know pauses, and no sentences. */
export function notesOnSentences({ text }: ReadGoal, { id }: Endpoint): string[] {
  const isAboutSpeech =
    /\b(?:mid|middle of (?:an?|the))[ -](?:sentence|word|thought)|\bcut(?:s|ting)? (?:\w+ ){1,3}off\b|\b(?:whole|full|complete|finish(?:es|ed)?(?: (?:his|her|the|their))?) sentences?\b/
  return id === 'video/clip-near' && isAboutSpeech.test(text)
    ? ['The edges go to quiet points and pauses in speech, and not to the ends of sentences.']
    : []
}

/** That loudness is all that is measured. */
export function notesOnCheers({ text }: ReadGoal, steps: readonly string[]): string[] {
  const isAboutSounds = /\b(?:cheer|applau|clap|shout|scream|crowd|exciting)/
  return steps.includes('audio/detect-energy') && isAboutSounds.test(text)
    ? ['audio/detect-energy finds what is loud, whatever the sound: it does not tell cheers from speech or music.']
    : []
}

/** Names each text that the goal uses as a time although it is not one, such as "00:90". */
export function notesOnTimes({ times, windows }: ReadGoal): string[] {
  const named = [...times, ...windows.flatMap(({ start, end }) => [start, end])]
  return named
    .filter((time) => !time.startsWith(ofMediaSeconds) && !isTime(time))
    .map((time) => `${time} is not a time: seconds after a colon go to 59, and so do minutes after hours. Correct it.`)
}

function isTime(time: string): boolean {
  try {
    parseTimeCode(time)
    return true
  } catch {
    return false
  }
}

const searchable = ['audio/find-words', 'audio/semantic-chunks', 'video/text-frames']

/** That a job reads one file, where the goal names several. */
export function notesOnLibrary({ text, quoted, sought }: ReadGoal, steps: readonly string[]): string[] {
  const read = endpoints.filter((each) => steps.includes(each.id) && each.readsMedia)
  if (read.length === 0 || !namesSeveralMedia(text)) return []
  const isSearch = quoted.length + sought.length > 0 && searchable.some((id) => steps.includes(id))
  return [
    'The plan is for one file: repeat it for each.',
    ...(isSearch ? ['After that, svc.list_jobs with the words in query searches all of them.'] : []),
  ]
}
