import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Context } from '../../scripts/main.ts'
import { transcribeTrack } from '../../src/media/speech/transcribe-track.ts'
import { percentile } from '../percentile.ts'
import { type FinderTools, wholeTrack, withFinderTools } from './finder-tools.ts'
import { makeWithoutSpeech, putMusicUnder } from './make-sound.ts'
import { fetchRecordings, filesBelow } from './recordings.ts'
import { resultRows } from './result-rows.ts'
import { alignWords, comparedWords } from './word-errors.ts'

const run = promisify(execFile)

/** The default of the endpoint, and what its description calls possibly invented. */
const minConfidence = 0.3
const certain = 0.5
const promptCount = 200

/** Measures the transcript: its errors, its times, and words invented in other sound. */
export async function benchWords(context: Context, machine: string): Promise<string> {
  return withFinderTools(context, 1, async (tools) => {
    const recordings = await fetchRecordings('moonshine-voice', tools.workDir)
    const [cities = ''] = await filesBelow(recordings, /two_cities\.wav$/)
    const music = await filesBelow(await fetchRecordings('asterisk-moh-opsound-wav', tools.workDir), /\.wav$/)
    tools.say('reading with and without music')
    const clean = await measureErrors(tools, cities)
    const underMusic = await measureErrors(tools, await putMusicUnder(tools, cities, music[0] ?? ''))
    tools.say(`transcribing ${promptCount} prompts`)
    const prompts = await measurePrompts(tools)
    tools.say('aligning the reading with its text')
    const times = await measureTimes(tools, cities)
    tools.say('30 minutes without speech')
    const invented = await measureInvented(tools, music)
    return describeWords({ clean, underMusic, prompts, times, invented, machine })
  })
}

async function wordsIn(tools: FinderTools, file: string) {
  const { words } = await transcribeTrack(await wholeTrack(tools, file))
  return words.filter(({ confidence }) => confidence >= minConfidence)
}

/** The beginning of *A Tale of Two Cities*, as it is read. */
const citiesText = `It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness,
it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness, it was the
spring of hope, it was the winter of despair, we had everything before us, we had nothing before us, we were all going direct to
Heaven, we were all going direct the other way; in short, the period was so far like the present period, that some of its noisiest
authorities insisted on its being received, for good or for evil, in the superlative degree of comparison only.`

async function measureErrors(tools: FinderTools, file: string) {
  const heard = await wordsIn(tools, file)
  const truth = comparedWords(citiesText)
  const { errors } = alignWords(
    truth,
    heard.flatMap(({ text }) => comparedWords(text)),
  )
  tools.say(`${errors} of ${truth.length}: ${heard.map(({ text }) => text).join(' ')}`)
  return { errors, words: truth.length }
}

/** Prompts of three words or more, every so many in the order of their names. */
async function measurePrompts(tools: FinderTools) {
  const texts = await fetchRecordings('asterisk-core-sounds-en', tools.workDir)
  const [list = ''] = await filesBelow(texts, /core-sounds-en\.txt\.gz$/)
  const lines = gunzipSync(await readFile(list))
    .toString()
    .split('\n')
  const sounds = await filesBelow(await fetchRecordings('asterisk-core-sounds-en-wav', tools.workDir), /\.wav$/)
  const known = lines.flatMap((line) => {
    const [, name = '', text = ''] = /^([\w/-]+): (.*)$/.exec(line) ?? []
    const file = sounds.find((sound) => sound.endsWith(`/en_US_f_Allison/${name}.wav`))
    const words = comparedWords(text)
    return file && words.length >= 3 && !/[[\]()<>]/.test(text) ? [{ name, file, words }] : []
  })
  const chosen = Array.from({ length: promptCount }, (_, at) => known[Math.floor((at * known.length) / promptCount)])
  let [errors, total, exact] = [0, 0, 0]
  for (const prompt of chosen) {
    if (!prompt) continue
    const heard = (await wordsIn(tools, prompt.file)).flatMap(({ text }) => comparedWords(text))
    const found = alignWords(prompt.words, heard).errors
    if (found > 0) tools.say(`${prompt.name}: "${prompt.words.join(' ')}" was heard as "${heard.join(' ')}"`)
    errors += found
    total += prompt.words.length
    exact += found === 0 ? 1 : 0
  }
  return { errors, words: total, exact, of: known.length }
}

const alignment = z.array(z.object({ word: z.string(), start: z.number() }))

