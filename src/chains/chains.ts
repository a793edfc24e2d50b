import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { describeUnknown } from '../core/input-problems.ts'
import { upperFirst } from '../core/text.ts'
import { maxChapters, semanticChunksEndpoint } from '../endpoints/audio-semantic-chunks/declaration.ts'
import { findEndpoint, findEndpointWith } from '../endpoints/catalog.ts'
import { maxFrames } from '../endpoints/video-best-frames/declaration.ts'
import type { ModelName } from '../models/models.ts'
import { clipLaughs, clipMatches, mediaWithLaughs, reachOfLaughs, refuseWords } from './clips-around.ts'
import {
  cleanSpeechLabel,
  clipSpeech,
  clipSuggested,
  lowerThreshold,
  pausesLabel,
  refuseWithoutCuts,
  silencesToFind,
  usualCuts,
} from './cut-chains.ts'
import {
  type Cuts,
  cutsOfRanges,
  earlierJob,
  type FinishedRun,
  jobIdFrom,
  laterJobId,
  type StepInputs,
  type StepSettings,
} from './earlier-jobs.ts'
import { clipHighlights, highlightsOfSteps, mediaWithSpeech } from './highlight-chain.ts'

export interface Chain {
  readonly id: string
  readonly title: string
  readonly summary: string
  /** What people call its work, beside its summary. Plans for agents find it by these words. */
  readonly keywords: string
  /** What people ask for that it does. Plans for agents rank it among the best three, which a test proves. */
  readonly goals: readonly string[]
  /** Endpoint ids, in order. A step can use the results of the steps before it. */
  readonly steps: readonly string[]
  /** By endpoint id, for every step except the first. */
  readonly inputsFrom: Readonly<Record<string, StepInputs>>
  /** Settings without which it cannot run, as an example. */
  readonly example?: StepSettings
  /** A message about settings with which the chain cannot complete, or undefined. */
  readonly validate?: (given: StepSettings) => string | undefined
  /** Settings of steps that follow from the caller's settings of other steps. What the caller sets for the step itself wins. */
  readonly stepDefaults?: (given: StepSettings) => StepSettings
  /** What people call the files of the last step. */
  readonly outputLabel?: (given: StepSettings) => string
  /** For chains that take time out of the media: what a completed run took out. */
  readonly cutsOf?: (run: FinishedRun) => Cuts | undefined
}

/** A step that looks at the media as the first one did, whatever that found. */
const nothingFrom: StepInputs = { settings: [], readsWindow: true, from: () => ({ settings: {} }) }

/** Every chunk and every line of text, each with its own times. */
const chunksAndText: StepInputs = {
  settings: ['job_ids', 'timelines', 'mode'],
  from: (earlier) => {
    const jobs = ['audio/semantic-chunks', 'video/text-frames'].map((id) => earlierJob(earlier, id))
    return { settings: { job_ids: jobs.map(({ id }) => id), mode: 'interleave' } }
  },
  standIn: () => ({ job_ids: [laterJobId, 'job_1'], mode: 'interleave' }),
}

/** Search finds the chunk that has the words: all topics are chunks of their own, not only those that people read as chapters. */
function chunksToSearch(given: StepSettings): StepSettings {
  const hasLengths = given[semanticChunksEndpoint.id]?.['target_seconds'] !== undefined
  return hasLengths ? {} : { [semanticChunksEndpoint.id]: { max_chapters: maxChapters } }
}

const picked = z.object({ frames: z.array(z.unknown()) })

const fromBestFrames: StepInputs = {
  settings: ['job_id', 'times', 'upload_ids'],
  from: (earlier) => {
    const { id, result } = earlierJob(earlier, 'video/best-frames')
    if (picked.parse(result).frames.length > 0) return { settings: { job_id: id } }
    throw new ServiceError(
      'nothing_found',
      'video/best-frames found no frame that is sharp and well exposed. Choose another window or media.',
    )
  },
  standIn: () => ({ job_id: laterJobId }),
  dearest: () => ({ times: Array.from({ length: maxFrames }, () => 0) }),
}

/** The sounding segments, in one file. */
const clipSounds = clipSuggested({
  gap: 'pause',
  ifNone:
    'audio/detect-silence found no sound that is long and loud enough to keep. Lower its threshold, or choose another window or media.',
  ifLarge: lowerThreshold,
  ifUncut:
    'Nothing was removed: no pause is longer than the settings of timeline/suggest-ranges keep. To shorten shorter pauses, lower its max_pause_seconds. If the pauses are not quiet, raise the threshold of audio/detect-silence.',
})

