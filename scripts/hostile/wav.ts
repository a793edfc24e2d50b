import { monoWav } from './wav-head.ts'

const samplesPerSecond = 1000
/** On for 0.1 seconds, off for 0.1. */
const samplesPerHalf = 100

/** A WAV of 8-bit samples with five beeps a second. */
export function beepsWav(seconds: number): Buffer {
  const samples = Buffer.alloc(seconds * samplesPerSecond, 128)
  for (let at = 0; at < samples.length; at++) {
    const isOn = Math.floor(at / samplesPerHalf) % 2 === 0
    if (isOn) samples[at] = at % 2 === 0 ? 28 : 228
  }
  return monoWav({ samples, sampleRate: samplesPerSecond, bitsPerSample: 8 })
}
