import { expect, test } from 'vitest'
import { beepsWav, claimingMp4, manyBoxesMp4, taggedMp3 } from '../../../lab/hostile/hostile-files.ts'
import { elementsOf } from '../../../lab/hostile/mutate.ts'

test('an MP4 of 700 bytes claims 60 million samples in well-formed boxes', () => {
  const bytes = claimingMp4([{ samples: 60_000_000 }])
  expect(bytes.length).toBeLessThan(700)
  const elements = elementsOf(bytes)
  expect(elements.at(-1)?.end).toBe(bytes.length)
  const sizes = elements.find(({ name }) => name === 'stsz')
  expect(sizes && bytes.readUInt32BE(sizes.contentStart + 8)).toBe(60_000_000)
})

test('an MP4 has as many boxes as asked for, and a track behind them', () => {
  const names = elementsOf(manyBoxesMp4(5000)).map(({ name }) => name)
  expect(names.filter((name) => name === 'free')).toHaveLength(5000)
  expect(names.slice(-20)).toContain('stsd')
})

test('an MP3 has a tag of the stated size, and frames behind it', () => {
  const bytes = taggedMp3('title', 1_000_000)
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (bytes[at] ?? 0), 0)
  expect(size).toBeGreaterThan(1_000_000)
  expect(bytes.readUInt16BE(10 + size)).toBe(0xfffb)
})

test('a WAV beeps five times a second and states its length', () => {
  const bytes = beepsWav(2)
  const data = elementsOf(bytes).find(({ name }) => name === 'data')
  expect(data).toMatchObject({ contentStart: 44, end: 44 + 2000 })
  expect([bytes[44], bytes[44 + 100], bytes[44 + 200]]).toEqual([28, 128, 28])
})
