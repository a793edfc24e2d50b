import { describe, expect, it } from 'vitest'
import { modelInterfaces } from '../../src/models/models.ts'
import { astronaut } from '../fixtures/make.ts'
import { pictureOf } from '../media/measure.ts'
import { models, whySkipped } from '../setup/models.ts'

/** The portrait in a wide picture, this high. */
const wide = (height: number) => `scale=${height}:${height},pad=480:270:200:${(270 - height) / 2}:gray`

describe.skipIf(!models.has('find-faces'))(`a model that finds faces${whySkipped}`, () => {
  it('finds a face where it is, in pictures of different shapes', async () => {
    const [face, ...others] = await models.run('find-faces', await pictureOf(astronaut))
    expect(others).toEqual([])
    expect(modelInterfaces['find-faces'].output.parse([face])).toEqual([face])
    expect(face?.score).toBeGreaterThan(0.75)
    const small = (await models.run('find-faces', await pictureOf(astronaut, wide(180))))[0]
    const placeOf = (share = 0) => (200 + share * 180) / 480
    expect(small?.x).toBeCloseTo(placeOf(face?.x), 1)
    expect(small?.width).toBeCloseTo(((face?.width ?? 0) * 180) / 480, 1)
    expect(small?.height).toBeCloseTo(((face?.height ?? 0) * 180) / 270, 1)
  })

  it('finds none in a picture without one, and takes a picture of one pixel', async () => {
    expect(await models.run('find-faces', await pictureOf(astronaut, 'crop=100:60:0:0'))).toEqual([])
    expect(await models.run('find-faces', { width: 1, height: 1, rgb: Uint8Array.of(9, 9, 9) })).toEqual([])
  })
})
