import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { elementsOf, mutate, writeSize } from '../../../lab/hostile/mutate.ts'

const box = (name: string, ...contents: Buffer[]) => {
  const content = Buffer.concat(contents)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}
const film = Buffer.concat([
  box('ftyp', Buffer.from('isom0000')),
  box('moov', box('trak', box('tkhd', Buffer.alloc(8)))),
  box('mdat', Buffer.alloc(100, 7)),
])
/** EBML header with its DocType, then a Segment of unknown size with a Cluster. */
const webm = Buffer.from(
  '1a45dfa3874282847765626d18538067ffffffffffffff1f43b6758200ff'.replace('ffffffffffffff', '01ffffffffffffff'),
  'hex',
)
const wav = Buffer.concat([Buffer.from('RIFF\x14\0\0\0WAVEdata\x08\0\0\0', 'latin1'), Buffer.alloc(8)])
const ogg = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(22), Buffer.from([2, 3, 4]), Buffer.alloc(7)])

describe('elementsOf', () => {
  test.each([
    ['boxes and the boxes inside', film, ['ftyp', 'moov', 'trak', 'tkhd', 'mdat']],
    ['elements of EBML, of unknown size too', webm, ['1a45dfa3', '4282', '18538067', '1f43b675']],
    ['chunks', wav, ['RIFF', 'data']],
    ['pages', ogg, ['OggS']],
    ['nothing in raw frames', Buffer.from('fffb9064fffb9064', 'hex'), []],
  ])('finds %s', (_what, bytes, names) => {
    expect(elementsOf(bytes).map(({ name }) => name)).toEqual(names)
  })

  test('each element covers its head and content', () => {
    const trak = elementsOf(film).find(({ name }) => name === 'trak')
    expect(trak).toMatchObject({ start: 24, contentStart: 32, end: 48 })
  })
})

describe('mutate', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  test.each([
    ['box', film, 'start'],
    ['ebml', webm, 'contentStart'],
    ['chunk', wav, 'contentStart'],
  ] as const)('a size written into a %s is read again', (_kind, bytes, from) => {
    const changed = Buffer.from(bytes)
    const [first] = elementsOf(changed)
    if (!first) throw new Error('no element')
    writeSize(changed, first, 8n)
    const [again] = elementsOf(changed)
    expect(again && again.end - again[from]).toBe(8)
  })

  test('changes what it names and nothing else', () => {
    expect(mutate(film, [{ op: 'truncate', at: 0.5 }])).toEqual(film.subarray(0, film.length / 2))
    expect(mutate(film, [{ op: 'element removed', element: 1 }])).toEqual(film.subarray(0, -108))
    expect(mutate(film, [{ op: 'element field', element: 1, field: 1, value: 5 }]).readUInt32BE(film.length - 96)).toBe(
      5,
    )
    expect(elementsOf(mutate(film, [{ op: 'element copies', element: 0, times: 3 }])).map(({ name }) => name)).toEqual([
      'ftyp',
      'ftyp',
      'ftyp',
      'ftyp',
      'moov',
      'trak',
      'tkhd',
      'mdat',
    ])
    const swapped = mutate(film, [{ op: 'elements swapped', element: 1, other: 0 }])
    expect(elementsOf(swapped)[0]?.name ?? swapped.toString('latin1', 4, 8)).toBe('mdat')
  })

  test('leaves the original as it was and stays below 2 MiB, whatever the changes', () => {
    const before = Buffer.from(film)
    fc.assert(
      fc.property(share, fc.nat(2_000), (at, times) => {
        const changed = mutate(film, [
          { op: 'repeat', at, length: 5_000, times: times + 1 },
          { op: 'element copies', element: at, times: times + 1 },
        ])
        expect(changed.length).toBeLessThanOrEqual(2 * 1024 ** 2)
      }),
    )
    expect(film).toEqual(before)
  })
})