/** PocketSphinx, another recognizer, finds the words of the known text. Frames are of 10 ms. */
const alignScript = `
import json, sys, wave
from pocketsphinx import Decoder
sound = wave.open(sys.argv[1], 'rb')
samples = sound.readframes(sound.getnframes())
decoder = Decoder(lm=None, samprate=float(sound.getframerate()))
decoder.set_align_text(sys.argv[2])
decoder.start_utt(); decoder.process_raw(samples, full_utt=True); decoder.end_utt()
words = [dict(word=seg.word.split('(')[0], start=seg.start_frame / 100) for seg in decoder.seg()]
print(json.dumps([each for each in words if not each['word'].startswith(('<', '['))]))
`

/** How far the start of each word is from where PocketSphinx finds it. */
async function measureTimes(tools: FinderTools, file: string) {
  const packages = path.join(tools.workDir, 'python')
  const [mono, script] = [path.join(tools.workDir, 'mono.wav'), path.join(tools.workDir, 'align.py')]
  await writeFile(script, alignScript)
  await run('python3', ['-m', 'pip', 'install', '-q', '--target', packages, 'pocketsphinx==5.1.1'])
  await run(tools.ffmpegPath, ['-v', 'error', '-i', file, '-ac', '1', '-ar', '16000', mono])
  const text = comparedWords(citiesText)
  const { stdout } = await run('python3', [script, mono, text.join(' ')], {
    env: { ...process.env, PYTHONPATH: packages },
  })
  const truth = alignment.parse(JSON.parse(stdout))
  const heard = (await wordsIn(tools, file)).flatMap((word) => comparedWords(word.text).map((each) => ({ each, word })))
  const { heardAt } = alignWords(
    truth.map(({ word }) => word),
    heard.map(({ each }) => each),
  )
  const errors = truth.flatMap(({ start }, at) => {
    const found = heard[heardAt[at] ?? -1]
    return found ? [Math.abs(found.word.start - start) * 1_000] : []
  })
  return { medianMs: percentile(errors, 0.5), p90Ms: percentile(errors, 0.9), words: errors.length }
}

async function measureInvented(tools: FinderTools, music: readonly string[]) {
  const { file, minutes, parts } = await makeWithoutSpeech(tools, music)
  const words = await wordsIn(tools, file)
  const partAt = (seconds: number) => parts.findLast(({ start }) => start <= seconds)?.what ?? ''
  for (const { text, start, confidence } of words)
    tools.say(`invented at ${start.toFixed(1)} s, in ${partAt(start)}: "${text}" (${confidence.toFixed(2)})`)
  const sure = words.filter(({ confidence }) => confidence >= certain)
  return { minutes, parts, words: words.length, certain: sure.length }
}

type Found<Measure extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Measure>>

interface WordFigures {
  readonly clean: Found<typeof measureErrors>
  readonly underMusic: Found<typeof measureErrors>
  readonly prompts: Found<typeof measurePrompts>
  readonly times: Found<typeof measureTimes>
  readonly invented: Found<typeof measureInvented>
  readonly machine: string
}

function describeWords({ clean, underMusic, prompts, times, invented, machine }: WordFigures): string {
  const rate = ({ errors, words }: { errors: number; words: number }) => errors / words
  const errorsOf = (found: { errors: number; words: number }) =>
    `${(rate(found) * 100).toFixed(1)} % (${found.errors} of ${found.words} words)`
  const rows = [
    ['errors in 44 s that are read', errorsOf(clean), '≤ 2 %', rate(clean) <= 0.02],
    ['the same, with music under it', errorsOf(underMusic), '≤ 4 %', rate(underMusic) <= 0.04],
    [`errors in ${promptCount} prompts of a telephone system`, errorsOf(prompts), '≤ 8 %', rate(prompts) <= 0.08],
    ['start of a word, off by: median', `${times.medianMs.toFixed(0)} ms`, '≤ 35 ms', times.medianMs <= 35],
    ['start of a word, off by: p90', `${times.p90Ms.toFixed(0)} ms`, '≤ 150 ms', times.p90Ms <= 150],
    [
      `words invented in ${invented.minutes} minutes without speech, reported as certain`,
      String(invented.certain),
      '0',
      invented.certain === 0,
    ],
  ] as const
  return `## Words

Written by \`npm run bench:finders -- words\`. ${machine}.

Errors are words that are wrong, missing or too many, with numbers written out and without regard to case and marks. The reading is \`two_cities.wav\` of
the package moonshine-voice; the music, of asterisk-moh-opsound-wav, is 12 dB below it. The prompts are every so many of the ${prompts.of} of
asterisk-core-sounds-en-wav with three words or more; ${prompts.exact} are exact. Starts are compared with those that PocketSphinx 5.1.1 finds for the known text, in ${times.words} words
of the reading: another recognizer, not the truth. Without speech: ${invented.parts.map(({ what }) => what).join(', ')}. Certain is a confidence of at least ${certain}; ${invented.words} words had at least ${minConfidence}, the default of \`min_confidence\`.

${resultRows(rows)}
`
}
