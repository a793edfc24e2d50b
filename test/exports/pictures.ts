import type { EditRateName } from '../../src/core/edit-rate.ts'

const picture = (name: string, rate: EditRateName, frameRate: number, start: object = {}, video: object = {}) => ({
  ...{ name, rate, video: { frameRate, ...video }, timecode: undefined, first: 0, ...start },
})

/** The media whose cuts and markers other programs read back, as docs/exports.md lists them. */
export const pictures: readonly {
  readonly name: string
  readonly rate: EditRateName
  readonly video: { readonly frameRate: number }
  readonly timecode: string | undefined
  readonly first: number
}[] = [
  picture('23.976', '23.976', 24_000 / 1001),
  picture('23.976 from 10:00:00:12', '23.976', 24_000 / 1001, { timecode: '10:00:00:12', first: 864_012 }),
  picture('25 from 01:00:00:00', '25', 25, { timecode: '01:00:00:00', first: 90_000 }),
  picture('29.97 with dropped numbers, over the hour', '29.97', 30_000 / 1001, {
    ...{ timecode: '00:59:59;28', first: 107_890 },
  }),
  picture('29.97', '29.97', 30_000 / 1001),
  picture('50', '50', 50),
  picture('59.94 with dropped numbers, over the hour', '59.94', 60_000 / 1001, {
    ...{ timecode: '00:59:59;58', first: 215_782 },
  }),
  picture('119.88 on a timeline of 59.94', '59.94', 120_000 / 1001),
  picture('a screen with 5 frames a second of 60', '60', 5, {}, { nominalFrameRate: 60, hasVariableFrameRate: true }),
]
