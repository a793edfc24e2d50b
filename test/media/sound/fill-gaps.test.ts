import { expect, it } from 'vitest'
import { gapFiller, type TimedPacket } from '../../../src/media/sound/meter.ts'

const sampleRate = 1_000
const frameBytes = 2

/** A packet whose samples all have this value. */
const packet = (startFrame: number, frames: number, value: number): TimedPacket => ({
  startFrame,
  bytes: Buffer.from(new Int16Array(frames).fill(value).buffer),
})

/** The runs of equal samples that come out, as `[value, frames]`. */
async function runsOf(...packets: readonly TimedPacket[]): Promise<[number, number][]> {
  const runs: [number, number][] = []
  const onBytes = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += frameBytes) {
      const value = bytes.readInt16LE(at)
      const last = runs.at(-1)
      if (last?.[0] === value) last[1] += 1
      else runs.push([value, 1])
    }
  }
  await gapFiller({ sampleRate, frameBytes, lastFrame: 2_000_000, onBytes })(packets)
  return runs
}

it('fills a gap of any length by the sample, and the time before the first packet', async () => {
  const gap = 1_000_000
  expect(await runsOf(packet(5, 10, 1), packet(gap, 10, 2), packet(gap + 10, 10, 3))).toEqual([
    [0, 5],
    [1, 10],
    [0, gap - 15],
    [2, 10],
    [3, 10],
  ])
})

it('continues where timestamps are rounded, until they add up to more', async () => {
  expect(await runsOf(packet(0, 10, 1), packet(12, 10, 2), packet(8, 10, 3), packet(71, 10, 4))).toEqual([
    [1, 10],
    [2, 10],
    [3, 10],
    [0, 41],
    [4, 10],
  ])
})

it('drops what timestamps repeat', async () => {
  const repeated = [packet(300, 150, 2), packet(450, 100, 3), packet(550, 50, 4)]
  expect(await runsOf(packet(0, 500, 1), ...repeated)).toEqual([
    [1, 500],
    [3, 50],
    [4, 50],
  ])
})

it('fails for a packet behind the end, before which silence would have any length', async () => {
  await expect(runsOf(packet(0, 10, 1), packet(2 ** 60, 10, 2))).rejects.toMatchObject({ code: 'processing_failed' })
})
