import { expect, it } from 'vitest'
import { legibilityOf } from '../../../src/media/frames/frame-quality.ts'
import { astronaut, film } from '../../fixtures/make.ts'
import { generated, pictureOf } from '../measure.ts'

it('a picture is legible when small if it has large shapes that differ, and few small ones', async () => {
  const of = async (...from: Parameters<typeof pictureOf>) => legibilityOf(await pictureOf(...from))
  const small = 'scale=480:270:flags=area'
  expect(await of(astronaut)).toBeGreaterThan(0.7)
  expect(await of(film, small)).toBeGreaterThan(0.7)
  expect(await of(film, `eq=contrast=0.25,${small}`)).toBeLessThan(0.4)
  expect(await of(generated('nullsrc=s=168x94,geq=random(1)*255:128:128'))).toBeLessThan(0.4)
  expect(await of(generated('color=gray:s=480x270'))).toBe(0)
})
