/** The butterflies of a long transform after which it yields. */
const maxButterflies = 65_536

/** The fast Fourier transform of this power of two of values, in place (Cooley and Tukey, 1965). */
export function createFourier(size: number) {
  const cosines = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size))

  /** Adds and subtracts pairs that are `half` apart, from one index to another. */
  function combine(real: Float64Array, imaginary: Float64Array, half: number, [from, to]: readonly [number, number]) {
    const stride = size / 2 / half
    for (let low = from; low < to; low += 1) {
      // The upper half of a block was combined with the lower.
      if (low & half) low += half
      if (low >= to) return
      const [high, turn] = [low + half, (low & (half - 1)) * stride]
      // The negative sine is the cosine of a quarter turn less.
      const [cosine, sine] = [cosines[turn] ?? 0, -(cosines[Math.abs(size / 4 - turn)] ?? 0)]
      const [a, b] = [real[high] ?? 0, imaginary[high] ?? 0]
      const [turnedReal, turnedImaginary] = [a * cosine - b * sine, a * sine + b * cosine]
      const [lowReal, lowImaginary] = [real[low] ?? 0, imaginary[low] ?? 0]
      real[high] = lowReal - turnedReal
      imaginary[high] = lowImaginary - turnedImaginary
      real[low] = lowReal + turnedReal
      imaginary[low] = lowImaginary + turnedImaginary
    }
  }

  function* steps(real: Float64Array, imaginary: Float64Array): Generator<void> {
    yield* reverseBits(real, imaginary)
    for (let half = 1; half < size; half *= 2)
      for (let from = 0; from < size; from += 2 * maxButterflies) {
        combine(real, imaginary, half, [from, Math.min(size, from + 2 * maxButterflies)])
        yield
      }
  }

  return {
    /** Yields now and then, so that other work has its turns. */
    steps,
    transform: (real: Float64Array, imaginary: Float64Array) => {
      for (const _ of steps(real, imaginary));
    },
  }
}

/** Each value changes places with the one whose index has its bits in the other order. */
function* reverseBits(real: Float64Array, imaginary: Float64Array): Generator<void> {
  const size = real.length
  let reversed = 0
  for (let at = 1; at < size; at += 1) {
    if (at % maxButterflies === 0) yield
    let bit = size >> 1
    for (; reversed & bit; bit >>= 1) reversed ^= bit
    reversed ^= bit
    if (at >= reversed) continue
    const [re, im] = [real[at] ?? 0, imaginary[at] ?? 0]
    real[at] = real[reversed] ?? 0
    imaginary[at] = imaginary[reversed] ?? 0
    real[reversed] = re
    imaginary[reversed] = im
  }
}
