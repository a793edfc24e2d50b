import type { z } from 'zod'
import { wholeMilliseconds } from '../../core/money.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { readableSentencesOf } from '../../core/sentences.ts'
import { counted } from '../../core/text.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { collectInTurns, mapInTurns } from '../../core/turns.ts'
import { chooseTrack } from '../../media/sound/decode-audio.ts'
import type { TopicGaps } from '../../media/speech/topic-gaps.ts'
import { warnOfUncertainSpeech } from '../../media/speech/transcribe-track.ts'
import type { SpokenWord } from '../../models/models.ts'
import { assertSegmentCount, presentSegment, totalSeconds, warnOfListening, warnOfOtherMedia } from '../format.ts'
import { resolveWindow } from '../parse-settings.ts'
import type { RunContext } from '../run-contract.ts'
import { type ChunkSentence, describeChunks } from './chunk-words.ts'
import type { semanticChunksSettings } from './declaration.ts'
import { readSlideLines, slideTitles } from './slide-titles.ts'
import { type ChunkLengths, cutIntoChunks, usualLengths } from './topic-chunks.ts'

/** Less certain words are mostly invented. */
const minConfidence = 0.3
/** Titles have no words that are less certain: people read them aloud. */
const minTitleConfidence = 0.6

type Settings = z.output<typeof semanticChunksSettings>

/** Of the run's progress. */
const transcribingShare = 0.9

const noSpeech = 'No speech was found, so there are no chunks.'

export async function runSemanticChunks({ media: { info }, settings, transcripts, ...job }: RunContext<Settings>) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const track = chooseTrack(info, settings.audio_track)
  const { text_job_id: textJobId } = settings
  const slideLines =
    textJobId === undefined
      ? []
      : await readSlideLines(textJobId, await job.earlierResult(textJobId), info.durationSeconds)
  const other = textJobId === undefined ? undefined : await job.otherMedia(textJobId)
  const { value: transcript, analysis: transcribed } = await transcripts.get({
    ...{ track, window },
    onProgress: (fraction) => job.reportProgress(fraction * transcribingShare),
  })
  const words = transcript.words.filter(({ confidence }) => confidence >= minConfidence)
  const sentences = await collectInTurns(readableSentencesOf(words))
  const { value: gaps, analysis } =
    sentences.length === 0
      ? { value: { sentences: [], similarities: [] }, analysis: transcribed }
      : await job.topicGaps.get({
          ...{ track, window, sentences },
          onProgress: (fraction) => job.reportProgress(transcribingShare + fraction * (1 - transcribingShare)),
        })

  const lengths = lengthsOf(settings, gaps)
  const spoken = await wordsOfChunks(words, gaps, lengths)
  assertSegmentCount(spoken.length, 'Raise min_seconds')
  const told = await describeChunks(spoken.map(chunkSentences))
  const spans = spoken.map((chunk) => ({ start: chunk[0]?.start ?? 0, end: chunk.at(-1)?.end ?? 0 }))
  const shown = await slideTitles(slideLines, spans)
  const chunks = await mapInTurns(spoken, (chunk, index) => ({
    ...presentSegment(spans[index] ?? { start: 0, end: 0 }),
    title: shown[index] ?? told[index]?.title ?? '',
    text: chunk.map(({ text }) => text).join(' '),
    keywords: [...(told[index]?.keywords ?? [])],
  }))
  const segments = chunks.map(({ start, end, duration, title }) => ({ start, end, duration, title }))
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      max_chapters: lengths.maxChunks ?? null,
      chunks,
      segments,
      total_segment_seconds: totalSeconds(segments),
      analysis,
    },
    files: [],
    warnings: [
      ...warnOfListening(transcript, track, window),
      ...warnOfUncertainSpeech(transcript.words),
      ...warnOfOtherMedia('titles of slides', other, 'talk'),
      ...(chunks.length === 0 ? [noSpeech] : warnOfFew(chunks.length, settings)),
    ],
    billedMilliseconds: wholeMilliseconds(durationOf(window)),
  }
}

/** Those that are asked for. Where neither a length nor a number is, those that suit the length of the speech. */
function lengthsOf(settings: Settings, { sentences }: TopicGaps): ChunkLengths {
  const { target_seconds: targetSeconds, max_chapters: maxChunks, min_chapters: minChunks = 1 } = settings
  const asked = { targetSeconds, minSeconds: settings.min_seconds, minChunks, maxChunks }
  if (targetSeconds !== undefined || maxChunks !== undefined) return asked
  const usual = usualLengths((sentences.at(-1)?.[1] ?? 0) - (sentences[0]?.[0] ?? 0))
  return { ...asked, ...usual, maxChunks: Math.max(usual.maxChunks, minChunks) }
}

function warnOfFew(count: number, { min_chapters: wanted = 0, min_seconds: minSeconds }: Settings): string[] {
  if (count >= wanted) return []
  return [
    `There are ${counted(count, 'chapter')}, fewer than were asked for: no other cut between sentences leaves ${minSeconds} s on both sides.`,
  ]
}

function* chunkSentences(words: readonly SpokenWord[]): Generator<ChunkSentence> {
  for (const sentence of readableSentencesOf(words))
    yield sentence.words.map(({ text, confidence }) => ({ text, isCertain: confidence >= minTitleConfidence }))
}

/** The words of each chunk. Each cut is in the middle of a pause between two sentences, of which stored ones may be cut otherwise. */
async function wordsOfChunks(
  words: readonly SpokenWord[],
  { sentences: spans, similarities }: TopicGaps,
  lengths: ChunkLengths,
): Promise<SpokenWord[][]> {
  const sentences = spans.map(([start, end]): Segment => ({ start, end }))
  const [, ...firsts] = await cutIntoChunks(sentences, similarities, lengths)
  const cuts = firsts.map((first) => ((sentences[first - 1]?.end ?? 0) + (sentences[first]?.start ?? 0)) / 2)
  const chunks: SpokenWord[][] = [[]]
  for (const word of words) {
    while ((word.start + word.end) / 2 >= (cuts[chunks.length - 1] ?? Number.POSITIVE_INFINITY)) chunks.push([])
    chunks.at(-1)?.push(word)
  }
  return chunks.filter((chunk) => chunk.length > 0)
}
