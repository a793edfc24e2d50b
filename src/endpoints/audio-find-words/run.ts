import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { subRip, webVtt } from '../../core/captions.ts'
import { wholeMilliseconds } from '../../core/money.ts'
import { durationOf, maxResultSegments } from '../../core/segments.ts'
import { sentencesOf, subtitlesOf } from '../../core/sentences.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { collectInTurns, joinInTurns, mapInTurns } from '../../core/turns.ts'
import { chooseTrack } from '../../media/sound/decode-audio.ts'
import { warnOfUncertainSpeech } from '../../media/speech/transcribe-track.ts'
import { assertSegmentCount, presentSegment, toHundredths, totalSeconds, warnOfListening } from '../format.ts'
import { createMatcher, warnOfNoMatch } from '../match-words.ts'
import { resolveWindow } from '../parse-settings.ts'
import type { OutputFile, RunContext } from '../run-contract.ts'
import type { findWordsSettings } from './declaration.ts'
import { type ForWordsFile, presentWord, wordsFileName, wordsFileParts } from './words-file.ts'

type Settings = z.output<typeof findWordsSettings>

/** Words before and after a match. */
const contextWords = 8

export async function runFindWords({ media: { info }, settings, transcripts, workDir, ...job }: RunContext<Settings>) {
  const window = resolveWindow(job.window, info.durationSeconds)
  const track = chooseTrack(info, settings.audio_track)
  const { value: transcript, analysis } = await transcripts.get({ track, window, onProgress: job.reportProgress })
  const words = transcript.words.filter(({ confidence }) => confidence >= settings.min_confidence)

  const textOf = (first: number, end: number) =>
    words
      .slice(Math.max(0, first), end)
      .map(({ text }) => text)
      .join(' ')
  const found = await createMatcher(settings.queries, settings.match)(words)
  assertSegmentCount(found.length, 'Send fewer queries')
  const matches = await mapInTurns(found, ({ query, first, end, confidence }) => ({
    query,
    text: textOf(first, end),
    ...presentSegment({ start: words[first]?.start ?? 0, end: words[end - 1]?.end ?? 0 }),
    confidence: toHundredths(confidence),
    before: textOf(first - contextWords, first),
    after: textOf(end, end + contextWords),
  }))
  const said = await collectInTurns(sentencesOf(words))
  assertSegmentCount(said.length, 'Raise min_confidence')
  const sentences = await mapInTurns(said, ({ text, ...span }) => ({ text, ...presentSegment(span) }))
  const segments = (settings.queries.length > 0 ? matches : sentences).map(presentSegment)

  const isLong = words.length > maxResultSegments
  const tooMany = `The transcript has ${words.length} words, more than ${maxResultSegments}, so that the result lists its sentences only. Its words are in ${wordsFileName}.`
  return {
    result: {
      media_seconds: roundToMillisecond(info.durationSeconds),
      matches,
      segments,
      transcript: {
        language: settings.language,
        text: textOf(0, words.length),
        sentences,
        words: isLong ? [] : words.map(presentWord),
      },
      total_segment_seconds: totalSeconds(segments),
      analysis,
    },
    files: await writeFiles({
      ...{ words, hesitations: transcript.hesitations, mediaSeconds: info.durationSeconds },
      ...{ workDir, seconds: durationOf(window) },
    }),
    warnings: [
      ...warnOfListening(transcript, track, window),
      ...warnOfUncertainSpeech(transcript.words),
      ...warnOfNoMatch(settings.queries, matches),
      ...(isLong ? [tooMany] : []),
    ],
    billedMilliseconds: wholeMilliseconds(durationOf(window)),
  }
}

interface FilesInput extends ForWordsFile {
  readonly workDir: string
  /** Length of the window. */
  readonly seconds: number
}

async function writeFiles({ workDir, seconds, ...heard }: FilesInput): Promise<OutputFile[]> {
  const subtitles = await collectInTurns(subtitlesOf(heard.words))
  const files = [
    { fileName: 'subtitles.vtt', contentType: 'text/vtt', parts: webVtt(subtitles) },
    { fileName: 'subtitles.srt', contentType: 'application/x-subrip', parts: subRip(subtitles) },
    { fileName: wordsFileName, contentType: 'application/json', parts: wordsFileParts(heard) },
  ]
  const written: OutputFile[] = []
  for (const { parts, ...file } of files) {
    const filePath = path.join(workDir, file.fileName)
    await writeFile(filePath, await joinInTurns(parts))
    written.push({ ...file, path: filePath, durationSeconds: seconds, width: null, height: null })
  }
  return written
}
