/** The linear amplitude of a level from a caller: 0 or below is dBFS, above 0 up to 1 is linear amplitude. */
export function toAmplitude(level: number): number {
  return level <= 0 ? 10 ** (level / 20) : level
}

/** dBFS of a linear amplitude, at least −120, which stands for digital silence. */
export function toDbfs(amplitude: number): number {
  return amplitude <= 1e-6 ? -120 : 20 * Math.log10(amplitude)
}
