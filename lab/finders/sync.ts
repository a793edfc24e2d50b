import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { alignSound, type ComparedLevels, comparedLevels } from '../../src/media/sound/align-sound.ts'
import { chooseTrack } from '../../src/media/sound/decode-audio.ts'
import { stretchAround } from '../../src/media/sound/envelope.ts'
import { measureEnvelope } from '../../src/media/sound/envelopes.ts'
import { modelSampleRate } from '../../src/models/models.ts'
import { describeFigures } from '../figures.ts'
import { convertSound, type FinderTools, randomNumbers, readSamples, wholeTrack, writeSamples } from './finder-tools.ts'
import { recordingsOf } from './recordings.ts'
import { rmsOf } from './spoken-fillers.ts'

const languages = ['es', 'fr', 'it', 'ru']
const unrelated = ['asterisk-core-sounds-en-wav', 'asterisk-moh-opsound-wav']
const cameraCount = 20
const cameraSeconds = 3_600
const maxOffsetSeconds = 1_200
const maxDriftPpm = 40
const maxErrorMs = 10

/** `finders sync`: cameras made from one recording, on the clock of the first of them. */
export async function measureSync(tools: FinderTools): Promise<string> {
  const talk = await talkOf(
    tools,
    languages.map((language) => `asterisk-core-sounds-${language}-wav`),
  )
  const quiet = { startSeconds: 0, driftPpm: 0, gain: 1, noise: 0.01, echo: 0, echoSeconds: 0 }
  const reference = await levelsOf(tools, recorded(talk, quiet, randomNumbers(1)))
  const errorsMs: number[] = []
  for (let at = 0; at < cameraCount; at += 1) {
    const random = randomNumbers(at + 2)
    const camera = {
      startSeconds: random() * maxOffsetSeconds,
      driftPpm: (random() * 2 - 1) * maxDriftPpm,
      gain: 0.1 + random() * 1.4,
      noise: 0.01 + random() * 0.19,
      echo: random() * 0.5,
      echoSeconds: 0.03 + random() * 0.12,
    }
    const other = await levelsOf(tools, recorded(talk, camera, random))
    errorsMs.push(await worstErrorMs(reference, other, camera))
    tools.say(`camera ${at + 1}: ${errorsMs.at(-1)?.toFixed(2)} ms`)
  }
  let placed = 0
  for (const name of unrelated) {
    const other = await levelsOf(tools, [await talkOf(tools, [name])])
    if (await alignSound(reference, other)) placed += 1
  }
  const within = errorsMs.filter((error) => error <= maxErrorMs)
  const figures = [
    { name: `placed to ${maxErrorMs} ms at every minute`, value: within.length, goal: 19, unit: '', isFloor },
    { name: 'largest error of these', value: Math.max(...within), goal: maxErrorMs, unit: 'ms' },
    { name: 'unrelated recordings that were placed', value: placed, goal: 0, unit: '' },
  ]
  return `## Sync

${cameraCount} cameras of an hour, made from ${(talk.length / modelSampleRate / 60).toFixed(0)} minutes of prompts in four languages (asterisk-core-sounds). They begin up to
${maxOffsetSeconds / 60} minutes later than the first camera, run up to ${maxDriftPpm} ppm slower or faster, are 0.1 to 1.5 times as loud, and have noise of 1 to 20 %
of the level of the speech and an echo of up to half its level. Unrelated are the English prompts, and music (asterisk-moh-opsound).

${describeFigures(figures)}
`
}

const isFloor = true as const

interface Camera {
  /** When it begins, in the talk. */
  readonly startSeconds: number
  readonly driftPpm: number
  readonly gain: number
  /** Its share of the level of the talk. */
  readonly noise: number
  readonly echo: number
  readonly echoSeconds: number
}

/** A second of what a camera records at a time. */
function recorded(talk: Float32Array, camera: Camera, random: () => number): Float32Array[] {
  const { startSeconds, driftPpm, gain, noise, echo, echoSeconds } = camera
  const noiseLevel = rmsOf(talk) * noise * Math.sqrt(3)
  const sampleAt = (seconds: number) => {
    const at = Math.max(0, seconds * modelSampleRate)
    const [before = 0, after = 0] = [talk[Math.floor(at)], talk[Math.floor(at) + 1]]
    return before + (after - before) * (at % 1)
  }
  return Array.from({ length: cameraSeconds }, (_, second) =>
    Float32Array.from({ length: modelSampleRate }, (_sample, at) => {
      const moment = startSeconds + (second + at / modelSampleRate) * (1 + driftPpm / 1e6)
      return gain * (sampleAt(moment) + echo * sampleAt(moment - echoSeconds) + (random() * 2 - 1) * noiseLevel)
    }),
  )
}

/** Infinity if the camera was not placed. */
async function worstErrorMs(reference: ComparedLevels, other: ComparedLevels, camera: Camera): Promise<number> {
  const found = await alignSound(reference, other)
  if (!found) return Infinity
  const errors = Array.from({ length: cameraSeconds / 60 + 1 }, (_, minute) => {
    const foundAt = found.offsetSeconds + minute * 60 * (1 + found.driftPpm / 1e6)
    return Math.abs(foundAt - (camera.startSeconds + minute * 60 * (1 + camera.driftPpm / 1e6)))
  })
  return Math.max(...errors) * 1000
}

async function levelsOf(tools: FinderTools, parts: readonly Float32Array[]): Promise<ComparedLevels> {
  const file = path.join(tools.workDir, 'camera.wav')
  await writeSamples(tools, parts, file)
  const track = await wholeTrack(tools, file)
  const chosen = chooseTrack(track.media.info, 'default')
  return comparedLevels(await measureEnvelope({ ...track, track: chosen, stretch: stretchAround(track.window) }))
}

/** Recordings one after the other, as the models read them. */
async function talkOf(tools: FinderTools, packages: readonly string[]): Promise<Float32Array> {
  const files: string[] = []
  for (const name of packages) files.push(...(await recordingsOf(name, /(?<!\/silence\/[^/]*)\.wav$/, tools.workDir)))
  const list = path.join(tools.workDir, 'talk.txt')
  await writeFile(list, files.map((file) => `file '${file}'\n`).join(''))
  const talk = path.join(tools.workDir, 'talk.wav')
  await convertSound(tools, ['-f', 'concat', '-safe', '0', '-i', list], talk)
  return readSamples(tools, talk)
}
