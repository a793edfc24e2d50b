import { type Client, createClient } from '../scripts/client.ts'
import { newDevelopmentKey } from '../scripts/development-key.ts'
import type { Context } from '../scripts/main.ts'
import { withStack } from '../scripts/stack/stack.ts'
import { asSeconds, describeFigures } from './media/figures.ts'
import { percentile } from './percentile.ts'
import { timed } from './timed.ts'

export interface StartsInput {
  readonly context: Context
  readonly file: string
  readonly starts: number
  /** Jobs after each start. */
  readonly jobs: number
}

export interface Start {
  /** Until API and worker are ready. */
  readonly readyMs: number
  /** Each job, from POST to the answer of the long poll, in their order. */
  readonly jobMs: readonly number[]
}

/** Starts the stack again and again on the same data. Each time, jobs follow each other, each on an upload of its own. */
export async function measureStarts({ context, file, starts, jobs }: StartsInput): Promise<Start[]> {
  const measured: Start[] = []
  while (measured.length < starts) {
    const begun = performance.now()
    await withStack(context, async ({ apiUrl, databaseUrl }) => {
      const readyMs = performance.now() - begun
      const client = createClient(apiUrl, await newDevelopmentKey(databaseUrl, 'npm run bench -- starts'))
      const uploads: string[] = []
      while (uploads.length < jobs) uploads.push(await client.upload(file))
      const jobMs: number[] = []
      for (const media_url of uploads) jobMs.push(await timed(() => runJob(client, media_url)))
      measured.push({ readyMs, jobMs })
      return 0
    })
  }
  return measured
}

/** The median over the starts of the first job : the median of the last eight, which find everything warm. */
export function firstToWarm(starts: readonly Start[]): number {
  const ratios = starts.map(({ jobMs: [first = 0, , ...warm] }) => first / percentile(warm, 0.5))
  return percentile(ratios, 0.5)
}

export function describeStarts(starts: readonly Start[], machine: string): string {
  const row = ({ readyMs, jobMs }: Start, index: number) =>
    `| ${index === 0 ? 'first, on no data' : index + 1} | ${asSeconds(readyMs)} s | ${jobMs.map(Math.round).join(', ')} |`
  return `## Starts

Written by \`npm run bench -- starts\`. ${machine}.

The stack starts again and again on the same data. After each start, silence jobs on 73 s of speech follow each other, each on an
upload of its own, from POST to the answer of \`?wait\`.

| start | until ready | jobs, in milliseconds |
|---|---|---|
${starts.map(row).join('\n')}

${describeFigures([{ name: 'first job : a warm one, median of the later starts', value: firstToWarm(starts.slice(1)), goal: 1.5, unit: '×' }])}
`
}

async function runJob(client: Client, media_url: string): Promise<void> {
  const { id } = await client.create({ endpoint: 'audio/detect-silence', media_url })
  const ended = await client.ended(id)
  if (ended.status !== 'completed') throw new Error(`${id}: ${ended.error?.message}`)
}
