import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { durationOf, joinAcross } from '../../../src/core/segments.ts'
import { createCores } from '../../../src/media/sound/decode-audio.ts'
import { fileSource } from '../../../src/media/source/media-source.ts'
import { transcribeTrack } from '../../../src/media/speech/transcribe-track.ts'
import { type Models, modelInterfaces, modelSampleRate, speechFrameLength } from '../../../src/models/models.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'
import { floatWavOf } from '../wav.ts'
import { madeGlide, madeSound, madeVoice } from './made-voice.ts'

const heldSeconds = 0.4
/** A longer glide sounds held. */
const wordSeconds = 0.2
const words = (...starts: number[]) => starts.map((at) => ({ at, samples: madeGlide(wordSeconds) }))
const held = (at: number) => ({ at, samples: madeVoice({ seconds: heldSeconds }) })

function loudest(samples: Float32Array): number {
  return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
}

/** Where samples are loud, by frames of 10 ms. */
function soundsIn(samples: Float32Array) {
  const frameLength = modelSampleRate / 100
  const frames = Array.from({ length: Math.floor(samples.length / frameLength) }, (_, at) => ({
    ...{ start: at / 100, end: (at + 1) / 100 },
    isLoud: loudest(samples.subarray(at * frameLength, (at + 1) * frameLength)) > 0.02,
  }))
  const loud = frames.filter(({ isLoud }) => isLoud)
  return joinAcross(loud, 0.1)
}

/** The chance of speech: it is what is loud. */
function chancesIn(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / speechFrameLength) }, (_, frame) =>
    loudest(samples.subarray(frame * speechFrameLength, (frame + 1) * speechFrameLength)) > 0.02 ? 0.95 : 0.02,
  )
}

type TextOf = (seconds: number) => string | undefined

/** A word for each sound, as `textOf` writes it. */
function wordsIn(samples: Float32Array, textOf: TextOf) {
  return soundsIn(samples).flatMap((sound) => {
    const text = textOf(durationOf(sound))
    return text === undefined ? [] : [{ ...sound, text, confidence: 0.9 }]
  })
}

function loudModels(textOf: TextOf, onHeard: (samples: Float32Array) => void): Models {
  return {
    has: () => true,
    run: async (name, input) => {
      const samples = z.instanceof(Float32Array).parse(input)
      const { output } = modelInterfaces[name]
      if (name === 'voice-activity') return output.parse(chancesIn(samples))
      onHeard(samples)
      return output.parse(wordsIn(samples, textOf))
    },
  }
}

const isWord = (seconds: number) => seconds < (heldSeconds + wordSeconds) / 2

async function transcribe(samples: Float32Array, models: Models, signal = never) {
  const file = path.join(temporaryFolder(), 'speech.wav')
  await writeFile(file, floatWavOf(samples, modelSampleRate))
  const ffmpeg = testFfmpeg()
  const info = await inspectFile(file, ffmpeg, never)
  return transcribeTrack({
    ...{ media: { info, open: () => fileSource(file) }, ffmpeg, cores: createCores(1), models, signal },
    ...{ input: { path: file, format: 'wav' }, trackIndex: 0, window: { start: 0, end: info.durationSeconds } },
    onProgress: () => {},
  })
}

/** Two stretches of speech, the first with a held sound. */
const speech = madeSound(10, [...words(1, 2.8, 6, 6.9), held(2)])

it('only stretches with a held sound are transcribed again, once, without it', async () => {
  const heard: Float32Array[] = []
  const said = loudModels(
    (seconds) => (isWord(seconds) ? 'word' : undefined),
    (samples) => heard.push(samples),
  )
  const { words: found, hesitations = [] } = await transcribe(speech, said)
  expect(heard.map((samples) => soundsIn(samples).length)).toEqual([3, 2, 2])
  expect(heard[2]).toHaveLength(heard[0]?.length ?? 0)
  expect(found.map(({ start }) => start)).toEqual([1, 2.8, 6, 6.9].map((start) => expect.closeTo(start, 1)))
  expect(hesitations).toMatchObject([{ start: expect.closeTo(2, 1), end: expect.closeTo(2.4, 1) }])
  expect(hesitations[0]?.quietBefore).toBeTypeOf('number')
})

it('a canceled job transcribes nothing again', async () => {
  const canceled = new AbortController()
  let calls = 0
  const said = loudModels(
    (seconds) => (isWord(seconds) ? 'word' : undefined),
    () => {
      calls += 1
      if (calls === 2) canceled.abort(new Error('canceled'))
    },
  )
  await expect(transcribe(speech, said, canceled.signal)).rejects.toThrow('canceled')
  expect(calls).toBe(2)
})

it('a filler at the end of the media has the times of its word, and ends with the media', async () => {
  const said = loudModels(
    (seconds) => (isWord(seconds) ? 'word' : 'Uh.'),
    () => {},
  )
  const { words: found, hesitations = [] } = await transcribe(madeSound(2.4, [...words(1), held(2)]), said)
  const [{ start, end } = expect.fail()] = hesitations
  expect(found.at(-1)).toMatchObject({ text: 'Uh.', start, end })
  expect(end).toBeLessThanOrEqual(2.4)
})

it('models hear numbers only, also in sound with samples that are none', async () => {
  const broken = speech.map((sample, at) =>
    at % 4_000 === 0 ? ([NaN, Infinity, -Infinity][(at / 4_000) % 3] ?? 0) : sample,
  )
  const heard: Float32Array[] = []
  const said = loudModels(
    () => 'word',
    (samples) => heard.push(samples),
  )
  const { decodeErrors } = await transcribe(broken, said)
  expect(heard.length).toBeGreaterThan(0)
  expect(heard.every((samples) => samples.every(Number.isFinite))).toBe(true)
  expect(decodeErrors).toBeGreaterThan(0)
})
