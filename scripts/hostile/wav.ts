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
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  // PCM, one channel.
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(samplesPerSecond, 24)
  head.writeUInt32LE(samplesPerSecond, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}
