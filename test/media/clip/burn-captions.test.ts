import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Cue, maxShownCues } from '../../../src/core/captions.ts'
import { maxDrawnCharacters } from '../../../src/media/captions/caption-layout.ts'
import { burntCaptions, captionPictures } from '../../../src/media/clip/burn-captions.ts'
import { lookOf } from '../../setup/caption-look.ts'

const track = {
  ...{ streamIndex: 0, codec: 'h264', width: 320, height: 180, shown: { width: 320, height: 180 }, rotation: 0 },
  ...{ frameRate: 25, baseFrameRate: '25/1', timeBase: '1/12800', hasVariableFrameRate: false, endSeconds: 60 },
  ...{ pixelFormat: 'yuv420p', colour: {}, isInterlaced: false, alpha: null },
}

function burn(cues: readonly Cue[], startSeconds: number, lastSeconds: number) {
  const captions = { cues, outside: 0, look: lookOf('plain') }
  return burntCaptions({ track, picture: null, captions, startSeconds, lastSeconds })?.changes ?? []
}

describe('captions that are burnt into a part of a clip', () => {
  const spaced = fc.array(
    fc.record({ start: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 1, max: 8 }) }),
    { minLength: 1, maxLength: 6 },
  )

  it('are those that each frame shows', () => {
    fc.assert(
      fc.property(spaced, fc.integer({ min: 0, max: 20 }), (all, from) => {
        const cues = all.map(({ start, length }, index) => ({
          ...{ start: start / 5, end: (start + length) / 5, text: `t${index}` },
        }))
        const changes = burn(cues, from / 5, from / 5 + 4)
        for (let frame = 0; frame <= 100; frame += 1) {
          const seconds = from / 5 + frame / 25
          const expected = cues
            .toSorted((a, b) => a.start - b.start)
            .filter(({ start, end }) => start < seconds + 0.01 && end > seconds + 0.01)
            .map(({ text }) => text)
            .join(' ')
          expect(changes.findLast(({ tick }) => tick <= frame * 512)?.text ?? '').toBe(expected)
        }
      }),
    )
  })

  it('are few and short, however many overlap', () => {
    const nested = Array.from({ length: 2_200 }, (_, index) => {
      return { start: index / 1000, end: (4_400 - index) / 1000, text: 'x'.repeat(900) }
    })
    const changes = burn(nested, 0, 4.36)
    expect(changes.length).toBeLessThanOrEqual(2 * maxShownCues)
    for (const { text } of changes) expect(text.length).toBeLessThanOrEqual(maxDrawnCharacters)
  })

  it('change with frames, and never where no frame shows it', () => {
    const brief = Array.from({ length: 1_000 }, (_, index) => {
      return { start: index / 1000, end: (index + 0.5) / 1000, text: `t${index}` }
    })
    expect(burn(brief, 0, 0.96).length).toBeLessThanOrEqual(26)
  })

  it('are refused if they change more often than anybody reads', () => {
    const brief = Array.from({ length: 2_000 }, (_, index) => {
      return { start: index / 400, end: (index + 1) / 400, text: `t${index}` }
    })
    expect(() => burn(brief, 0, 4.96)).toThrow(/change more than 70 times in 5\.0 seconds.*"as": "sidecar"/)
    expect(burn(brief.slice(0, 8), 0, 4.96).length).toBeLessThan(10)
  })
})

describe('the pictures of captions', () => {
  const cues = [{ start: 0, end: 1, text: 'It was the best of times' }]
  const burnt = burntCaptions({
    ...{ track, picture: null, startSeconds: 0, lastSeconds: 1 },
    captions: { cues, outside: 0, look: lookOf('plain') },
  })

  it.each(['the signal aborts', 'ffmpeg has ended'])('are painted until %s, which ends their thread', async (end) => {
    if (!burnt) throw new Error('nothing is burnt')
    const controller = new AbortController()
    const started = once(process, 'worker')
    const { stream } = captionPictures(burnt, controller.signal)
    stream.once('error', () => {}).read()
    const [thread] = z.tuple([z.instanceof(Worker)]).parse(await started)
    const ended = once(thread, 'exit')
    if (end === 'the signal aborts') controller.abort()
    else stream.destroy()
    await ended
    expect(thread.threadId).toBe(-1)
  })
})