/** The recommended chains. */
export const chains: readonly Chain[] = [
  {
    id: 'find-funny-clips',
    title: 'Find funny clips',
    summary:
      'Find laughter. Only if there is any, find the silences, and cut one clip around each laugh that begins and ends in silence. A laugh inside an earlier clip gets none.',
    keywords: 'clips, shorts, reel, compilation, trailer, highlights of each laugh, funniest joke',
    goals: [
      'clips of the funniest laughs',
      'a compilation of the laughs',
      'find the jokes and make shorts of them',
      'cut a clip of each laugh',
    ],
    steps: ['audio/detect-laughter', 'audio/detect-silence', 'video/clip-near'],
    inputsFrom: { 'audio/detect-silence': mediaWithLaughs, 'video/clip-near': clipLaughs },
    stepDefaults: reachOfLaughs,
  },
  {
    id: 'remove-dead-space',
    title: 'Remove dead space',
    summary:
      'Find the pauses and shorten them, by default those of at least 0.6 s to 0.4 s. It makes one joined file, or none if no pause is long enough.',
    keywords:
      'remove, take out, cut out, delete or without silences, pauses, gaps, dead air, awkward, quiet, tighten, shorter, jump cuts, podcast, vlog, nobody speaks',
    goals: [
      'Remove the silences from my podcast',
      'remove the silences of a talk',
      'cut out every PAUSE of a talk',
      'jump cut my vlog',
      'tighten my podcast episode',
      'take the silence out of a recording',
      'remove silences from a recording',
      'take out the pauses',
      'my podcast without the pauses',
    ],
    steps: ['audio/detect-silence', 'timeline/suggest-ranges', 'video/clip-window'],
    inputsFrom: { 'timeline/suggest-ranges': jobIdFrom('audio/detect-silence'), 'video/clip-window': clipSounds },
    stepDefaults: silencesToFind,
    outputLabel: pausesLabel,
    cutsOf: cutsOfRanges,
  },
  {
    id: 'clean-speech',
    title: 'Clean speech',
    summary:
      'Cut filler words, stutters and false starts out of speech, or all that is not in a script: one joined file. Every other word stays whole.',
    keywords:
      'remove, cut out, delete or without ums and uhs, swear words, edit by transcript or text, stick to my script, best take',
    goals: [
      'remove the ums and uhs',
      'cut out stutters and false starts',
      'edit by transcript',
      'stick to my script and drop the rest',
      'cut out all the swear words',
    ],
    steps: ['audio/find-words', 'timeline/suggest-ranges', 'video/clip-window'],
    inputsFrom: { 'timeline/suggest-ranges': jobIdFrom('audio/find-words'), 'video/clip-window': clipSpeech },
    validate: refuseWithoutCuts,
    stepDefaults: usualCuts,
    outputLabel: cleanSpeechLabel,
    cutsOf: cutsOfRanges,
  },
  {
    id: 'find-exact-words',
    title: 'Find exact words',
    summary: 'Find where words are spoken, and cut a clip around each place.',
    keywords:
      'clips, supercut, reel, compilation of every time she said or says it, mentions a word, phrase, quote, soundbite',
    goals: [
      'cut out where she said "budget"',
      'clips where a phrase is said',
      'a supercut of every time he says pricing',
      'pull the soundbite where she says budget',
    ],
    steps: ['audio/find-words', 'video/clip-near'],
    inputsFrom: { 'video/clip-near': clipMatches },
    example: { 'audio/find-words': { queries: ['thank you'] } },
    validate: refuseWords,
  },
  {
    id: 'find-highlights',
    title: 'Find highlights',
    summary:
      'Find the best stretches of a talk, by laughter, loud speech and questions, and cut a clip of each. Clips begin and end with sentences.',
    keywords:
      'highlights, best moments or parts of a talk or podcast as shorts or reels, teaser, viral, hooks, social media',
    goals: [
      'make shorts of the best moments',
      'cut the highlights of my podcast',
      'a teaser of the best parts of the talk',
    ],
    steps: [
      'audio/find-words',
      'audio/detect-laughter',
      'audio/detect-energy',
      'timeline/find-highlights',
      'video/clip-window',
    ],
    inputsFrom: {
      'audio/detect-laughter': mediaWithSpeech,
      'audio/detect-energy': nothingFrom,
      'timeline/find-highlights': highlightsOfSteps,
      'video/clip-window': clipHighlights,
    },
  },
  {
    id: 'pick-thumbnails',
    title: 'Pick thumbnails',
    summary: 'Pick good frames, rank them as thumbnails, and crop them around what people look at.',
    keywords: 'thumbnail, cover, poster, best frames, preview image',
    goals: ['a thumbnail for the video', 'pick the three best thumbnails'],
    steps: ['video/best-frames', 'video/thumbnail-score'],
    inputsFrom: { 'video/thumbnail-score': fromBestFrames },
  },
  {
    id: 'searchable-media-memory',
    title: 'Searchable media memory',
    summary:
      'Split speech by topic, read text in the picture, and merge both into one timeline. Search finds all of it.',
    keywords: 'index, archive, library, searchable',
    goals: ['make my archive searchable', 'make my videos searchable'],
    steps: ['audio/semantic-chunks', 'video/text-frames', 'timeline/merge'],
    inputsFrom: { 'video/text-frames': nothingFrom, 'timeline/merge': chunksAndText },
    stepDefaults: chunksToSearch,
  },
]

/** Throws `not_found` for an unknown id. */
export function getChain(id: string): Chain {
  const chain = chains.find((candidate) => candidate.id === id) ?? chainOfEndpoint(id)
  if (chain) return chain
  const problem = describeUnknown(
    'chain',
    id,
    chains.map((each) => each.id),
  )
  throw new ServiceError('not_found', upperFirst(problem))
}

/** For batches, an endpoint that reads media is a chain of one step. */
function chainOfEndpoint(id: string): Chain | undefined {
  const endpoint = findEndpoint(id)
  if (!endpoint?.readsMedia) return undefined
  return { id, title: id, summary: endpoint.summary, keywords: '', goals: [], steps: [id], inputsFrom: {} }
}

/** Whether it runs in an installation with these models. */
export function isLiveChain(chain: Chain, models: ReadonlySet<ModelName>): boolean {
  return missingSteps(chain, models).length === 0
}

/** The endpoints of a chain that are previews in an installation with these models. */
export function missingSteps({ steps }: Pick<Chain, 'steps'>, models: ReadonlySet<ModelName>): string[] {
  return steps.filter((id) => findEndpointWith(models, id)?.stage !== 'live')
}
