import { expect, it } from 'vitest'
import { finishingFilters } from '../../../src/media/clip/track-arguments.ts'

const track = {
  ...{ streamIndex: 0, codec: 'pcm_s16le', sampleRate: 48_000, channels: 1, layout: 'mono', timeBase: '1/48000' },
  ...{ isDefault: true, endSeconds: 10 },
}

it.each([
  [0.005, ['afade=t=in:st=0:d=0.005', 'afade=t=out:st=0.995:d=0.005']],
  [5e-6, ['afade=t=in:st=0:d=0.000005', 'afade=t=out:st=0.999995:d=0.000005']],
  [5e-7, []],
  [0, []],
])('a fade of %d s is one that ffmpeg can read, or none', (fadeSeconds, filters) => {
  const clip = { format: 'wav', fadeSeconds, lengthSeconds: 1, window: { start: 1, end: 2 } } as const
  expect(finishingFilters(track, clip)).toEqual(filters)
})
