import path from 'node:path'
import { fillers as usualFillers } from '../../src/core/fillers.ts'
import { concatenate } from '../../src/core/many-numbers.ts'
import { durationOf, intersect, type Segment, totalDuration } from '../../src/core/segments.ts'
import { wholeMedia } from '../../src/endpoints/parse-settings.ts'
import type { TextCut } from '../../src/endpoints/timeline-suggest-ranges/find-cuts.ts'
import { rangesFromWords } from '../../src/endpoints/timeline-suggest-ranges/run.ts'
import { transcribeTrack } from '../../src/media/speech/transcribe-track.ts'
import { modelSampleRate } from '../../src/models/models.ts'
import { describeFigures } from '../figures.ts'
import { type FinderTools, randomNumbers, readSamples, wholeTrack, writeSamples } from './finder-tools.ts'
import { recordingsOf } from './recordings.ts'
import { rmsOf, type SpokenFiller, speakFillers } from './spoken-fillers.ts'

const fillerCount = 210
const promptCount = 200
/** The default of `audio/find-words`. */
const minConfidence = 0.3

/** `finders fillers`: fillers said in the pauses of recordings, and what is taken for fillers in the recordings themselves. */
export async function measureFillers(tools: FinderTools): Promise<string> {
  const readings = await recordingsOf('moonshine-voice', /\.wav$/, tools.workDir)
  const talks: Talk[] = []
  for (const file of readings) talks.push(await readTalk(tools, file))
  tools.say(`mixing fillers into ${talks.length} recordings`)
  const made = await measureMade(tools, talks)
  const prompts = await recordingsOf('asterisk-core-sounds-en-wav', /\/en_US_f_Allison\/[^/]*\.wav$/, tools.workDir)
  const chosen = Array.from(
    { length: promptCount },
    (_, at) => prompts[Math.floor((at * prompts.length) / promptCount)],
  )
  const real = await measureReal(tools, [...readings, ...chosen.filter((file) => file !== undefined)])
  const percent = (count: number) => (count / made.fillers) * 100
  const figures = [
    { name: `found, of ${made.fillers} fillers`, value: percent(made.cut + made.listed), goal: 90, unit: '%', isFloor },
    { name: 'cut', value: percent(made.cut), goal: 90, unit: '%', isFloor },
    { name: `words touched, of ${made.words}`, value: made.touched, goal: 0, unit: '' },
    { name: 'cuts without a filler in an hour of it', value: made.wrongCuts / made.hours, goal: 0, unit: '' },
    { name: 'listed without a filler in an hour of it', value: made.wrongListed / made.hours, goal: 60, unit: '' },
    { name: 'cuts in an hour of speech without fillers', value: real.cuts / real.hours, goal: 0, unit: '' },
    { name: 'words that they touch', value: real.touched, goal: 0, unit: '' },
    { name: 'listed in an hour of speech without fillers', value: real.listed / real.hours, goal: 60, unit: '' },
  ]
  return `## Fillers

espeak-ng says uh, um, er, erm, mm, hmm and ah in the pauses of ${talks.length} recordings of moonshine-voice, in 18 voices, 0 to 8 dB below the speech,
with 0 to 0.35 s of the recording's quiet on each side; ${made.minutes.toFixed(0)} minutes. Found is what is cut, or listed in \`uncut\`. A filler is cut if at least 90 % of it
goes. Words are those that are heard without the fillers. The speech without fillers is these recordings and ${promptCount} prompts of
asterisk-core-sounds-en-wav, ${real.minutes.toFixed(0)} minutes.

${describeFigures(figures)}

${made.byText}
`
}

const isFloor = true as const

/** A recording, with what is heard in it. */
interface Talk {
  readonly samples: Float32Array
  readonly words: readonly HeardIn[]
}

type HeardIn = Awaited<ReturnType<typeof hear>>['words'][number]

async function hear(tools: FinderTools, file: string) {
  const track = await wholeTrack(tools, file)
  const { words, hesitations = [] } = await transcribeTrack(track)
  const mediaSeconds = durationOf(track.window)
  return { words: words.filter(({ confidence }) => confidence >= minConfidence), hesitations, mediaSeconds }
}

async function readTalk(tools: FinderTools, file: string): Promise<Talk> {
  return { samples: await readSamples(tools, file), words: (await hear(tools, file)).words }
}

