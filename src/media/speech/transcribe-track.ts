import { mapOrAbort } from '../../core/abortable.ts'
import { durationOf, isCentredIn, type Segment } from '../../core/segments.ts'
import { mapInTurns } from '../../core/turns.ts'
import { type SpokenWord, speechFrameSeconds } from '../../models/models.ts'
import { chooseTrack } from '../sound/decode-audio.ts'
import type { AnalyseInput } from '../track-analyses.ts'
import { decodeStretch, longestPause, pauseBelow, speechChunks } from './find-speech.ts'
import { findHeldSounds, withoutSounds } from './held-sounds.ts'
import { type HeardSpeech, type Hesitation, hearPauses, judgeHeldSounds } from './hesitations.ts'
import { type HeardSamples, type HeardWord, measureSpeechLevels, samplesIn } from './quiet-moments.ts'

/** As it is stored. */
export interface Transcript {
  /** On the media's clock, in the order of time. */
  readonly words: readonly HeardWord[]
  /** In the order of time. Undefined in transcripts of earlier versions. */
  readonly hesitations?: readonly Hesitation[] | undefined
  /** As `MixedChannels` has it, anywhere in the window. */
  readonly hasOpposedChannels: boolean
  /** Errors while the sound was decoded. */
  readonly decodeErrors: number
}

/** Ten minutes of samples take 40 MB, here and in the process of the model. */
const blockSeconds = 600
/** The shares of a block's progress. Measured on ten minutes of speech: 1 s to decode a file, 15 to listen, 80 to transcribe. Slow servers take longer. */
const decodingShare = 0.05
const listeningShare = 0.15
/** A block ends in a pause this near its planned end. */
const pauseReachSeconds = 15
/** Of the sound around the window, so that the words at its edges are heard whole. */
const contextSeconds = 5

/**
 * Transcribes a window of a track, block by block. Only what a model takes for speech is transcribed, because the transcription model
 * invents words in music and noise.
 */
export async function transcribeTrack({ window: asked, ...input }: AnalyseInput): Promise<Transcript> {
  const { models, onProgress } = input
  const track = chooseTrack(input.media.info, input.trackIndex)
  const window = { start: Math.max(0, asked.start - contextSeconds), end: asked.end + contextSeconds }
  const words: HeardWord[] = []
  const hesitations: Hesitation[] = []
  let decodeErrors = 0
  let hasOpposedChannels = false
  for (let start = window.start; start < window.end; ) {
    const planned = start + blockSeconds
    const isLast = planned + pauseReachSeconds >= window.end
    const reportUpTo = (end: number, fraction: number) =>
      onProgress(Math.min(1, (start - window.start + fraction * (end - start)) / durationOf(window)))
    const blockEnd = isLast ? window.end : planned + pauseReachSeconds
    const block = await decodeStretch({ ...input, track }, { start, end: blockEnd }, (fraction) =>
      reportUpTo(Math.min(planned, window.end), fraction * decodingShare),
    )
    const chances = await models.run('voice-activity', block.samples)
    const reachFrame = Math.floor((planned - pauseReachSeconds - start) / speechFrameSeconds)
    const reach = () => longestPause(chances.subarray(reachFrame), start + reachFrame * speechFrameSeconds)
    const end = isLast ? window.end : reach()
    const heard = {
      start,
      samples: samplesIn({ ...block, start }, { start, end }),
      chances: chances.subarray(0, Math.floor((end - start) / speechFrameSeconds)),
    }
    const heardShare = decodingShare + listeningShare
    const report = (fraction: number) => reportUpTo(end, heardShare + fraction * (1 - heardShare))
    report(0)
    const speech = await transcribeBlock(input, heard, report)
    words.push(...speech.words)
    hesitations.push(...speech.hesitations)
    decodeErrors += block.decodeErrors
    hasOpposedChannels ||= block.hasOpposedChannels
    start = end
  }
  const { durationSeconds } = input.media.info
  // The last frame of the model can reach past the end. A hesitation that is a word has the same times.
  const ended = <Spoken extends Segment>(spoken: readonly Spoken[]) =>
    spokenWithin(spoken, asked).map((each) => ({ ...each, end: Math.min(each.end, durationSeconds) }))
  return { words: ended(words), hesitations: ended(hesitations), hasOpposedChannels, decodeErrors }
}

/** The words or hesitations whose middle is in the window. */
export function spokenWithin<Spoken extends Segment>(spoken: readonly Spoken[], window: Segment): Spoken[] {
  return spoken.filter((each) => isCentredIn(each, window))
}

interface Block extends HeardSamples {
  /** Of speech, in each frame to transcribe. */
  readonly chances: Float32Array
}

/** Of a block's transcription. Where sounds are held, speech is transcribed again without them. */
const firstShare = 0.7

