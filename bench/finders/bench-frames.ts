import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { createClient } from '../../scripts/client.ts'
import { newDevelopmentKey } from '../../scripts/development-key.ts'
import type { Context } from '../../scripts/main.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { withStack } from '../../scripts/stack/stack.ts'
import { timed } from '../timed.ts'
import { resultRows } from './result-rows.ts'
import { makeShotsFilm, type Shot, shotSeconds, shots } from './shots-film.ts'

const minutes = 10
const count = 10
const found = z.object({ analysis: z.string(), frames: z.array(z.object({ time: z.number() })) })

/** Measures a job for the best frames of ten minutes of 1080p, and the next one on the same film. */
export async function benchFrames(context: Context, machine: string): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-bench-'))
  const env = { ...noQuotas, LOG_LEVEL: 'warn', ...context.env }
  const load = (loadavg()[0] ?? 0).toFixed(0)
  let text = ''
  try {
    await withStack({ ...context, env, dataDir }, async ({ apiUrl, databaseUrl }) => {
      const client = createClient(apiUrl, await newDevelopmentKey(databaseUrl, 'npm run bench:finders'))
      context.say(`making ${minutes} minutes of 1080p`)
      const { ffmpegPath } = await context.findTools()
      const media_url = await client.upload(await makeShotsFilm(ffmpegPath, dataDir, minutes * 60))
      const pick = async (settings: object) => {
        const { id } = await client.create({ endpoint: 'video/best-frames', media_url, settings })
        const { status, error, result } = await client.ended(id, 600)
        if (status !== 'completed') throw new Error(`${id}: ${error?.message}`)
        return found.parse(result)
      }
      let frames: { readonly time: number }[] = []
      const firstMs = await timed(async () => {
        frames = (await pick({ count })).frames
      })
      const againMs = await timed(() => pick({ count: 5 }))
      const shown = frames.flatMap(({ time }) => shotAtTime(time) ?? [])
      context.say(`frames of: ${namesOf(shown)}`)
      text = describeFrames({ firstMs, againMs, shown, load, machine })
      return 0
    })
    return text
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface FrameFigures {
  readonly firstMs: number
  readonly againMs: number
  readonly shown: readonly Shot[]
  readonly load: string
  readonly machine: string
}

function shotAtTime(seconds: number): Shot | undefined {
  return shots[Math.floor(seconds / shotSeconds) % shots.length]
}

function namesOf(named: readonly Shot[]): string {
  return named.map(({ what }) => what).join(', ')
}

function describeFrames({ firstMs, againMs, shown, load, machine }: FrameFigures): string {
  const bad = shown.filter(({ isGood }) => !isGood)
  const rows = [
    [
      `${count} frames of ${minutes} minutes of 1080p, a whole job`,
      `${(firstMs / 1_000).toFixed(1)} s`,
      '≤ 30 s',
      firstMs <= 30_000,
    ],
    ['frames found, of different shots', String(new Set(shown).size), String(count), new Set(shown).size === count],
    ['frames that are blurred, black, noise, grey or white', String(bad.length), '0', bad.length === 0],
  ] as const
  return `## Best frames

Written by \`npm run bench:finders -- best-frames\`. ${machine}; load average ${load} before it.

Shots of two seconds, again and again: ${namesOf(shots)}. ${shown.length} frames were found: of ${namesOf(shown)}. The
next job on the film, with another count, decodes only its frames: ${(againMs / 1_000).toFixed(1)} s.

${resultRows(rows)}
`
}