/** What the chain `clean-speech` cuts and lists. */
async function cutsIn(tools: FinderTools, file: string) {
  const heard = await hear(tools, file)
  const wanted = { removeWords: usualFillers, removeRepeats: true, keepText: undefined }
  const none = { cuts: [], uncut: [] }
  const { cuts, uncut } =
    heard.words.length === 0
      ? none
      : await rangesFromWords({ ...heard, window: wholeMedia }, { ...wanted, hesitations: heard.hesitations })
  return { ...heard, cuts, uncut }
}

interface MixedTalk {
  readonly parts: readonly Float32Array[]
  readonly fillers: readonly (Segment & { readonly filler: SpokenFiller })[]
  /** Of the recording, where they are now. */
  readonly words: readonly Segment[]
}

const mostBelowDb = 8
const quietSeconds = [0, 0.05, 0.1, 0.2, 0.35]

/** A shorter gap between words is no pause. */
const minPauseSeconds = 0.15
/** Of the pauses, those with a filler. */
const filledShare = 0.8

/** Says fillers in most pauses between words. */
function mixInto({ samples, words }: Talk, said: SpokenFiller[], random: () => number): MixedTalk {
  const speech = rmsOf(concatenate(words.map(({ start, end }) => samples.subarray(sampleAt(start), sampleAt(end)))))
  const tone = roomTone(samples, words)
  const parts: Float32Array[] = []
  const fillers: (Segment & { filler: SpokenFiller })[] = []
  const moved: Segment[] = []
  let [from, added] = [0, 0]
  const add = (part: Float32Array) => {
    parts.push(part)
    added += part.length
  }
  for (const [index, { start, end, quietAfter }] of words.entries()) {
    moved.push({ start: start + added / modelSampleRate, end: end + added / modelSampleRate })
    const isPause = (words[index + 1]?.start ?? 0) - end >= minPauseSeconds && random() < filledShare
    const filler = typeof quietAfter === 'number' && isPause ? said.pop() : undefined
    if (!filler || typeof quietAfter !== 'number') continue
    const at = sampleAt(quietAfter)
    parts.push(samples.subarray(from, at))
    from = at
    const gain = (speech / rmsOf(filler.samples)) * 10 ** ((-random() * mostBelowDb) / 20)
    const quiet = () => tone(sampleAt(quietSeconds[Math.floor(random() * quietSeconds.length)] ?? 0))
    add(quiet())
    const first = (at + added) / modelSampleRate
    const under = tone(filler.samples.length)
    add(filler.samples.map((sample, index) => sample * gain + (under[index] ?? 0)))
    fillers.push({ start: first, end: (at + added) / modelSampleRate, filler })
    add(quiet())
  }
  return { parts: [...parts, samples.subarray(from)], fillers, words: moved }
}

function sampleAt(seconds: number): number {
  return Math.round(seconds * modelSampleRate)
}

const wordMarginSeconds = 0.06

/** Returns the quiet of the recording's longest pause, to and fro for as long as is asked for. */
function roomTone(samples: Float32Array, words: readonly Segment[]): (length: number) => Float32Array {
  const gaps = words.slice(1).map(({ start }, at) => ({ start: words[at]?.end ?? 0, end: start }))
  const longest = gaps.reduce((best, gap) => (durationOf(gap) > durationOf(best) ? gap : best), { start: 0, end: 0 })
  const tone = samples.subarray(sampleAt(longest.start + wordMarginSeconds), sampleAt(longest.end - wordMarginSeconds))
  return (length) =>
    Float32Array.from({ length }, (_, at) => {
      const within = at % (2 * tone.length)
      return tone[within < tone.length ? within : 2 * tone.length - 1 - within] ?? 0
    })
}

const goneShare = 0.9
const foundShare = 0.3
/** Times of words are off by this much, from one transcript to the next. */
const touchingSeconds = 0.02

