import { type Chain, chains } from '../../../src/chains/chains.ts'
import { endpoints } from '../../../src/endpoints/catalog.ts'
import type { Endpoint } from '../../../src/endpoints/define-endpoint.ts'
import { exportListNames } from '../../../src/exports/export-entries.ts'
import {
  annotationFormatNames,
  type ExportFormatName,
  exportFormatNames,
  exportFormats,
} from '../../../src/exports/export-formats.ts'
import { matchOf } from '../../../src/goals/goals.ts'
import { otherLanguages } from '../../../src/goals/languages.ts'
import { type ReadGoal, withoutWords } from '../../../src/goals/read-goal.ts'
import { findWords, sayingWords, transcriptWords } from '../../../src/goals/words.ts'

// What a plan says beside its calls.

/** What is said in another language is transcribed wrong. */
export function notesOnLanguage(goal: ReadGoal, steps: readonly string[]): string[] {
  const transcribes = endpointsIn(steps).some(
    (endpoint) => endpoint.stage === 'live' && endpoint.readsMedia && endpoint.models.includes('transcribe'),
  )
  if (!transcribes || matchOf(goal, [[otherLanguages]]) === 0) return []
  return ['Only English speech is transcribed: other languages give wrong words, which are charged too.']
}

/** That a search looks in speech alone, and for each of several words. */
export function notesOnQueries({ text, quoted, sought, words }: ReadGoal, steps: readonly string[]): string[] {
  if (!steps.includes('audio/find-words') || steps.includes('timeline/suggest-ranges')) return []
  const isOpen = quoted.length > 0 && matchOf({ words: words.replaceAll(' <quoted> ', ' ') }, [[spokenWords]]) === 0
  return [
    ...(isOpen
      ? ['audio/find-words looks for what is said. video/text-frames takes the same queries for text on the screen.']
      : []),
    ...(quoted.length === 0 && sought.length > 1 && /\band\b/.test(text)
      ? ['Each query is found by itself. For a phrase with "and", send it as one query.']
      : []),
  ]
}

const spokenWords = [...sayingWords.filter((word) => word !== '<quoted>'), ...transcriptWords, 'talk', 'speak', 'spoke']

/** That other endpoints find what the goal asks for beside that. */
export function notesOnFinders(goal: ReadGoal, endpoint: Endpoint): string[] {
  if (!hasSegments(endpoint) || !/\b(and|or|plus|also)\b/.test(goal.text)) return []
  const sought = goal.sought.flatMap((phrase) => phrase.toLowerCase().split(' '))
  const found = endpoint.goals.flat(2).filter((word) => !findWords.includes(word))
  const rest = withoutWords(goal, [...found, ...sought])
  return endpoints
    .filter((each) => each !== endpoint && hasSegments(each) && matchOf(rest, each.goals) > 0)
    .map(({ id }) => `If the user also wants what ${id} finds, create a job of it.`)
}

function hasSegments(endpoint: Endpoint): boolean {
  return endpoint.stage === 'live' && endpoint.readsMedia && 'segments' in endpoint.result.shape && !cuts(endpoint)
}

/** That another chain takes out what this one leaves in. */
export function notesOnChains(goal: ReadGoal, chain: Chain): string[] {
  const others = chains.filter((each) => each !== chain && each.cutsOf && matchOf(goal, each.goals) > 1)
  if (!chain.cutsOf) return []
  return others.map(({ id }) => `For the rest of the goal, run the chain ${id} on the file of this run.`)
}

/** That a window stays, where the goal may want it gone. */
export function notesOnTrims({ written }: ReadGoal, { id }: Endpoint, wanted: object): string[] {
  const mayRemove = id === 'video/clip-window' && /\b(?:cut|trim)(?: the| my)? (?:first|last)\b/i.test(written)
  return mayRemove && !JSON.stringify(wanted).includes('"remove"')
    ? [
        'The clip is what the goal names, and not the rest. To take it out instead, send it in settings.ranges with "ranges_mode": "remove".',
      ]
    : []
}

