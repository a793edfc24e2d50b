import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labelTime, ticksIn } from '../../../src/media/sound/envelope.ts'
import { drawWaveform, waveformOf } from '../../../src/media/sound/waveform-svg.ts'
import { measureSamples } from './measure-samples.ts'

const steps = Array.from({ length: 1_000 }, (_, index) => (index < 500 ? 100 : -16_384))
const track = measureSamples(steps, { startMs: 0, endMs: 1_000, sampleRate: 1_000, channels: 1 })

describe('a waveform', () => {
  it('has the highest sample of each part, of the loudest track', () => {
    const window = { start: 0, end: 1 }
    expect([...waveformOf([track], window, 4)]).toEqual([100 / 32_768, 100 / 32_768, 0.5, 0.5])
    const louder = { ...track, peaks: track.peaks.map(() => 32_768) }
    expect([...waveformOf([track, louder], window, 2)]).toEqual([1, 1])
    expect([...waveformOf([track], { start: 0.25, end: 0.75 }, 2)]).toEqual([100 / 32_768, 0.5])
  })
})

describe('its picture', () => {
  const picture = { tracks: [track], window: { start: 0, end: 1 }, segments: [], levels: [0.1], caption: 'one' }

  it('stays below 50 kB, whatever was found', async () => {
    const segments = Array.from({ length: 20_000 }, (_, index) => ({
      start: index / 20_000,
      end: (index + 0.5) / 20_000,
    }))
    expect((await drawWaveform({ ...picture, segments })).length).toBeLessThan(50_000)
    const few = segments.filter((_, index) => index % 100 === 0)
    expect((await drawWaveform({ ...picture, segments: few })).length).toBeLessThan(50_000)
  })

  it('shades what was found, and draws the sound in it apart', async () => {
    const svg = await drawWaveform({ ...picture, segments: [{ start: 0.5, end: 0.75 }] })
    expect(svg).toContain('<path class="found" d="M600 14H900V174H600z"/>')
    expect(svg.match(/<path class="in" d="([^"]*)"/)?.[1]?.split('M')).toHaveLength(101)
  })

  it('holds nothing that runs or that is fetched, and no text that is markup', async () => {
    const svg = await drawWaveform({ ...picture, caption: '<script>alert("1")</script> & so on' })
    expect(svg).not.toMatch(/<script|href|url\(|on\w+=|<image|<foreignObject|@import/i)
    expect(svg).toContain('&lt;script&gt;')
    expect(svg).toContain('&amp; so on')
  })
})

describe('the time axis', () => {
  it('has a few round times of the window', () => {
    expect(ticksIn({ start: 0, end: 73.3 })).toEqual([0, 10, 20, 30, 40, 50, 60, 70])
    expect(ticksIn({ start: 0.9, end: 2 })).toEqual([0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2])
    const window = fc.record({
      start: fc.double({ min: 0, max: 80_000, noNaN: true }),
      length: fc.double({ min: 0.02, max: 86_400, noNaN: true }),
    })
    fc.assert(
      fc.property(window, ({ start, length }) => {
        const ticks = ticksIn({ start, end: start + length })
        expect(ticks.length).toBeLessThanOrEqual(15)
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(start - 0.005)
          expect(tick).toBeLessThanOrEqual(start + length + 0.005)
        }
      }),
    )
  })

  it('is labelled as players show times', () => {
    expect([0, 5, 65, 3_600, 3_725, 0.5, 1.25].map(labelTime)).toEqual([
      ...['0:00', '0:05', '1:05', '1:00:00', '1:02:05', '0:00.5', '0:01.25'],
    ])
  })
})
