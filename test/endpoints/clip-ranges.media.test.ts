import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { validateJobRequest } from '../../api/jobs/validate.ts'
import { receipt as receiptSchema } from '../../src/endpoints/fields.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { film, fixture, speech } from '../fixtures/make.ts'
import { temporaryFolder } from '../media/measure.ts'
import { wavOf } from '../media/wav.ts'
import { runEndpoint } from './run-endpoint.ts'

const plan = (settings: Record<string, unknown>, fields: object = {}) =>
  validateJobRequest({ endpoint: 'video/clip-window', settings, ...fields })

describe('ranges are refused', () => {
  it.each([
    [{ ranges: [{ start: 1 }] }, /ranges\[0\]\.end/],
    [{ ranges: [{ start: 0, end: 1e13 }] }, /ranges\[0\]\.end/],
    [{ ranges: [{ start: 5, end: 5 }] }, /ranges\[0\]: start is at or after end/],
    [{ ranges: [{ start: 'x', end: 5 }] }, /ranges\[0\]\.start: use seconds/],
    [{ ranges: [{ start: 1, end: 1.005 }] }, /ranges\[0\] is shorter than/],
    [
      {
        ranges: [
          { start: 5, end: 6 },
          { start: 1, end: 2 },
        ],
      },
      /ranges\[1\] starts before .* "join": false/,
    ],
    [{ ranges: Array.from({ length: 501 }, (_, at) => ({ start: at, end: at + 0.5 })) }, /ranges/],
    [{ join: false, ranges: Array.from({ length: 101 }, (_, at) => ({ start: at, end: at + 0.5 })) }, /at most 100/],
  ])('%j', (settings, message) => {
    expect(() => plan(settings)).toThrow(message)
  })

  it('together with start or end', () => {
    expect(() => plan({ ranges: [{ start: 1, end: 2 }] }, { end: 3 })).toThrow(/not both/)
  })
})

describe('ranges are taken', () => {
  it('in any order if they are separate files, or removed', () => {
    const ranges = [
      { start: 5, end: 6 },
      { start: 1, end: 2 },
    ]
    expect(plan({ ranges, join: false }).warnings).toEqual([])
    expect(plan({ ranges, ranges_mode: 'remove' }).warnings).toEqual([])
  })

  it('with time codes, a blank end and the further fields of segments', () => {
    expect(() =>
      plan({
        ranges: [
          { start: '00:01', end: '1:02.5', duration: 3 },
          { start: 70, end: '' },
        ],
      }),
    ).not.toThrow()
  })

  it('and overlapping ones are merged, with a warning', () => {
    expect(
      plan({
        ranges: [
          { start: 1, end: 3 },
          { start: 2, end: 4 },
        ],
      }).warnings,
    ).toEqual(['Overlapping settings.ranges were merged: the clip plays each moment once.'])
  })
})

describe('the maximum billed for ranges', () => {
  const bill = (settings: object, mediaSeconds?: number) =>
    clipWindowEndpoint.billableMilliseconds({ startSeconds: null, endSeconds: null }, settings, mediaSeconds)
  const ranges = [
    { start: 1, end: 3 },
    { start: 2, end: 4.5 },
  ]

  it.each([
    ['what is kept, each moment once', { ranges }, undefined, 3_500],
    ['each file', { ranges, join: false }, undefined, 4_500],
    ['what is left, when the length is known', { ranges, ranges_mode: 'remove' }, 10, 6_500],
    ['nothing yet, before that', { ranges, ranges_mode: 'remove' }, undefined, undefined],
    ['nothing yet, with a range to the end', { ranges: [{ start: 1, end: '' }] }, undefined, undefined],
  ])('%s', (_what, settings, mediaSeconds, milliseconds) => {
    expect(bill(settings, mediaSeconds)).toBe(milliseconds)
  })

  it('a range past the end is refused before any work', () => {
    expect(() =>
      bill(
        {
          ranges: [
            { start: 1, end: 2 },
            { start: 9, end: 12 },
          ],
        },
        10,
      ),
    ).toThrow(/ranges\[1\]\.end 12 is past/)
    expect(() => bill({ ranges: [{ start: 0, end: '' }], ranges_mode: 'remove' }, 10)).toThrow(/remove the whole media/)
  })

  it.each([
    { start: 12, end: '' },
    { start: 12, end: 12.005 },
    { start: 12, end: 13 },
  ])('one that would remove nothing is too: %j', (range) => {
    const all = [{ start: 1, end: 2 }, range]
    expect(() => bill({ ranges: all, ranges_mode: 'remove' }, 10)).toThrow(/ranges\[1\]\.start 12 is past/)
  })

  it('a hundredth of a second is long enough despite floating point', () => {
    expect(bill({ ranges: [{ start: 5, end: 5.01 }] }, 10)).toBe(10)
  })

  it('the longest possible range has a price', () => {
    const longest = Array.from({ length: 100 }, () => ({ start: 0, end: 999_999_999 }))
    expect(Number.isSafeInteger(bill({ ranges: longest, join: false }))).toBe(true)
  })
})

