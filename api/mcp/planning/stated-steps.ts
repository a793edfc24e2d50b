import { z } from 'zod'
import type { Chain } from '../../../src/chains/chains.ts'
import type { StepSettings } from '../../../src/chains/earlier-jobs.ts'
import { pausePresets } from '../../../src/endpoints/timeline-suggest-ranges/pauses.ts'
import { longestPauseIn } from '../../../src/goals/goal-lengths.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'
import { fillerWords, wordCutGoals } from '../../../src/goals/words.ts'
import { joinsFound, reachOfFound } from './joined-clips.ts'
import { placeholders } from './placeholders.ts'
import { clipSettingsIn } from './stated-clip-settings.ts'
import { cropsIn, queriesIn, rankedFramesIn, silencesIn } from './stated-settings.ts'

// What a goal in words states about the steps of a chain.

type Settings = Readonly<Record<string, unknown>>

/** The settings of a chain's steps that the goal states: the words to find, those of its clips, and how much of pauses stays. */
export function stepSettingsIn(goal: ReadGoal, { steps }: Chain): StepSettings {
  const clips = clipSettingsIn(goal)
  // A chain that transcribes has captions of its own transcript.
  const own = z.object({ captions: z.object({ as: z.string(), style: z.string().optional() }) }).safeParse(clips).data
  const transcribes = steps.includes('audio/find-words')
  const ofClips = { ...clips, ...(transcribes ? own : {}) }
  const stated: StepSettings = {
    'audio/detect-silence': silencesIn(goal),
    ...wordsIn(goal, steps),
    'video/best-frames': rankedFramesIn(goal),
    'video/thumbnail-score': cropsIn(goal.text),
    'video/clip-window': ofClips,
    'video/clip-near': { ...reachOfFound(goal), ...ofClips, ...(joinsFound(goal) ? { join: true } : {}) },
  }
  const isStated = ([id, settings]: [string, object]) => steps.includes(id) && Object.keys(settings).length > 0
  return Object.fromEntries(Object.entries(stated).filter(isStated))
}

/** What a chain does with the words of the goal: phrases are found, or cut, and others say how much of pauses stays. */
function wordsIn(goal: ReadGoal, steps: readonly string[]): StepSettings {
  const pauses = steps.includes('audio/detect-silence') ? pausesIn(goal) : {}
  const transcribes = steps.includes('audio/find-words')
  if (steps.includes('timeline/suggest-ranges')) {
    return { 'timeline/suggest-ranges': { ...pauses, ...(transcribes ? cutsIn(goal) : {}) } }
  }
  return transcribes ? { 'audio/find-words': queriesIn(goal, true) } : {}
}

function pausesIn({ text }: ReadGoal): Settings {
  const preset = Object.keys(pausePresets).find((name) => nameOrAdverb(name).test(text))
  const seconds = longestPauseIn(text)
  return { ...(preset ? { preset } : {}), ...(seconds === undefined ? {} : { max_pause_seconds: seconds }) }
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
  return namesWords ? { remove_words: sought.length > 0 ? sought : [placeholders.cut] } : {}
}
