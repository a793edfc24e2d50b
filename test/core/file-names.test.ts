import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanFileName, exportName, outputNames, positionLabel, shapeLabel } from '../../src/core/file-names.ts'

const nameOf = (source: string | null, fileName = 'clip.mp4', label?: string) =>
  outputNames([{ fileName, label }], { source })[0]

describe('the name of an output', () => {
  it.each([
    ['talk.mov', 'talk-clip-1m15s.mp4'],
    ['Größe – 東京 🎙.mp3', 'Größe – 東京 🎙-clip-1m15s.mp4'],
    ['../../etc/passwd', 'passwd-clip-1m15s.mp4'],
    ['C:\\Users\\me\\talk.mp4', 'talk-clip-1m15s.mp4'],
    ['a:b?c*d"e<f>g|h.mp4', 'a-b-c-d-e-f-g-h-clip-1m15s.mp4'],
    ['a\u202Egpj.\u0000mp4', 'agpj-clip-1m15s.mp4'],
    ['with 👩🏽‍🚀 and 👨‍👩‍👧 🏳️‍🌈.mp4', 'with 👩🏽‍🚀 and 👨‍👩‍👧 🏳️‍🌈-clip-1m15s.mp4'],
    ['a\u200Db\u200D🎙\u200D.mp4', 'ab🎙-clip-1m15s.mp4'],
    ['.hidden.mp4', 'hidden-clip-1m15s.mp4'],
    ['talk. .mp4', 'talk-clip-1m15s.mp4'],
    ['...', 'clip-1m15s.mp4'],
    [null, 'clip-1m15s.mp4'],
  ])('of %j is %j', (source, name) => {
    expect(nameOf(source, 'clip-1.mp4', 'clip-1m15s')).toBe(name)
  })

  it('is one part of a path, without control characters, at most 120 bytes, and ends as the file does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (source) => {
        const name = nameOf(source, 'preview.svg') ?? ''
        expect(name).not.toMatch(/[/\\<>:"|?*]|\p{C}|^[.\s]/u)
        expect(name).toMatch(/preview\.svg$/)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120)
      }),
    )
  })

  it('has a number if there are several, and a poster shares the name of its clip', () => {
    const files = ['clip-1.mp4', 'clip-1.jpg', 'clip-2.mp4', 'clip-2.jpg'].map((fileName) => ({
      fileName,
      label: 'clip',
    }))
    expect(outputNames(files, { source: 'talk.mp4' })).toEqual([
      'talk-clip-1.mp4',
      'talk-clip-1.jpg',
      'talk-clip-2.mp4',
      'talk-clip-2.jpg',
    ])
    expect(outputNames(files.slice(0, 1), { source: 'talk.mp4', label: 'without-pauses' })).toEqual([
      'talk-without-pauses.mp4',
    ])
  })
})

it('clips of one window in several shapes have different names, also in a chain with a label of its own', () => {
  const shapes = [undefined, '9x16', '9x16-720p', '9x16']
  const files = shapes.map((shape, index) => ({ fileName: `clip-${index + 1}.mp4`, label: 'clip-1m15s', shape }))
  expect(outputNames(files, { source: 'talk.mov' })).toEqual([
    'talk-clip-1m15s.mp4',
    'talk-clip-1m15s-1-9x16.mp4',
    'talk-clip-1m15s-9x16-720p.mp4',
    'talk-clip-1m15s-2-9x16.mp4',
  ])
  expect(outputNames(files.slice(1, 2), { source: 'talk.mov', label: 'tight-pauses' })).toEqual([
    'talk-tight-pauses-9x16.mp4',
  ])
})

it.each([
  [{ aspect: '9:16' }, '9x16'],
  [{ aspect: 'source', heightPixels: 720 }, '720p'],
  [{ aspect: '1:1', heightPixels: 360 }, '1x1-360p'],
])('the shape %j is %s', (asked, label) => {
  expect(shapeLabel(asked)).toBe(label)
})

it.each([
  ['my talk.mp4', 'csv', 'csv', 'my talk.csv'],
  ['my talk.mp4', 'chapters', 'txt', 'my talk-chapters.txt'],
  ['...', 'csv', 'csv', 'export.csv'],
])('the export of %s as %s is called by what its extension does not say', (source, format, extension, name) => {
  expect(exportName(source, format, extension)).toBe(name)
})

it('the name of an export has at most 120 bytes', () => {
  expect(Buffer.byteLength(exportName('ä'.repeat(300), 'csv', 'csv'))).toBeLessThanOrEqual(120)
})

it.each([
  [0, '0m00s'],
  [75, '1m15s'],
  [12.5, '0m12.5s'],
  [59.9996, '1m00s'],
  [3723.04, '1h02m03.04s'],
])('the position %d is %s', (seconds, label) => {
  expect(positionLabel(seconds)).toBe(label)
})

it('a file name that is too long keeps whole emoji', () => {
  const family = '👨‍👩‍👧'
  expect(cleanFileName(`${family.repeat(20)}.mp4`)).toBe(`${family.repeat(10)}.mp4`)
})

it('a file name that is too long keeps its extension', () => {
  const name = cleanFileName(`${'ä'.repeat(300)}.mp4`)
  expect(name).toMatch(/^ä+\.mp4$/)
  expect(Buffer.byteLength(name)).toBe(200)
})
