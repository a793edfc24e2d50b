import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFourier } from '../../src/core/fourier.ts'

it('the fast transform is the slow one', () => {
  const value = fc.double({ min: -1, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 6 }),
      fc.array(fc.tuple(value, value), { minLength: 64, maxLength: 64 }),
      (power, all) => {
        const given = all.slice(0, 2 ** power)
        const real = Float64Array.from(given, ([re]) => re)
        const imaginary = Float64Array.from(given, ([, im]) => im)
        createFourier(given.length).transform(real, imaginary)
        for (const at of given.keys()) {
          const turn = (index: number) => (-2 * Math.PI * at * index) / given.length
          const sum = (part: (re: number, im: number, angle: number) => number) =>
            given.reduce((total, [re, im], index) => total + part(re, im, turn(index)), 0)
          expect(real[at]).toBeCloseTo(
            sum((re, im, angle) => re * Math.cos(angle) - im * Math.sin(angle)),
            9,
          )
          expect(imaginary[at]).toBeCloseTo(
            sum((re, im, angle) => re * Math.sin(angle) + im * Math.cos(angle)),
            9,
          )
        }
      },
    ),
  )
})

it('a long transform yields at each 65,536 pairs', () => {
  const size = 2 ** 18
  const fourier = createFourier(size)
  expect([...fourier.steps(new Float64Array(size), new Float64Array(size))]).toHaveLength(18 * 2 + 3)
})
