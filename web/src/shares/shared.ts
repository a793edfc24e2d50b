import * as z from 'zod/mini'
import { jsonOf } from '../api/client.ts'
import type { Span } from '../studio/spans.ts'
import { pointsPerTile, type Tile, type Tiles } from '../studio/tiles.ts'

// What `/s/{token}.json` has, as far as the page shows it.

const segment = z.object({ start: z.number(), end: z.number(), label: z.optional(z.string()) })
const file = z.object({
  name: z.string(),
  content_type: z.string(),
  url: z.string(),
  download_url: z.optional(z.string()),
})
const track = z.object({ name: z.string(), total: z.number(), segments: z.array(segment) })
const waveform = z.object({ level: z.number(), peaks: z.string(), rms: z.string() })

const sharedBody = z.object({
  shared: z.object({
    name: z.string(),
    of: z.enum(['output', 'media']),
    duration_seconds: z.number(),
    tracks: z.array(track),
    waveform: z.optional(waveform),
    outputs: z.array(z.extend(file, { bytes: z.number() })),
    receipt: z.optional(
      z.object({
        drift_ms: z.number(),
        audio_video_offset_ms: z.nullable(z.number()),
        loudness: z.optional(z.array(z.object({ integrated_lufs: z.number() }))),
      }),
    ),
    saved: z.optional(z.object({ seconds_in: z.number(), seconds_out: z.number(), cuts: z.number() })),
    source: z.optional(file),
    transcript: z.optional(z.array(z.object({ start: z.number(), end: z.number(), text: z.string() }))),
    expires_at: z.string(),
  }),
})

export type Shared = z.output<typeof sharedBody>['shared']
export type SharedFile = z.output<typeof file>
export type SharedTrack = z.output<typeof track>

/** Without the cookies of somebody who happens to be signed in. */
export async function readShared(token: string): Promise<Shared> {
  return sharedBody.parse(await jsonOf(fetch(`/s/${token}.json`, { credentials: 'omit' }))).shared
}

export function isPlayed({ content_type: type }: SharedFile): boolean {
  return /^(audio|video)\//.test(type)
}

export function isPicture({ content_type: type }: SharedFile): boolean {
  return type.startsWith('image/')
}

/** What plays along the timeline. */
export function mainFileOf({ of, outputs, source }: Shared): SharedFile | undefined {
  if (of === 'output') return outputs.find(isPlayed)
  return outputs.some(isPlayed) || !source || !isPlayed(source) ? undefined : source
}

/** The one level of detail that a page gets, as the timeline reads it. */
export function tilesOf({ level, peaks, rms }: z.output<typeof waveform>): Tiles {
  const [peak, mean] = [bytesOf(peaks), bytesOf(rms)]
  const tiles = Array.from({ length: Math.ceil(peak.length / pointsPerTile) }, (_, index): Tile => {
    const tile = new Uint8Array(2 * pointsPerTile)
    tile.set(peak.subarray(index * pointsPerTile, (index + 1) * pointsPerTile))
    tile.set(mean.subarray(index * pointsPerTile, (index + 1) * pointsPerTile), pointsPerTile)
    return tile
  })
  const at = (asked: number, index: number) => (asked === level ? tiles[index] : undefined)
  return { levels: level + 1, get: at, peek: at }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

/** What a track draws: of a cut, where its parts meet. */
export function spansOf({ name, segments }: SharedTrack): readonly Span[] {
  const sorted = segments.toSorted((a, b) => a.start - b.start)
  return name === 'part' ? sorted.slice(1).map(({ start }) => ({ start, end: start + 0.001 })) : sorted
}
