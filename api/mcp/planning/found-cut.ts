import { type Chain, chains } from '../../../src/chains/chains.ts'
import { findEndpointWith, liveEndpoint } from '../../../src/endpoints/catalog.ts'
import type { Endpoint, LiveEndpoint } from '../../../src/endpoints/define-endpoint.ts'
import { asksForTop, numberOf } from '../../../src/goals/goal-lengths.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { clipsWords, endWords, silenceWords, transcriptWords } from '../../../src/goals/words.ts'
import type { ModelName } from '../../../src/models/models.ts'
import { asksForCut, asksForFile, exportWords } from './asks-for-file.ts'
import { joinsFound, reachOfFound } from './joined-clips.ts'
import { placeholdersOf } from './placeholders.ts'
import { cuts } from './plan-notes.ts'
import { removesIn } from './removes-in.ts'
import { isEach } from './stated-clip.ts'
import { clipSettingsIn } from './stated-clip-settings.ts'
import type { WantedJob } from './tool-calls.ts'

/** A job that finds, and the clip of what it finds. */
export interface FoundCut {
  readonly finder: LiveEndpoint
  readonly clip: LiveEndpoint
  readonly wanted: WantedJob
  readonly notes: readonly string[]
}

/** The clip of the segments that an endpoint finds, if the goal asks for it. */
export function cutOfFound(finder: Endpoint, goal: ReadGoal): FoundCut | undefined {
  if (finder.stage !== 'live' || !finder.readsMedia || cuts(finder) || !('segments' in finder.result.shape))
    return undefined
  const settings = clipSettingsIn(goal)
  // Subtitles, chapters and lists are text, unless the goal also names the format of a clip.
  const namesFile = 'format' in settings || matchOf(goal, [[ownFiles]]) > 0
  const isCut = namesFile ? asksForFile(goal) : asksForCut(goal) && !isAboutText(finder, goal)
  if (!isCut) return undefined
  if (isMoment(finder) && !removesIn(goal.text)) return cutAround(finder, goal)
  const wanted = finder.id === 'audio/detect-silence' ? soundsOf(finder, goal) : { settings: rangesOf(finder, goal) }
  if (!wanted) return undefined
  const clip = { ...wanted, settings: { ...wanted.settings, ...settings } }
  return { finder, clip: liveEndpoint('video/clip-window'), wanted: clip, notes: notesOnChoice(finder, goal) }
}

/** What people call a file of each part. */
const ownFiles = ['file', 'video', 'clip'].flatMap((file) => [`own ${file}`, `separate ${file}`, `as ${file}s`])

/** Whether chains cut clips around what it finds, because that is shorter than a clip. */
function isMoment({ id }: LiveEndpoint): boolean {
  return chains.some(({ steps }) => steps[0] === id && steps.includes('video/clip-near'))
}

/** The clips around some of what the first endpoint of a chain finds, or the media without it. The chain itself makes a clip of each. */
export function cutOfSome(chain: Chain, goal: ReadGoal, models: ReadonlySet<ModelName>): FoundCut | undefined {
  const finder = findEndpointWith(models, chain.steps[0] ?? '')
  if (!chain.steps.includes('video/clip-near') || finder?.stage !== 'live') return undefined
  // The chain clean-speech cuts words out.
  if (removesIn(goal.text) && finder.id !== 'audio/find-words') return cutOfFound(finder, goal)
  return numberAskedFor(finder, goal) === undefined ? undefined : cutAround(finder, goal)
}

function cutAround(finder: LiveEndpoint, goal: ReadGoal): FoundCut {
  const join = joinsFound(goal) && numberAskedFor(finder, goal) !== 1 ? { join: true } : {}
  const moments = placeholdersOf.times(finder.id)
  const settings = { moments, ...join, ...reachOfFound(goal), ...clipSettingsIn(goal) }
  return { finder, clip: liveEndpoint('video/clip-near'), wanted: { settings }, notes: notesOnChoice(finder, goal) }
}

function isAboutText({ id }: LiveEndpoint, goal: ReadGoal): boolean {
  const textWords = id === 'audio/find-words' ? [...exportWords, ...transcriptWords] : exportWords
  return matchOf(goal, [[textWords]]) > 0
}

/** Its segments are the sounds between the silences: files of them, or all of the media but its silent ends. */
function soundsOf({ id }: LiveEndpoint, goal: ReadGoal): WantedJob | undefined {
  if (/\b(split|divide|chop|break|cut (?:it |them )?(?:at|on))\b/.test(goal.text))
    return { settings: { ranges: placeholdersOf.segments(id), join: false } }
  if (matchOf(goal, [[silenceWords, endWords]]) === 0) return undefined
  const atStart = /\b(start|beginning|leading)\b/.test(goal.text)
  const atEnd = /\b(end|trailing)\b/.test(goal.text)
  const start = atStart || !atEnd ? placeholdersOf.firstStart(id) : '0'
  const end = atEnd || !atStart ? placeholdersOf.lastEnd(id) : ''
  return { start, end }
}

function rangesOf({ id }: LiveEndpoint, goal: ReadGoal): Readonly<Record<string, unknown>> {
  const ranges = placeholdersOf.segments(id)
  if (removesIn(goal.text)) return { ranges, ranges_mode: 'remove' }
  const isSeveral = isEach(goal.text) || matchOf(goal, [[['split', 'divide', 'files', ...clipsWords]]]) > 0
  const isJoined = joinsFound(goal) && !/\b(per|for each|for every|own|separate)\b/.test(goal.text)
  return { ranges, ...(isSeveral && !isJoined ? { join: false } : {}) }
}

const countedThings = [
  'clip',
  'laugh',
  'joke',
  'moment',
  'highlight',
  'short',
  'reel',
  'video',
  'snippet',
  'quote',
  'bit',
]

/** Of laughter, the funniest one is the best. */
function numberAskedFor({ id }: LiveEndpoint, { text }: ReadGoal): number | undefined {
  const isOne = id === 'audio/detect-laughter' && asksForTop(text, countedThings)
  return numberOf(text, countedThings) ?? (isOne ? 1 : undefined)
}

/** Who chooses among what was found. */
function notesOnChoice(finder: LiveEndpoint, goal: ReadGoal): string[] {
  const { id } = finder
  // It has a setting for the number.
  if (id === 'audio/detect-energy') return []
  if (id === 'audio/find-words' && removesIn(goal.text))
    return ['The segments are the words alone: extend them to what is said around them.']
  const number = numberAskedFor(finder, goal)
  const isTopics = id === 'audio/semantic-chunks' && matchOf(goal, [[clipsWords]]) > 0
  if (number === undefined && !isTopics) return []
  return [
    `Choose ${number ?? 'some'} of what was found.`,
    ...(isTopics ? ['settings.target_seconds is about the longest clip: change it to what the user wants.'] : []),
    ...(id === 'audio/detect-laughter'
      ? ['The score of a segment says how surely it is laughter: the highest ones are the first to look at.']
      : []),
    'There is no endpoint that judges which moments are the best.',
  ]
}
