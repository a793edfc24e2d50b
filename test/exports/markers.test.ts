import { describe, expect, it } from 'vitest'
import { exportEntries } from '../../src/exports/export-entries.ts'
import { markerFormatNames } from '../../src/exports/export-formats.ts'
import { markersOf } from '../../src/exports/markers.ts'
import { exportOf, folded, written } from './documents.ts'

const marks = [
  { start: 75.5, end: 119.9, label: 'Rockets & fuel', kind: 'topic' },
  { start: 12, end: 12, label: 'frame 1', kind: 'frame', isUnnamed: true },
  { start: 1.001, end: 3.5, label: 'silence 1', kind: 'silence', isUnnamed: true },
]
const markersAt = (frameRate: number, options: Parameters<typeof exportOf>[2] = {}) =>
  exportOf(frameRate, '10:00:00:00', { entries: marks, what: 'markers', ...options })

describe('markers', () => {
  it.each(markerFormatNames)('as %s are shown like this', (name) => {
    const whole = written(name, markersAt(25))
    // The media around them is as in cut lists.
    const [shown = ''] = whole.split(/<spine>|<\/media>\n {4}<marker>/).slice(-1)
    expect(folded(shown)).toMatchSnapshot()
  })

  it('are in the media: the last is on its last frame', () => {
    const entries = [{ start: 119.99, end: 130, label: 'a' }]
    expect(markersOf(markersAt(25, { entries }))).toMatchObject([{ frame: 2999, frames: 1 }])
  })

  it('of different kinds have different colours, and those of one kind have one', () => {
    const kinds = ['word', 'sentence', 'line', 'silence', 'silence', 'x', 'y', 'z']
    const entries = kinds.map((kind, start) => ({ start, end: start + 1, label: 'a', kind }))
    const colours = markersOf(markersAt(25, { entries })).map(({ colour }) => colour)
    expect(colours).toEqual(['cyan', 'blue', 'green', 'red', 'red', 'yellow', 'purple', 'blue'])
  })

  it('leave the media whole, with all of its sound', () => {
    const [clip = ''] = /<asset-clip [^>]*>/.exec(written('fcpxml', markersAt(25))) ?? []
    expect(clip).toContain(' offset="0s" start="36000s" duration="120s" ')
    expect(written('xmeml', markersAt(25))).toContain('<in>0</in>\n            <out>3000</out>')
  })

  it("of moments come from lists with one time an entry, the caller's order kept", async () => {
    const result = { frames: [{ time: 7.5 }, { time: 2 }] }
    const entries = await exportEntries({ result, nouns: { frames: 'frame' } })
    expect(entries).toEqual([
      { start: 7.5, end: 7.5, label: 'frame 1', isUnnamed: true, kind: 'frame' },
      { start: 2, end: 2, label: 'frame 2', isUnnamed: true, kind: 'frame' },
    ])
  })

  it('are at most 2,000 for editors and 999 in an EDL, and none is left out of a list', () => {
    const entries = Array.from({ length: 2001 }, (_, index) => ({ start: index / 20, end: index / 20, label: 'a' }))
    for (const name of ['fcpxml', 'xmeml', 'otio'] as const)
      expect(() => written(name, markersAt(25, { entries }))).toThrow('at most 2000 markers')
    expect(() => written('edl', markersAt(25, { entries }))).toThrow('at most 999 markers')
    expect(written('csv', markersAt(25, { entries })).split('\r\n')).toHaveLength(2003)
  })

  it('cannot break the line of a marker in an EDL', () => {
    const entries = [{ start: 1, end: 2, label: 'one | two\n003  AX' }]
    expect(written('edl', markersAt(25, { entries }))).toContain(
      '\nmarker |C:ResolveColorBlue |M:one / two 003 AX |D:25\n',
    )
  })

  it('above 60 frames a second are not in an EDL, and right elsewhere', () => {
    const fast = markersAt(120_000 / 1001, { rate: '119.88' })
    expect(() => written('edl', fast)).toThrow('fps: an EDL has at most 60')
    expect(markersOf(fast).map(({ frame }) => frame)).toEqual([120, 1439, 9051])
    expect(written('xmeml', fast)).toContain('<timebase>120</timebase>')
  })
})
