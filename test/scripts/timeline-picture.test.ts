import { describe, expect, it } from 'vitest'
import { drawTimeline } from '../../scripts/demo/timeline-picture.ts'

describe('drawTimeline', () => {
  it('draws levels, marks and the clock in columns of equal time', () => {
    const picture = drawTimeline(
      {
        mediaSeconds: 26,
        levelsDb: Array.from({ length: 26 }, (_, second) => (second < 13 ? -60 : 0)),
        rows: [{ label: 'silence', mark: '░', segments: [{ start: 0, end: 13 }] }],
      },
      26,
    )
    expect(picture.split('\n')).toEqual([
      `level     ${' '.repeat(13)}${'█'.repeat(13)}`,
      `silence   ${'░'.repeat(13)}${'·'.repeat(13)}`,
      '          00:00:00.000  00:00:26.000',
    ])
  })
})