async function measureMade(tools: FinderTools, talks: readonly Talk[]) {
  const said = await speakFillers(tools, fillerCount)
  const random = randomNumbers(1)
  const sums = { fillers: 0, cut: 0, listed: 0, words: 0, touched: 0, wrongCuts: 0, wrongListed: 0, seconds: 0 }
  const byText = new Map<string, { said: number; cut: number; listed: number }>()
  for (let round = 0; said.length > 0; round += 1) {
    const talk = talks[round % talks.length]
    if (!talk) break
    const mixed = mixInto(talk, said, random)
    const file = path.join(tools.workDir, 'with-fillers.wav')
    await writeSamples(tools, mixed.parts, file)
    const { found, ...counts } = compareMixed(mixed, await cutsIn(tools, file), tools.say)
    for (const { text, isCut, isListed } of found) {
      const count = byText.get(text) ?? { said: 0, cut: 0, listed: 0 }
      byText.set(text, { said: count.said + 1, cut: count.cut + +isCut, listed: count.listed + +isListed })
      sums.cut += +isCut
      sums.listed += +isListed
    }
    sums.fillers += found.length
    sums.words += mixed.words.length
    sums.touched += counts.touched
    sums.wrongCuts += counts.wrongCuts
    sums.wrongListed += counts.wrongListed
    sums.seconds += counts.seconds
    tools.say(`so far ${sums.cut} cut and ${sums.listed} listed of ${sums.fillers}, ${sums.touched} words touched`)
  }
  const rows = [...byText].map(([text, { said: all, cut, listed }]) => `| ${text} | ${all} | ${cut} | ${listed} |`)
  const table = ['| | said | cut | listed |', '|---|---|---|---|', ...rows].join('\n')
  return { ...sums, hours: sums.seconds / 3600, minutes: sums.seconds / 60, byText: table }
}

/** What became of each filler, and what was cut and listed besides. */
function compareMixed(
  { fillers, words }: MixedTalk,
  { cuts, uncut, mediaSeconds, ...heard }: Awaited<ReturnType<typeof cutsIn>>,
  say: (message: string) => void,
) {
  const found = fillers.map(({ filler: { text, voice }, ...each }) => {
    const isCut = shareOf(each, cuts) >= goneShare
    const isListed = !isCut && shareOf(each, [...cuts, ...uncut]) >= foundShare
    const near = heard.words.filter(({ start, end }) => end > each.start - 0.5 && start < each.end + 0.5)
    const said = near.map((word) => `${word.text} ${describe(word)}`).join(', ')
    if (!isCut) say(`${isListed ? 'listed' : 'missed'}: ${text} (${voice}) at ${describe(each)}, heard: ${said}`)
    return { text, isCut, isListed }
  })
  const touched = words.filter((word) => touches(word, cuts))
  for (const word of touched) {
    const by = cuts.filter((cut) => touches(word, [cut])).map((cut) => `${cut.text} (${cut.reason}) ${describe(cut)}`)
    say(`touched: a word at ${describe(word)}, by ${by.join(', ')}`)
  }
  const isWrong = (each: Segment) => fillers.every((filler) => totalDuration(intersect([filler], [each])) === 0)
  const wrong = cuts.filter(isWrong)
  for (const cut of wrong) say(`cut: ${cut.text} (${cut.reason}) at ${describe(cut)}`)
  return {
    ...{ found, touched: touched.length, wrongCuts: wrong.length },
    ...{ wrongListed: uncut.filter(isWrong).length, seconds: mediaSeconds },
  }
}

function describe({ start, end }: Segment): string {
  return `${start.toFixed(2)}–${end.toFixed(2)}`
}

function shareOf(filler: Segment, found: readonly Segment[]): number {
  return totalDuration(intersect([filler], found)) / durationOf(filler)
}

function touches({ start, end }: Segment, cuts: readonly Segment[]): boolean {
  return cuts.some((cut) => cut.start < end - touchingSeconds && start + touchingSeconds < cut.end)
}

/** What is cut and listed in speech that has no fillers, and the words of its transcript that are touched. */
async function measureReal(tools: FinderTools, files: readonly string[]) {
  let [seconds, touched] = [0, 0]
  const [cuts, listed]: [TextCut[], TextCut[]] = [[], []]
  for (const file of files) {
    const found = await cutsIn(tools, file)
    const bySound = found.cuts.filter(({ reason }) => reason === 'sound')
    const say = (what: string, { reason, text, ...span }: TextCut) =>
      tools.say(`${path.basename(file)}, ${what}: ${text} (${reason}) at ${describe(span)}`)
    for (const cut of found.cuts) say('cut', cut)
    for (const each of found.uncut) say('listed', each)
    cuts.push(...found.cuts)
    listed.push(...found.uncut)
    touched += found.words.filter((word) => touches(word, bySound)).length
    seconds += found.mediaSeconds
  }
  return { cuts: cuts.length, listed: listed.length, touched, hours: seconds / 3600, minutes: seconds / 60 }
}
