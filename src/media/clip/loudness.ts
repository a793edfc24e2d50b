import type { FfmpegRun } from '../../core/ffmpeg.ts'
import { type ClipFormat, maxTruePeakDbtp } from '../../core/media.ts'
import { outputLines } from '../inspect/probe-json.ts'
import { containers } from './encoders.ts'

/** Of a track, as in EBU R 128 and ITU-R BS.1770. */
export interface Loudness {
  /** -70 for silence. */
  readonly integratedLufs: number
  readonly truePeakDbtp: number
}

/** Filters of a track that mix its channels and set its loudness, by stream index. */
export type Levels = ReadonlyMap<number, readonly string[]>

/** No gate of BS.1770 lets quieter sound count. */
const silentLufs = -70
/** Meters differ by some hundredths. */
const ceilingDbtp = maxTruePeakDbtp - 0.1
/** What lossy codecs add to peaks. */
const codecMarginDb = 0.9
const closeEnoughLu = 0.1
const maxPasses = 5
const maxGainDb = 60
/** The least rise of the loudness that is assumed for each dB of gain. A smaller one would make steps that overshoot. */
const minSlope = 0.3

/** What a run with `meterOptions` measures. */
export async function measureLoudness(
  run: (metered: Pick<FfmpegRun, 'output'>) => Promise<unknown>,
): Promise<Loudness> {
  const values = new Map<string, number>()
  await run({
    output: outputLines((line) => {
      const [, name, value] = /^lavfi\.r128\.(I|true_peak)=(\S+)$/.exec(line) ?? []
      if (name !== undefined) values.set(name, Number(value))
    }),
  })
  return {
    integratedLufs: finiteLevel(values.get('I') ?? silentLufs),
    truePeakDbtp: finiteLevel(20 * Math.log10(values.get('true_peak') ?? 0)),
  }
}

/** Silence for NaN and infinite levels, which damaged samples cause: the clip then warns of damage. */
function finiteLevel(decibels: number): number {
  return Number.isFinite(decibels) ? Math.max(silentLufs, decibels) : silentLufs
}

/** Filters that measure what passes them. */
export const meterFilters: readonly string[] = [
  'ebur128=peak=true:metadata=1:framelog=quiet',
  'ametadata=mode=print:file=-',
]

/** Output options that measure what leaves the filters instead of encoding it. */
export function meterOptions(map: string, filters: readonly string[]): string[] {
  return ['-map', map, '-filter:a', [...filters, ...meterFilters].join(','), '-f', 'null']
}

/**
 * The filters that bring a track to the loudness: a gain, and a limiter where peaks would pass the ceiling. `measure` returns the
 * loudness behind filters. Silence stays as it is.
 */
export async function levelTo(
  targetLufs: number,
  format: ClipFormat,
  measure: (filters: readonly string[]) => Promise<Loudness>,
): Promise<readonly string[]> {
  const isLossless = ['pcm_le', 'pcm_be', 'flac'].includes(containers[format].audio)
  const ceiling = ceilingDbtp - (isLossless ? 0 : codecMarginDb)
  const source = await measure([])
  if (source.integratedLufs <= silentLufs) return []
  let gainDb = targetLufs - source.integratedLufs
  if (source.truePeakDbtp + gainDb <= ceiling) return [volume(gainDb)]
  // The limiter takes loudness away, the more the higher the gain, and lets some peaks between samples pass.
  let limitDb = ceiling
  let before: { readonly gainDb: number; readonly lufs: number } | undefined
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    const { integratedLufs: lufs, truePeakDbtp } = await measure(limited(gainDb, limitDb))
    const missingLu = targetLufs - lufs
    const excessDb = truePeakDbtp - ceiling
    if (Math.abs(missingLu) <= closeEnoughLu && excessDb <= 0) break
    const slope = before ? (lufs - before.lufs) / (gainDb - before.gainDb) : 1
    before = { gainDb, lufs }
    gainDb = Math.min(maxGainDb, gainDb + missingLu / Math.min(1, Math.max(minSlope, slope || 1)))
    limitDb -= Math.max(0, excessDb)
  }
  return limited(gainDb, limitDb)
}

function limited(gainDb: number, limitDb: number): string[] {
  const limit = (10 ** (limitDb / 20)).toFixed(4)
  return [volume(gainDb), `alimiter=limit=${limit}:attack=5:release=50:level=false:latency=true`]
}

function volume(gainDb: number): string {
  return `volume=${gainDb.toFixed(2)}dB`
}

/** For the name of a stored piece of sound: pieces of before have none. */
export function decidedByLevel({ loudnessLufs }: { readonly loudnessLufs: number | null }): number[] {
  return loudnessLufs === null ? [] : [loudnessLufs]
}
