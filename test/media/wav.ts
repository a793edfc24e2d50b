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

/**
 * A WAV file of 16 bits with these channels, as field recorders write them: WAVE_FORMAT_EXTENSIBLE, which states where each is heard, or
 * with no mask does not.
 */
export function manyChannelWav(channels: readonly Int16Array[], sampleRate: number, mask = 0): Buffer {
  const frameBytes = 2 * channels.length
  const frames = Math.max(...channels.map(({ length }) => length))
  const [head, data] = [Buffer.alloc(68), Buffer.alloc(frames * frameBytes)]
  for (const [channel, samples] of channels.entries())
    for (const [frame, sample] of samples.entries()) data.writeInt16LE(sample, frame * frameBytes + 2 * channel)
  head.write('RIFF----WAVEfmt ', 'latin1')
  head.writeUInt32LE(60 + data.length, 4)
  head.writeUInt32LE(40, 16)
  for (const [offset, value] of [0xfffe, channels.length].entries()) head.writeUInt16LE(value, 20 + 2 * offset)
  head.writeUInt32LE(sampleRate, 24)
  head.writeUInt32LE(sampleRate * frameBytes, 28)
  for (const [offset, value] of [frameBytes, 16, 22, 16].entries()) head.writeUInt16LE(value, 32 + 2 * offset)
  head.writeUInt32LE(mask, 40)
  head.write('0100000000001000800000aa00389b71', 44, 'hex')
  head.write('data', 60, 'latin1')
  head.writeUInt32LE(data.length, 64)
  return Buffer.concat([head, data])
}