describe('ranges without a frame', () => {
  const warned = async (settings: object) => {
    const { result, warnings } = await runEndpoint(clipWindowEndpoint, { file: film, settings, mayWarn: true })
    const { receipt } = z.object({ receipt: receiptSchema }).parse(result)
    expect(receipt.warnings).toEqual(warnings)
    return receipt
  }

  it('that are not in the clip are named, and no others', async () => {
    const ranges = [
      { start: 0.5, end: 1.5 },
      { start: '2.005', end: 2.015, text: 'well' },
      { start: 3, end: 3.03 },
    ]
    const { warnings, ranges: placed } = await warned({ ranges })
    expect(placed?.map(({ requested }) => requested)).toEqual([ranges[0], ranges[2]])
    expect(warnings).toEqual(['settings.ranges[1] (2.005 to 2.015) contains no frame and is not in the clip.'])
  })

  it('are named where they are what others leave', async () => {
    const ranges = [
      { start: 1, end: 2 },
      { start: 2.012, end: 3 },
    ]
    expect((await warned({ ranges, ranges_mode: 'remove' })).warnings).toEqual([
      'What is left between settings.ranges (2.000 to 2.012) contains no frame and is not in the clip.',
    ])
  })

  it('are counted past the twentieth', async () => {
    const ranges = Array.from({ length: 50 }, (_, index) => ({ start: index / 10 + 0.005, end: index / 10 + 0.015 }))
    const { warnings, ranges: placed = [] } = await warned({ ranges })
    const others = 50 - placed.length - 20
    expect(others).toBeGreaterThan(0)
    expect(warnings).toHaveLength(21)
    expect(warnings.at(-1)).toBe(`Not in the clip, because they contain no frame: ${others} more ranges.`)
  })
})

/** The steps at the joints of a clip, which was made in the mode that was asked for. */
async function stepsOf(file: string, settings: { readonly ranges: object[]; readonly mode?: string }) {
  const { result } = await runEndpoint(clipWindowEndpoint, { file, settings })
  const { joint_steps_db: steps, mode } = receiptSchema.parse(result['receipt'])
  expect(mode).toBe(settings.mode ?? 'exact')
  return steps
}

describe('clip-window with ranges', () => {
  it('joins them into one file', async () => {
    const ranges = [
      { start: 0.5, end: 1.5 },
      { start: '00:03', end: 4 },
    ]
    const { files, result, billedMilliseconds } = await runEndpoint(clipWindowEndpoint, {
      ...{ file: film, settings: { ranges, quality: 'fast' } },
    })
    expect(files.map(({ fileName }) => fileName)).toEqual(['clip.mp4', 'clip.jpg'])
    expect(Math.abs((files[0]?.durationSeconds ?? 0) - 2)).toBeLessThan(0.02)
    expect(result['receipt']).toMatchObject({
      requested: { start: 0.5, end: 4 },
      frames_encoded: 50,
      joints: 1,
      drift_ms: 0,
      ranges: [{ requested: ranges[0], presented: { start: 0.48 }, at: 0 }, { at: 1 }],
    })
    expect(billedMilliseconds).toBe(2_000)
  })

  it('removes them, in any order', async () => {
    const ranges = [
      { start: 40, end: '' },
      { start: 0, end: 10 },
      { start: 20.5, end: 25 },
    ]
    const { files, result } = await runEndpoint(clipWindowEndpoint, {
      file: speech,
      settings: { ranges, ranges_mode: 'remove' },
    })
    expect(files).toEqual([expect.objectContaining({ fileName: 'clip.wav', durationSeconds: 25.5 })])
    expect(result['receipt']).toMatchObject({ requested: { start: 10, end: 40 }, joints: 1, drift_ms: 0 })
  })

  it('states how much louder the sound is after each joint, in mode smart as in exact, and not in copy', async () => {
    const rate = 16_000
    // From the third second on, the tone is 20 dB louder.
    const tone = Int16Array.from(
      { length: 4 * rate },
      (_, at) => (at < 2 * rate ? 600 : 6000) * Math.sin((2 * Math.PI * 440 * at) / rate),
    )
    const file = path.join(temporaryFolder(), 'tone.wav')
    await writeFile(file, wavOf([tone], rate))
    const rising = [
      { start: 0, end: 1 },
      { start: 1.2, end: 1.6 },
      { start: 2.4, end: 3.6 },
    ]
    expect(await stepsOf(file, { ranges: rising })).toEqual([0, 20])
    // From a tone to silence, with groups of pictures of a second.
    const grouped = await fixture('chapters.mp4')
    const ranges = [
      { start: 0.5, end: 2.3 },
      { start: 3.6, end: 5.5 },
    ]
    const [exact, smart] = [await stepsOf(grouped, { ranges }), await stepsOf(grouped, { ranges, mode: 'smart' })]
    expect(exact).toEqual([expect.any(Number)])
    expect(exact?.[0]).toBeLessThan(-40)
    expect(smart).toEqual(exact)
    expect(await stepsOf(grouped, { ranges, mode: 'copy' })).toBeUndefined()
  })

  it('without join makes one file per range, in the order of the ranges, each with its receipt', async () => {
    const ranges = [
      { start: 2, end: 2.5 },
      { start: 1, end: 2.2 },
    ]
    const { files, result, billedMilliseconds } = await runEndpoint(clipWindowEndpoint, {
      ...{ file: await fixture('phone.wav'), settings: { ranges, join: false } },
    })
    expect(files.map(({ fileName, durationSeconds }) => [fileName, durationSeconds])).toEqual([
      ['clip-1.wav', 0.5],
      ['clip-2.wav', 1.2],
    ])
    expect(result['receipts']).toMatchObject([{ requested: ranges[0] }, { requested: ranges[1] }])
    expect(billedMilliseconds).toBe(1_700)
  })

  it('cuts a single range as a window', async () => {
    const { result } = await runEndpoint(clipWindowEndpoint, {
      file: speech,
      settings: { ranges: [{ start: 1, end: 2 }] },
    })
    expect(result['receipt']).toMatchObject({ presented: { start: 1, end: 2 }, joints: 0 })
    expect(result['receipts']).toBeUndefined()
  })
})