/** That times were taken as cuts, where they may be moments. */
export function notesOnSplits({ words, times }: ReadGoal, { id }: Endpoint): string[] {
  if (id !== 'video/clip-window' || !words.includes(' <split> ')) return []
  return [
    `The media is split at the times into ${times.length + 1} files. If the user wants clips around them instead, use video/clip-near.`,
  ]
}

/** That no more is cut than words, where the goal names a part. */
export function notesOnWordCuts({ text }: ReadGoal, stated: object): string[] {
  const isPart = /\b(where|(part|bit|section|passage|place|segment)s?)\b/.test(text)
  return isPart && JSON.stringify(stated).includes('"remove_words"')
    ? ['Only these words are cut, and not what is said around them.']
    : []
}

export interface Planned {
  readonly of: 'job' | 'run'
  /** Endpoint ids. */
  readonly steps: readonly string[]
  /** The settings that the goal states. */
  readonly stated: object
}

/** Where the file is that the goal names. A clip with captions has their files. */
export function notesOnExports(goal: ReadGoal, { of, steps, stated }: Planned): string[] {
  const named = exportFormatNames.filter((name) => matchOf(goal, [[exportFormats[name].words]]) > 0)
  const subtitles = named.filter((name) => name === 'srt' || name === 'vtt')
  const others = named.filter((name) => name !== 'srt' && name !== 'vtt')
  if (JSON.stringify(stated).includes('"captions"')) return describeExports(others, of, steps)
  if (!steps.includes('audio/find-words')) return describeExports(named, of, steps)
  const made = `The audio/find-words job makes the file (${subtitles.join(', ')}): svc.get_job_result with its job_id links to it.`
  return [...(subtitles.length > 0 ? [made] : []), ...describeExports(others, of, steps)]
}

function describeExports(formats: readonly ExportFormatName[], of: 'job' | 'run', steps: readonly string[]): string[] {
  if (formats.length === 0) return []
  if (!endpointsIn(steps).some(hasTimes))
    return [
      `Results of ${steps.join(', ')} have no times to export as ${formats.join(', ')}. Export a job that finds moments or suggests ranges.`,
    ]
  const path = of === 'job' ? '/v1/jobs/{job_id}' : '/v1/workflow-runs/{run_id}'
  const each = formats.map((name) => `GET ${path}/export?as=${name} (${exportFormats[name].description})`)
  const inFile =
    of === 'run' && endpointsIn(steps).some(cuts) && formats.some((name) => annotationFormatNames.includes(name))
  const times = inFile
    ? ' Its times are those of the source; with output_of={run_id}, those in the file that the run makes.'
    : ''
  return [`The file, over HTTP with an API key: ${each.join(', or ')}. svc.get_job_result links to it.${times}`]
}

/** How a file is made of the times that an endpoint finds, for goals that may ask for one. */
export function notesOnCuts(goal: ReadGoal, endpoint: Endpoint): string[] {
  const isAboutText = matchOf(goal, [[transcriptWords], [[...exportFormatNames]]]) > 0
  if (isAboutText || cuts(endpoint) || !hasTimes(endpoint)) return []
  return [
    'This job finds the times. To cut the media there, send them as settings.ranges of video/clip-window: "join": false makes a file of each.',
  ]
}

/** Whether its work is to cut the media. */
export function cuts(endpoint: Endpoint): boolean {
  return endpoint.stage === 'live' && 'receipt' in endpoint.result.shape
}

function hasTimes(endpoint: Endpoint): boolean {
  return endpoint.stage === 'live' && exportListNames.some((name) => name in endpoint.result.shape)
}

function endpointsIn(steps: readonly string[]): readonly Endpoint[] {
  return endpoints.filter(({ id }) => steps.includes(id))
}