/** Transcribes the speech of a block, and finds the pauses and hesitations in it. */
async function transcribeBlock(
  input: Omit<AnalyseInput, 'window'>,
  block: Block,
  report: (fraction: number) => void,
): Promise<HeardSpeech> {
  const chunks = speechChunks(block.chances, block.start)
  const heardIn = (chunk: Segment) => samplesIn(block, chunk)
  const spoken = await transcribeChunks(input, block, { chunks, heardIn }, (share) => report(share * firstShare))
  const levels = await measureSpeechLevels(block)
  const sounds = await findHeldSounds(spoken.flat(), block, levels)
  const soundsOf = (chunk: Segment) => spokenWithin(sounds, chunk)
  const again = {
    chunks: chunks.filter((chunk) => soundsOf(chunk).some(({ isSteady }) => isSteady)),
    heardIn: (chunk: Segment) => withoutSounds({ samples: samplesIn(block, chunk), start: chunk.start }, sounds),
  }
  const without = await transcribeChunks(input, block, again, (share) => report(firstShare + share * (1 - firstShare)))
  report(1)
  const judged = await mapInTurns(chunks, (chunk, index) => {
    const words = spoken[index] ?? []
    return judgeHeldSounds(words, without[again.chunks.indexOf(chunk)] ?? words, soundsOf(chunk))
  })
  const outside = sounds.filter((sound) => !chunks.some((chunk) => isCentredIn(sound, chunk)))
  const all = [...judged, judgeHeldSounds([], [], outside)]
  return hearPauses({ words: all.flatMap(({ words }) => words), found: all.flatMap(({ found }) => found) }, levels)
}

interface ChunksToHear {
  readonly chunks: readonly Segment[]
  readonly heardIn: (chunk: Segment) => Float32Array
}

/** The words of each chunk: on idle cores too, because each stands alone. */
async function transcribeChunks(
  { models, cores, signal }: Omit<AnalyseInput, 'window'>,
  { start, chances }: Block,
  { chunks: items, heardIn }: ChunksToHear,
  report: (fraction: number) => void,
): Promise<SpokenWord[][]> {
  let done = 0
  return cores.borrow(items.length - 1, (borrowed) =>
    mapOrAbort(signal, { items, concurrency: 1 + borrowed }, async (chunk) => {
      const spoken = await models.run('transcribe', heardIn(chunk))
      done += 1
      report(done / items.length)
      const chancesOf = (span: Segment) => framesOf(chances, { start: span.start - start, end: span.end - start })
      return spoken.map((word) => onClock(word, chunk, chancesOf))
    }),
  )
}

/**
 * The word on the media's clock. Where the sound is hardly speech, the model may have invented it, however sure it is: laughter and crowds
 * have moments that sound like speech, but whole stretches of them do not.
 */
function onClock(
  { text, start, end, confidence }: SpokenWord,
  chunk: Segment,
  chancesOf: (span: Segment) => Float32Array,
): SpokenWord {
  const span = { start: chunk.start + start, end: Math.min(chunk.start + end, chunk.end) }
  const heard = Math.max(0, ...chancesOf(span)) * certaintyOf(chancesOf(chunk)) ** 2
  return { text, ...span, confidence: confidence * heard }
}

/** The frames that a span, in seconds from the first one, touches. */
function framesOf(chances: Float32Array, { start, end }: Segment): Float32Array {
  return chances.subarray(Math.floor(start / speechFrameSeconds), Math.ceil(end / speechFrameSeconds))
}

/** How much like speech a stretch is where it is no pause. Measured: 0.96 in speech, also under music, at most 0.63 in laughter and crowds. */
function certaintyOf(chances: Float32Array): number {
  const spoken = chances.filter((chance) => chance >= pauseBelow)
  return spoken.length === 0 ? 0 : spoken.reduce((sum, chance) => sum + chance, 0) / spoken.length
}

interface ScoredWord extends Segment {
  readonly confidence: number
}

/** Words that are judged together: about eight seconds of speech. */
const blockWords = 20
/** A block of fewer words is too short to judge. */
const minWords = 8
/**
 * Measured on blocks of telephone announcements: 0.78 to 0.95 in English, and mostly 0.24 to 0.56 in French, Italian and Spanish,
 * from which the model makes English sentences.
 */
const minMeanConfidence = 0.65

/** Seconds of speech in blocks of mostly uncertain words: in another language, or hard to hear. */
function uncertainSeconds(words: readonly ScoredWord[]): number {
  let seconds = 0
  for (let first = 0; first < words.length; first += blockWords) {
    const block = words.slice(first, first + blockWords)
    const mean = block.reduce((sum, { confidence }) => sum + confidence, 0) / block.length
    const [start, end] = [block[0]?.start ?? 0, block.at(-1)?.end ?? 0]
    if (block.length >= minWords && mean < minMeanConfidence) seconds += durationOf({ start, end })
  }
  return seconds
}

/** For the callers of endpoints that transcribe. */
export function warnOfUncertainSpeech(words: readonly ScoredWord[]): string[] {
  const seconds = Math.round(uncertainSeconds(words))
  return seconds === 0
    ? []
    : [
        `Most words in ${seconds} s of speech are uncertain, and may not have been said: the speech is not English, which alone is transcribed, or it is hard to hear.`,
      ]
}
