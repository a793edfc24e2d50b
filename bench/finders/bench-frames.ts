import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { createClient } from '../../scripts/client.ts'
import { newDevelopmentKey } from '../../scripts/development-key.ts'
import type { Context } from '../../scripts/main.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { withStack } from '../../scripts/stack/stack.ts'
import { timed } from '../timed.ts'
import { resultRows } from './result-rows.ts'

const minutes = 10
const count = 10
/** Each lasts two seconds, again and again. */
const shots = ['black', 'blurred film', 'noise', 'film', 'a face', 'a pattern', 'grey', 'a flash'] as const
const shotSeconds = 2
const good: readonly string[] = ['film', 'a face', 'a pattern']

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
      const file = path.join(dataDir, 'shots.mp4')
      context.say(`making ${minutes} minutes of 1080p`)
      await makeShots(context, dataDir, file)
      const media_url = await client.upload(file)
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
      const shown = frames.map(({ time }) => shots[Math.floor(time / shotSeconds) % shots.length] ?? '')
      context.say(`frames of: ${shown.join(', ')}`)
      text = describeFrames({ firstMs, againMs, shown, load, machine })
      return 0
    })
    return text
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The shots at 1080p, encoded once and repeated as they are. */
async function makeShots({ root, findTools }: Context, folder: string, output: string): Promise<void> {
  const { ffmpegPath } = await findTools()
  const run = (args: readonly string[]) => promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', '-y', ...args])
  const fixture = (name: string) => path.join(root, 'test', 'fixtures', name)
  const made = (source: string) => ['-f', 'lavfi', '-t', String(shotSeconds), '-i', `${source}s=1920x1080:r=25`]
  const once = path.join(folder, 'once.mp4')
  const as = (name: string, filters: string) =>
    `${filters},trim=end=${shotSeconds},setpts=PTS-STARTPTS,format=yuv420p,setsar=1[${name}]`
  const graph = [
    as('black', '[0:v]null'),
    as('blurred', '[1:v]scale=1920:1080,fps=25,gblur=24'),
    as('noise', '[2:v]noise=alls=100:allf=t'),
    as('film', '[3:v]scale=1920:1080,fps=25'),
    as('face', '[4:v]scale=900:900,pad=1920:1080:600:90:0x305070'),
    as('pattern', '[5:v]null'),
    as('grey', '[6:v]null'),
    as('flash', '[7:v]null'),
    `[black][blurred][noise][film][face][pattern][grey][flash]concat=n=${shots.length},format=yuv420p[v]`,
  ].join(';')
  const film = ['-i', fixture('film.mp4')]
  await run([
    ...[...made('color=c=black:'), ...film, ...made('color=c=gray:'), '-ss', '2', ...film],
    ...['-loop', '1', '-r', '25', '-t', String(shotSeconds), '-i', fixture('astronaut.jpg')],
    ...[...made('testsrc2='), ...made('color=c=gray:'), ...made('color=c=white:')],
    ...['-filter_complex', graph, '-map', '[v]', '-c:v', 'libx264', '-preset', 'veryfast', '-g', '100', once],
  ])
  await run(['-stream_loop', '-1', '-i', once, '-t', String(minutes * 60), '-c', 'copy', output])
}

interface FrameFigures {
  readonly firstMs: number
  readonly againMs: number
  readonly shown: readonly string[]
  readonly load: string
  readonly machine: string
}

function describeFrames({ firstMs, againMs, shown, load, machine }: FrameFigures): string {
  const bad = shown.filter((shot) => !good.includes(shot))
  const rows = [
    [
      `${count} frames of ${minutes} minutes of 1080p, a whole job`,
      `${(firstMs / 1_000).toFixed(1)} s`,
      '≤ 30 s',
      firstMs <= 30_000,
    ],
    ['frames that are blurred, black, noise, grey or white', String(bad.length), '0', bad.length === 0],
  ] as const
  return `## Best frames

Written by \`npm run bench:finders -- best-frames\`. ${machine}; load average ${load} before it.

Shots of two seconds, again and again: ${shots.join(', ')}. ${shown.length} frames were found, of ${[...new Set(shown)].join(', ')}: a result never has two that look the same. The
next job on the film, with another count, decodes only its frames: ${(againMs / 1_000).toFixed(1)} s.

${resultRows(rows)}
`
}
