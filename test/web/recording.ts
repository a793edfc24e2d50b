const sampleRate = 16_000

/** A recording of tones of 1.5 s with pauses of a second after each, as a file that a person chooses: 20 seconds for 8 tones. */
export function recordingWithPauses(tones = 8): { name: string; mimeType: string; buffer: Buffer } {
  const samples = new Int16Array(tones * 2.5 * sampleRate)
  for (let index = 0; index < samples.length; index++) {
    const seconds = index / sampleRate
    if (seconds % 2.5 < 1.5) samples[index] = Math.round(9000 * Math.sin(2 * Math.PI * 220 * seconds))
  }
  const header = wavHeader(samples.byteLength, { sampleRate, channels: 1 })
  return { name: 'episode.wav', mimeType: 'audio/wav', buffer: Buffer.concat([header, Buffer.from(samples.buffer)]) }
}

/** The first 44 bytes of a WAV file with 16-bit samples. */
export function wavHeader(
  dataBytes: number,
  { sampleRate, channels }: { sampleRate: number; channels: number },
): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + dataBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * 2 * channels, 28)
  header.writeUInt16LE(2 * channels, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(dataBytes, 40)
  return header
}

/** The length of a WAV file, in seconds. */
export function secondsOfWav(file: Buffer): number {
  const data = file.indexOf('data')
  return (file.length - data - 8) / file.readUInt32LE(28)
}
