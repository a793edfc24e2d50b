import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { measureLatency } from '../bench/latency.ts'
import { describeMachine } from '../bench/machine.ts'
import { describeResults } from '../bench/results.ts'
import { writePart } from '../bench/results-page.ts'
import { measureThroughput } from '../bench/throughput.ts'
import { createClient } from './client.ts'
import { newDevelopmentKey } from './development-key.ts'
import type { Run } from './main.ts'
import { noQuotas } from './stack/no-quotas.ts'
import { withStack } from './stack/stack.ts'

/** Measures the stack beside bare ffmpeg, on throw-away data, and writes bench/RESULTS.md. */
export const run: Run = async (context) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-bench-'))
  const limits = { ...noQuotas, LOG_LEVEL: 'warn' }
  const env = { ...limits, ...context.env }
  const { ffmpegPath } = await context.findTools()
  try {
    return await withStack({ ...context, env, dataDir }, async ({ apiUrl, databaseUrl }) => {
      const client = createClient(apiUrl, await newDevelopmentKey(databaseUrl, 'npm run bench'))
      const speech = path.join(context.root, 'test', 'fixtures', 'speech.wav')
      const second = path.join(dataDir, 'second.wav')
      execFileSync(ffmpegPath, ['-nostdin', '-v', 'error', '-ss', '10', '-t', '1', '-i', speech, second])

      const latency = await measureLatency({ client, ffmpegPath, file: speech, rounds: 30 })
      const throughput = await measureThroughput({ client, file: second, jobs: 300, inFlight: 50 })
      const results = describeResults({ latency, throughput, machine: describeMachine(ffmpegPath) })
      writePart(path.join(context.root, 'bench', 'RESULTS.md'), 'jobs', results)
      console.log(results)
      return 0
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
