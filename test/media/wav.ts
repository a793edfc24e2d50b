/** A WAV file of these samples, one after the other: PCM, one channel, 16 bits. */
export function wavOf(parts: readonly Int16Array[], sampleRate: number): Buffer {
  const samples = Buffer.concat(
    parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  )
  return wavFile(samples, { format: 1, bytesPerSample: 2, sampleRate })
}

/** The same with floating-point samples of 32 bits. */
export function floatWavOf({ buffer, byteOffset, byteLength }: Float32Array, sampleRate: number): Buffer {
  return wavFile(Buffer.from(buffer, byteOffset, byteLength), { format: 3, bytesPerSample: 4, sampleRate })
}

interface WavFormat {
  /** 1 for integers, 3 for floating point. */
  readonly format: 1 | 3
  readonly bytesPerSample: number
  readonly sampleRate: number
}

function wavFile(samples: Buffer, { format, bytesPerSample, sampleRate }: WavFormat): Buffer {
  const head = Buffer.from('RIFF----WAVEfmt ----------------------data----', 'latin1').subarray(0, 44)
  head.writeUInt32LE(36 + samples.length, 4)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(format, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(sampleRate, 24)
  head.writeUInt32LE(bytesPerSample * sampleRate, 28)
  head.writeUInt16LE(bytesPerSample, 32)
  head.writeUInt16LE(8 * bytesPerSample, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}
