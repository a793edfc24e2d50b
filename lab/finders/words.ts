import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import leven from 'leven'
import { transcribeTrack } from '../../src/media/speech/transcribe-track.ts'
import { describeFigures } from '../figures.ts'
import { type FinderTools, runFfmpeg, wholeTrack } from './finder-tools.ts'
import { recordingsOf } from './recordings.ts'

/** The default of the endpoint, and what its description calls possibly invented. */
const minConfidence = 0.3
const certain = 0.5
const promptCount = 200

/** `finders words`: errors of the transcript, and words invented in other sound. */
export async function measureWords(tools: FinderTools): Promise<string> {
  const [cities = ''] = await recordingsOf('moonshine-voice', /two_cities\.wav$/, tools.workDir)
  const music = await recordingsOf('asterisk-moh-opsound-wav', /\.wav$/, tools.workDir)
  tools.say('reading with and without music')
  const clean = await measureErrors(tools, cities)
  const underMusic = await measureErrors(tools, await putMusicUnder(tools, cities, music[0] ?? ''))
  tools.say(`transcribing ${promptCount} prompts`)
  const prompts = await measurePrompts(tools)
  tools.say('30 minutes without speech')
  const invented = await measureInvented(tools, music)
  const percent = ({ errors, words }: { errors: number; words: number }) => (errors / words) * 100
  const figures = [
    { name: `errors in ${clean.words} words that are read`, value: percent(clean), goal: 2, unit: '%' },
    { name: 'the same, with music under it', value: percent(underMusic), goal: 4, unit: '%' },
    { name: `errors in ${promptCount} prompts of a telephone system`, value: percent(prompts), goal: 8, unit: '%' },
    { name: 'words invented in 30 minutes without speech, as certain', value: invented.certain, goal: 0, unit: '' },
  ]
  return `## Words

Errors are words that are wrong, missing or too many, with numbers written out and without regard to case and marks. The reading is \`two_cities.wav\` of
the package moonshine-voice; the music, of asterisk-moh-opsound-wav, is 12 dB below it. The prompts are every so many of the ${prompts.of} of
asterisk-core-sounds-en-wav with three words or more; ${prompts.exact} are exact. Without speech: ${invented.what.join(', ')}. Certain is a
confidence of at least ${certain}; ${invented.words} words had at least ${minConfidence}, the default of \`min_confidence\`.

${describeFigures(figures)}
`
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
  const errors = wordErrors(
    truth,
    heard.flatMap(({ text }) => comparedWords(text)),
  )
  tools.say(`${errors} of ${truth.length}: ${heard.map(({ text }) => text).join(' ')}`)
  return { errors, words: truth.length }
}

/** Word errors in a sample of the prompts of three words or more, evenly spaced in the order of their names. */
async function measurePrompts(tools: FinderTools) {
  const [list = ''] = await recordingsOf('asterisk-core-sounds-en', /core-sounds-en\.txt\.gz$/, tools.workDir)
  const lines = gunzipSync(await readFile(list))
    .toString()
    .split('\n')
  const sounds = await recordingsOf('asterisk-core-sounds-en-wav', /\.wav$/, tools.workDir)
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
    const found = wordErrors(prompt.words, heard)
    if (found > 0) tools.say(`${prompt.name}: "${prompt.words.join(' ')}" was heard as "${heard.join(' ')}"`)
    errors += found
    total += prompt.words.length
    exact += found === 0 ? 1 : 0
  }
  return { errors, words: total, exact, of: known.length }
}

async function measureInvented(tools: FinderTools, music: readonly string[]) {
  const { file, parts } = await makeWithoutSpeech(tools, music)
  const words = await wordsIn(tools, file)
  const partAt = (seconds: number) => parts.findLast(({ start }) => start <= seconds)?.what ?? ''
  for (const { text, start, confidence } of words)
    tools.say(`invented at ${start.toFixed(1)} s, in ${partAt(start)}: "${text}" (${confidence.toFixed(2)})`)
  const sure = words.filter(({ confidence }) => confidence >= certain)
  return { what: parts.map(({ what }) => what), words: words.length, certain: sure.length }
}

/** The words of a text for a comparison: lower case, without marks, numbers in digits written out, hyphens as spaces. */
export function comparedWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/\d+/g, (digits) => ` ${numberWords(Number(digits))} `)
    .replaceAll(/[^a-z]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => sameWords[word] ?? word)
}

