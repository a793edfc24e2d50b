export interface WavSound {
  readonly samples: Buffer
  readonly sampleRate: number
  readonly bitsPerSample: 8 | 16
}

/** A WAV with one channel, as https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html describes it. */
export function monoWav({ samples, sampleRate, bitsPerSample }: WavSound): Buffer {
  const bytesPerSample = bitsPerSample / 8
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  // PCM, one channel.
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(bytesPerSample * sampleRate, 28)
  header.writeUInt16LE(bytesPerSample, 32)
  header.writeUInt16LE(bitsPerSample, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}
