import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findWordsEndpoint } from '../../../src/endpoints/audio-find-words/declaration.ts'
import { toTimedWord, type WordsFile, wordsFile } from '../../../src/endpoints/audio-find-words/words-file.ts'
import { wholeMedia } from '../../../src/endpoints/job-window.ts'
import { wordsOf } from '../../../src/endpoints/match-words.ts'
import { suggestRangesEndpoint } from '../../../src/endpoints/timeline-suggest-ranges/declaration.ts'
import { clipWindowEndpoint } from '../../../src/endpoints/video-clip-window/declaration.ts'
import { reading, speech } from '../../fixtures/make.ts'
import { pcmOf, temporaryFolder } from '../../media/measure.ts'
import { wavOf } from '../../media/wav.ts'
import { models, whySkipped } from '../../setup/models.ts'
import { outputOf } from '../answer-of.ts'
import { runEndpoint } from '../run-endpoint.ts'

const sampleRate = 16_000
const filter = `aresample=${sampleRate}`

/** Finds the words of a file, as later jobs read them. */
async function hear(file: string, end?: number): Promise<WordsFile['words']> {
  const { files } = await runEndpoint(findWordsEndpoint, { file, models, ...(end === undefined ? {} : { end }) })
  const list = files.find(({ fileName }) => fileName === 'words.json')
  return wordsFile.parse(JSON.parse(await readFile(list?.path ?? '', 'utf8'))).words
}

const textOf = (words: WordsFile['words']) => words.flatMap(({ text }) => wordsOf(text)).join(' ')

interface Splice {
  /** The sample of the reading before which it is said. */
  readonly at: number
  readonly samples: Int16Array
}

/** A phrase from one quiet moment to the next, of the samples where it is said. */
function phraseIn(pcm: Int16Array, words: WordsFile['words'], phrase: string): Splice {
  const length = phrase.split(' ').length
  const found = words.flatMap(({ quiet_before: start }, at) => {
    const end = words[at + length - 1]?.quiet_after
    const isSaid = textOf(words.slice(at, at + length)) === phrase
    return isSaid && start && end ? [{ at: sampleAt(start), samples: pcm.subarray(sampleAt(start), sampleAt(end)) }] : []
  })
  return found[0] ?? expect.fail(phrase)
}

const sampleAt = (seconds: number) => Math.round(seconds * sampleRate)

describe.skipIf(!models.has('transcribe'))(`speech with fillers and repeats${whySkipped}`, () => {
  it('loses each of them, and no other word', async () => {
    const [whole, pcm, prompts] = await Promise.all([hear(reading, 24.3), pcmOf(reading, filter), pcmOf(speech, filter)])
    const [told, other] = [pcm.subarray(0, sampleAt(24.3)), await hear(speech, 12)]
    const fillers = [
      { ...phraseIn(prompts, other, 'asterisk'), at: phraseIn(told, whole, 'belief').at },
      { ...phraseIn(prompts, other, 'youd like'), at: phraseIn(told, whole, 'we had').at },
      { ...phraseIn(prompts, other, 'asterisk'), at: phraseIn(told, whole, 'despair').at },
    ]
    const repeats = ['of times', 'it was', 'the winter', 'everything', 'nothing'].map((phrase) =>
      phraseIn(told, whole, phrase),
    )
    const pause = told.subarray(sampleAt(20.6), sampleAt(20.85))
    const parts = withSplices(told, [...fillers, ...repeats], pause)
    const spliced = path.join(temporaryFolder(), 'spliced.wav')
    await writeFile(spliced, wavOf(parts, sampleRate))

    const heard = await hear(spliced)
    const mediaSeconds = parts.reduce((sum, { length }) => sum + length, 0) / sampleRate
    expect(textOf(heard)).not.toBe(textOf(whole))
    const words = { job_a: { window: wholeMedia, mediaSeconds, words: heard.map(toTimedWord) } }
    const settings = { job_id: 'job_a', remove_words: ['asterisk', "you'd like"], remove_repeats: true }
    const { result, warnings } = await outputOf(suggestRangesEndpoint, settings, { words })
    console.log(heard.map((w) => `${w.start} ${w.end} ${w.text} ${w.confidence} [${w.quiet_before} ${w.quiet_after}]`).join("\n")); await (await import("node:fs/promises")).copyFile(spliced, "/tmp/text/spliced.wav")
    const { ranges } = z.object({ ranges: z.array(z.object({ start: z.number(), end: z.number() })) }).parse(result)
    const clip = await runEndpoint(clipWindowEndpoint, { file: spliced, settings: { ranges } })
    expect(textOf(await hear(clip.files[0]?.path ?? ''))).toBe(textOf(whole))
  })
})

/** The samples with others said before some of them, as people hesitate: after and before a pause. */
function withSplices(samples: Int16Array, splices: readonly Splice[], pause: Int16Array): Int16Array[] {
  let from = 0
  const parts = splices
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, samples: said }) => {
      const before = samples.subarray(from, at)
      from = at
      return [before, pause, said, pause]
    })
  return [...parts, samples.subarray(from)]
}
