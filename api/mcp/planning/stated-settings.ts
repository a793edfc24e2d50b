import { z } from 'zod'
import type { Chain } from '../../../src/chains/chains.ts'
import type { StepSettings } from '../../../src/chains/dead-space.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import { pausePresets } from '../../../src/endpoints/timeline-suggest-ranges/pauses.ts'
import { shortestPauseIn } from '../../../src/goals/goal-times.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { fillerWords, joinWords, silenceWords, transcriptWords, wordCutGoals } from '../../../src/goals/words.ts'
import { placeholders } from './placeholders.ts'
import { clipNearIn, clipSettingsIn, clipWindowIn } from './stated-clip.ts'
import type { WantedJob } from './tool-calls.ts'

// What a goal in words states about a request: times, and settings.

type Settings = Readonly<Record<string, unknown>>

/** The parts of a job's request that the goal states. */
export function wantedBy(endpoint: Endpoint, goal: ReadGoal): WantedJob {
  const { id } = endpoint
  if (id === 'audio/find-words') return { ...onlyWindowIn(goal), settings: queriesIn(goal, searchesSpeech(goal)) }
  if (id === 'video/text-frames') return { ...onlyWindowIn(goal), settings: queriesIn(goal, false) }
  // Without a length, a chunk is a topic.
  if (id === 'audio/semantic-chunks') return { ...onlyWindowIn(goal), settings: {} }
  if (id === 'video/thumbnail-score') return goal.times.length > 0 ? { settings: { times: goal.times } } : {}
  if (id === 'video/clip-near') return clipNearIn(goal)
  if (id === 'video/clip-window') return clipWindowIn(goal)
  if (id === 'audio/detect-silence') return { ...onlyWindowIn(goal), ...withSettings(silencesIn(goal)) }
  return endpoint.stage === 'live' && endpoint.readsMedia ? onlyWindowIn(goal) : {}
}

function withSettings(settings: Settings): WantedJob {
  return Object.keys(settings).length > 0 ? { settings } : {}
}

function onlyWindowIn({ windows }: ReadGoal): WantedJob {
  return windows.length === 1 ? { ...windows[0] } : {}
}

/** The phrases that the goal names. Without any, and without a search, the result is all that is said or shown. */
function queriesIn({ quoted, sought }: ReadGoal, isSearch: boolean): Settings {
  if (quoted.length > 0) return { queries: quoted }
  return isSearch ? { queries: [sought ?? placeholders.phrase] } : {}
}

/** Whether the goal looks for a phrase, and not for the whole transcript, or for that of a window. */
function searchesSpeech(goal: ReadGoal): boolean {
  return matchOf(goal, [[transcriptWords]]) === 0 && (goal.windows.length === 0 || goal.sought !== undefined)
}

function silencesIn(goal: ReadGoal): Settings {
  const seconds = matchOf(goal, [[silenceWords]]) > 0 ? shortestPauseIn(goal.text) : undefined
  return seconds === undefined ? {} : { min_silence_seconds: seconds }
}

/** The settings of a chain's steps that the goal states: the words to find, those of its clips, and how much of pauses stays. */
export function stepSettingsIn(goal: ReadGoal, { steps }: Chain): StepSettings {
  const clips = clipSettingsIn(goal)
  // A chain that transcribes has captions of its own transcript.
  const own = z.object({ captions: z.object({ as: z.string() }) }).safeParse(clips).data
  const transcribes = steps.includes('audio/find-words')
  const ofClips = { ...clips, ...(transcribes ? own : {}) }
  const stated: StepSettings = {
    'audio/detect-silence': silencesIn(goal),
    ...wordsIn(goal, steps),
    'video/clip-window': ofClips,
    'video/clip-near': { ...ofClips, ...(matchOf(goal, [[joinWords]]) > 0 ? { join: true } : {}) },
  }
  const isStated = ([id, settings]: [string, object]) => steps.includes(id) && Object.keys(settings).length > 0
  return Object.fromEntries(Object.entries(stated).filter(isStated))
}

/** What a chain does with the words of the goal: phrases are found, or cut, and others say how much of pauses stays. */
function wordsIn(goal: ReadGoal, steps: readonly string[]): StepSettings {
  const preset = Object.keys(pausePresets).find((name) => nameOrAdverb(name).test(goal.text))
  const pauses = preset && steps.includes('audio/detect-silence') ? { preset } : {}
  const transcribes = steps.includes('audio/find-words')
  if (steps.includes('timeline/suggest-ranges')) {
    return { 'timeline/suggest-ranges': { ...pauses, ...(transcribes ? cutsIn(goal) : {}) } }
  }
  return transcribes ? { 'audio/find-words': queriesIn(goal, true) } : {}
}

/** `tight` and `tightly`, `gentle` and `gently`. */
function nameOrAdverb(name: string): RegExp {
  return new RegExp(`\\b(${name}(ly)?|${name.replace(/e$/, 'y')})\\b`)
}

const scriptWords = /\b(script|(best|last|final|good|bad|several|multiple) takes?)\b/

/** Of several takes, those of a script stay; otherwise the phrases are cut. */
function cutsIn(goal: ReadGoal): Settings {
  const { text, quoted, sought } = goal
  if (scriptWords.test(text)) return { keep_text: quoted.length === 0 ? placeholders.script : quoted.join(' ') }
  if (quoted.length > 0) return { remove_words: quoted }
  const namesWords = matchOf(goal, wordCutGoals) > 0 && matchOf(goal, [[fillerWords]]) === 0
  return namesWords ? { remove_words: [sought ?? placeholders.cut] } : {}
}
