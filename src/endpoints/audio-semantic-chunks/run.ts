import type { z } from 'zod'
import { wholeMilliseconds } from '../../core/money.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { readableSentencesOf } from '../../core/sentences.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { collectInTurns, mapInTurns } from '../../core/turns.ts'
import { chooseTrack } from '../../media/sound/decode-audio.ts'
import type { TopicGaps } from '../../media/speech/topic-gaps.ts'
import { warnOfUncertainSpeech } from '../../media/speech/transcribe-track.ts'
import type { SpokenWord } from '../../models/models.ts'
import { assertSegmentCount, presentSegment, totalSeconds, warnOfListening } from '../format.ts'
import { resolveWindow } from '../parse-settings.ts'
import type { RunContext } from '../run-contract.ts'
import type { semanticChunksSettings } from './declaration.ts'
import { cutIntoChunks, describeChunks } from './topic-chunks.ts'

/** Less certain words are mostly invented. */
const minConfidence = 0.3

type Settings = z.output<typeof semanticChunksSettings>

/** Of the run's progress. */
const transcribingShare = 0.9

const noSpeech = 'No speech was found, so there are no chunks.'

export async function runSemanticChunks({ media: { info }, settings, transcripts, ...job }: RunContext<Settings>) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const track = chooseTrack(info, settings.audio_track)
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

  const spoken = await wordsOfChunks(words, gaps, settings)
  assertSegmentCount(spoken.length, 'Raise min_seconds')
  const told = await describeChunks(spoken.map(sentenceTexts))
  const chunks = await mapInTurns(spoken, (chunk, index) => ({
    ...presentSegment({ start: chunk[0]?.start ?? 0, end: chunk.at(-1)?.end ?? 0 }),
    title: told[index]?.title ?? '',
    text: chunk.map(({ text }) => text).join(' '),
    keywords: [...(told[index]?.keywords ?? [])],
  }))
  const segments = chunks.map(({ start, end, duration, title }) => ({ start, end, duration, title }))
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      chunks,
      segments,
      total_segment_seconds: totalSeconds(segments),
      analysis,
    },
    files: [],
    warnings: [
      ...warnOfListening(transcript, track, window),
      ...warnOfUncertainSpeech(transcript.words),
      ...(chunks.length === 0 ? [noSpeech] : []),
    ],
    billedMilliseconds: wholeMilliseconds(durationOf(window)),
  }
}

function* sentenceTexts(words: readonly SpokenWord[]): Generator<string> {
  for (const { text } of readableSentencesOf(words)) yield text
}

/** The words of each chunk. Each cut is in the middle of a pause between two sentences, of which stored ones may be cut otherwise. */
async function wordsOfChunks(
  words: readonly SpokenWord[],
  { sentences: spans, similarities }: TopicGaps,
  { target_seconds: targetSeconds, min_seconds: minSeconds }: Settings,
): Promise<SpokenWord[][]> {
  const sentences = spans.map(([start, end]): Segment => ({ start, end }))
  const [, ...firsts] = await cutIntoChunks(sentences, similarities, { targetSeconds, minSeconds })
  const cuts = firsts.map((first) => ((sentences[first - 1]?.end ?? 0) + (sentences[first]?.start ?? 0)) / 2)
  const chunks: SpokenWord[][] = [[]]
  for (const word of words) {
    while ((word.start + word.end) / 2 >= (cuts[chunks.length - 1] ?? Number.POSITIVE_INFINITY)) chunks.push([])
    chunks.at(-1)?.push(word)
  }
  return chunks.filter((chunk) => chunk.length > 0)
}
