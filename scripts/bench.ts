import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, tmpdir, totalmem, type } from 'node:os'
import path from 'node:path'
import { measureLatency } from '../bench/latency.ts'
import { describeResults } from '../bench/results.ts'
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
      const [version = ''] = execFileSync(ffmpegPath, ['-version'], { encoding: 'utf8' }).split(' Copyright')
      const machine = `${cpus().length} cores (${arch()}, ${type()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${version}`
      const results = describeResults({ latency, throughput, machine })
      writeFileSync(path.join(context.root, 'bench', 'RESULTS.md'), results)
      console.log(results)
      return 0
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
