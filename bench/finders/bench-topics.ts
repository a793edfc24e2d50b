import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '../../scripts/client.ts'
import { newDevelopmentKey } from '../../scripts/development-key.ts'
import type { Context } from '../../scripts/main.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { withStack } from '../../scripts/stack/stack.ts'
import { createModelPool } from '../../src/models/pool.ts'
import { percentile } from '../percentile.ts'
import { timed } from '../timed.ts'
import { measureTopics, type TopicFigures } from './topics.ts'

const texts = 20
const rounds = 30

/** Topics in joined texts, and jobs on speech whose transcript and topics are stored. */
export async function benchTopics(context: Context, machine: string): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-bench-'))
  const env = { ...noQuotas, LOG_LEVEL: 'warn', ...context.env }
  let text = ''
  try {
    await withStack({ ...context, env, dataDir }, async ({ apiUrl, databaseUrl }) => {
      const pool = createModelPool({ modelsDir: context.modelsDir, size: 1 })
      const figures = await measureTopics(pool.modelsFor(new AbortController().signal), texts)
      await pool.close()
      const client = createClient(apiUrl, await newDevelopmentKey(databaseUrl, 'npm run bench:finders'))
      const file = path.join(context.root, 'test', 'fixtures', 'speech.wav')
      text = describeTopics(figures, await measureAgain(client, file), machine)
      return 0
    })
    return text
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A first job on the file, and jobs on it with other lengths, from POST to the answer of the long poll. */
async function measureAgain(client: Client, file: string) {
  const media_url = await client.upload(file)
  const runJob = (settings: object) =>
    timed(async () => {
      const { id } = await client.create({ endpoint: 'audio/semantic-chunks', media_url, settings })
      const { status, error } = await client.ended(id)
      if (status !== 'completed') throw new Error(`${id}: ${error?.message}`)
    })
  const firstMs = await runJob({})
  const againMs: number[] = []
  for (let round = 0; round < rounds; round += 1) againMs.push(await runJob({ target_seconds: 20 + round }))
  return { firstMs, againMs }
}

function describeTopics(
  figures: TopicFigures,
  { firstMs, againMs }: Awaited<ReturnType<typeof measureAgain>>,
  machine: string,
): string {
  return `## Topics

Written by \`npm run bench:finders -- topics\`. ${machine}.

${texts} texts of three topics each, joined at random from ${figures.singleTexts} short ones that were written for this. A boundary counts as found
if it is within one sentence. ${figures.singleTextsCut} of the ${figures.singleTexts} texts of one topic were cut.

| precision | recall | F1 (goal: at least 0.85) | a sentence takes |
|---|---|---|---|
| ${figures.precision.toFixed(2)} | ${figures.recall.toFixed(2)} | ${figures.f1.toFixed(2)} | ${figures.millisecondsPerSentence.toFixed(1)} ms |

73 s of speech, from POST to the answer of \`?wait\`, in milliseconds. Asked again, with other lengths, a job reads and transcribes nothing.

| | first | asked again: p50 (goal: at most 150) | p95 |
|---|---|---|---|
| \`audio/semantic-chunks\` | ${Math.round(firstMs)} | ${Math.round(percentile(againMs, 0.5))} | ${Math.round(percentile(againMs, 0.95))} |
`
}
