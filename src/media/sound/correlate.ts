import { createFourier } from '../../core/fourier.ts'
import { collectInTurns, startTurns } from '../../core/turns.ts'

export interface Correlation {
  /** From the first lag on, the sum over both of `reference[at + lag] * other[at]`. */
  readonly values: Float64Array
  readonly firstLag: number
}

const valuesPerTurn = 10_000

/** The correlation of two series at every lag, in turns: that of two hours in steps of 50 ms takes a few tenths of a second. */
export async function correlate(reference: Float32Array, other: Float32Array): Promise<Correlation> {
  const size = 2 ** Math.ceil(Math.log2(reference.length + other.length))
  const fourier = createFourier(size)
  // Both series are real, so that one transform does for two: the other series is the imaginary part.
  const [real, imaginary] = [new Float64Array(size), new Float64Array(size)]
  real.set(reference)
  imaginary.set(other)
  await collectInTurns(fourier.steps(real, imaginary))
  const [productReal, productImaginary] = [new Float64Array(size), new Float64Array(size)]
  const turns = startTurns()
  for (let at = 0; at < size; at += 1) {
    if (at % valuesPerTurn === 0 && turns.isDue()) await turns.next()
    const mirror = (size - at) % size
    const [a, b, c, d] = [real[at] ?? 0, imaginary[at] ?? 0, real[mirror] ?? 0, imaginary[mirror] ?? 0]
    const [oneReal, oneImaginary, otherReal, otherImaginary] = [(a + c) / 2, (b - d) / 2, (b + d) / 2, (c - a) / 2]
    // The product with the other's conjugate, itself conjugated: the transform below is then the inverse.
    productReal[at] = oneReal * otherReal + oneImaginary * otherImaginary
    productImaginary[at] = oneReal * otherImaginary - oneImaginary * otherReal
  }
  await collectInTurns(fourier.steps(productReal, productImaginary))
  const firstLag = 1 - other.length
  const length = reference.length + other.length - 1
  const values = new Float64Array(length)
  for (let at = 0; at < length; at += 1) {
    if (at % valuesPerTurn === 0 && turns.isDue()) await turns.next()
    values[at] = (productReal[(at + firstLag + size) % size] ?? 0) / size
  }
  return { values, firstLag }
}