/** Spellings of one word. */
const sameWords: Readonly<Record<string, string>> = { ok: 'okay', mr: 'mister', mrs: 'missus', dr: 'doctor' }

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function numberWords(value: number): string {
  if (value < 20) return ones[value] ?? ''
  if (value < 100) return `${tens[Math.floor(value / 10) - 2]}${value % 10 ? ` ${ones[value % 10]}` : ''}`
  if (value < 1_000)
    return `${ones[Math.floor(value / 100)]} hundred${value % 100 ? ` ${numberWords(value % 100)}` : ''}`
  return `${numberWords(Math.floor(value / 1_000))} thousand${value % 1_000 ? ` ${numberWords(value % 1_000)}` : ''}`
}

/** The fewest words to change, add or leave out, so that what was heard is the truth: each word is a letter to `leven`. */
export function wordErrors(truth: readonly string[], heard: readonly string[]): number {
  const known = [...new Set([...truth, ...heard])]
  const letters = (words: readonly string[]) => String.fromCharCode(...words.map((word) => known.indexOf(word)))
  return leven(letters(truth), letters(heard))
}

/** A recording with music under it, 12 dB below: both are set to the same loudness first. */
async function putMusicUnder(tools: FinderTools, voice: string, music: string): Promise<string> {
  const file = path.join(tools.workDir, 'voice-over-music.wav')
  const level = (input: string, lufs: number) =>
    `[${input}]aresample=48000,aformat=channel_layouts=mono,loudnorm=I=${lufs}:TP=-2`
  const graph = `${level('0:a', -18)}[voice];${level('1:a', -30)}[music];[voice][music]amix=duration=first:normalize=0`
  await runFfmpeg(tools, [
    '-i',
    voice,
    '-stream_loop',
    '-1',
    '-i',
    music,
    '-filter_complex',
    graph,
    '-ar',
    '16000',
    file,
  ])
  return file
}

/** Thirty minutes of music, crowds, applause, laughter and noise, one after the other. */
async function makeWithoutSpeech(tools: FinderTools, music: readonly string[]) {
  const crowds = await recordingsOf('etw-data', /crowd.*\.wav$|\/(?:ole|cheer).*\.wav$/i, tools.workDir)
  const claps = await recordingsOf('circuslinux-data', /(?:applause|cheering)[^/]*\.wav$/i, tools.workDir)
  const human = await recordingsOf('scratch', /Laugh-[^/]*\.(?:wav|mp3)$/, tools.workDir)
  const wanted = [
    { what: 'music', minutes: 12, files: music },
    { what: 'crowds', minutes: 4, files: crowds },
    { what: 'applause and cheers', minutes: 4, files: claps },
    { what: 'laughter', minutes: 4, files: human },
    ...['white', 'pink', 'brown'].map((color) => ({ what: `${color} noise`, minutes: 2, files: [] })),
  ]
  const made: string[] = []
  for (const [index, { what, minutes, files }] of wanted.entries()) {
    const file = path.join(tools.workDir, `without-speech-${index}.wav`)
    const noise = ['-f', 'lavfi', '-i', `anoisesrc=color=${what.split(' ')[0]}:amplitude=0.3:sample_rate=16000`]
    const inputs = files.flatMap((each) => ['-i', each])
    const joined = `${files.map((_, at) => `[${at}:a]aresample=16000,aformat=channel_layouts=mono[${at}x];`).join('')}${files.map((_, at) => `[${at}x]`).join('')}concat=n=${files.length}:v=0:a=1`
    const loop = 'aloop=loop=-1:size=2147483647'
    const sound = files.length > 0 ? [...inputs, '-filter_complex', `${joined},${loop}`] : noise
    await runFfmpeg(tools, [...sound, '-t', String(minutes * 60), '-ac', '1', '-ar', '16000', file])
    made.push(file)
  }
  const file = path.join(tools.workDir, 'without-speech.wav')
  const all = made.map((_, at) => `[${at}:a]`).join('')
  await runFfmpeg(tools, [
    ...made.flatMap((each) => ['-i', each]),
    '-filter_complex',
    `${all}concat=n=${made.length}:v=0:a=1`,
    file,
  ])
  const parts = wanted.map(({ what }, at) => ({
    what,
    start: wanted.slice(0, at).reduce((sum, each) => sum + each.minutes * 60, 0),
  }))
  return { file, parts }
}
