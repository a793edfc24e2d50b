/** A level as callers give it: 0 or below is dBFS, above 0 up to 1 is linear amplitude. Returns linear amplitude. */
export function toAmplitude(level: number): number {
  return level <= 0 ? 10 ** (level / 20) : level
}

/** dBFS of a linear amplitude; digital silence reads as the floor of −120. */
export function toDbfs(amplitude: number): number {
  return amplitude <= 1e-6 ? -120 : 20 * Math.log10(amplitude)
}
