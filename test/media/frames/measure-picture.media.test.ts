import { describe, expect, it } from 'vitest'
import {
  differenceOf,
  fingerprintOf,
  flawOf,
  measurePicture,
  qualityOf,
} from '../../../src/media/frames/frame-quality.ts'
import { film } from '../../fixtures/make.ts'
import { generated, pictureOf } from '../measure.ts'

const small = 'scale=480:270:flags=area'
const still = 'select=gte(t\\,3),'
const filmed = (filter = '') => pictureOf(film, `${still}${filter}${small}`)
const drawn = (source: string) => pictureOf(generated(source), small)
const qualityWith = async (filter?: string) => qualityOf(measurePicture(await filmed(filter)), { motion: 0, faces: [] })

describe('the measures of a picture', () => {
  it.each([
    ['black', () => drawn('color=black:s=1280x720'), 'dark'],
    ['white', () => drawn('color=white:s=1280x720'), 'bright'],
    ['grey', () => drawn('color=gray:s=1280x720'), 'empty'],
    ['noise', () => drawn('color=gray:s=1280x720,noise=alls=100:allf=t'), 'noise'],
    ['coarse noise', () => drawn('nullsrc=s=320x180,geq=random(1)*255:128:128'), 'noise'],
    ['a blurred film', () => filmed('gblur=8,'), 'blurred'],
    ['a film', () => filmed(), undefined],
    ['a film with noise', () => filmed('noise=alls=25:allf=t,'), undefined],
    ['a test pattern', () => drawn('testsrc2=s=1280x720'), undefined],
  ])('say of %s what is wrong with it', async (_name, picture, flaw) => {
    expect(flawOf(measurePicture(await picture()))).toBe(flaw)
  })

  it('say how sharp, bright, rich in contrast and colourful it is', async () => {
    const good = await qualityWith()
    for (const share of [good.sharpness, good.exposure, good.contrast, good.colour]) expect(share).toBeGreaterThan(0.75)
    expect((await qualityWith('gblur=3,')).sharpness).toBeLessThan(good.sharpness - 0.2)
    expect((await qualityWith('eq=brightness=-0.3,')).exposure).toBeLessThan(good.exposure - 0.2)
    expect((await qualityWith('eq=brightness=0.35,')).exposure).toBeLessThan(good.exposure - 0.2)
    expect((await qualityWith('eq=contrast=0.3,')).contrast).toBeLessThan(good.contrast - 0.4)
    expect((await qualityWith('hue=s=0,')).colour).toBeLessThan(0.1)
  })

  it('do not take noise for sharpness', async () => {
    expect((await qualityWith('gblur=8,noise=alls=25:allf=t,')).sharpness).toBeLessThan(0.75)
  })

  it('tell whether two pictures look the same', async () => {
    const [one, graded, other] = await Promise.all([
      filmed(),
      filmed('noise=alls=20:allf=t,'),
      drawn('testsrc2=s=1280x720'),
    ])
    expect(differenceOf(fingerprintOf(one), fingerprintOf(graded))).toBeLessThan(4)
    expect(differenceOf(fingerprintOf(one), fingerprintOf(other))).toBeGreaterThan(20)
  })
})
