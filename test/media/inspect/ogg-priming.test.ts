import { expect, it } from 'vitest'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import { packetSpans } from '../../../src/media/inspect/packets.ts'

/** The packets of a file in Ogg, of 20 ms each, from these times on. */
function spansOf(times: readonly number[]) {
  const ffmpeg: Ffmpeg = {
    maxPixels: 1,
    run: () => expect.fail('nothing is decoded'),
    probe: async ({ onLine }) => {
      for (const time of times)
        onLine(`packet|stream_index=0|pts_time=${time.toFixed(6)}|duration_time=0.020000|flags=K__`)
    },
  }
  const { signal } = new AbortController()
  return packetSpans({ input: { path: 'sound.ogg', format: 'ogg' }, ffmpeg, signal }, new Map([[0, 48_000]]))
}

const from = (start: number, count: number) => Array.from({ length: count }, (_, index) => start + index * 0.02)

it('reads Opus with the longest priming there is, 65,535 samples', async () => {
  expect((await spansOf(from(-1.365312, 200))).get(0)).toMatchObject({ packets: 200, storedStart: -1.365312 })
})

it('refuses a file whose times begin again', async () => {
  await expect(spansOf([...from(-0.0065, 200), ...from(-1.365312, 200)])).rejects.toThrow('several recordings in a row')
})
