import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { measureLatency } from '../bench/latency.ts'
import { describeMachine } from '../bench/machine.ts'
import { measureRequests } from '../bench/requests.ts'
import { describeRequests } from '../bench/requests-results.ts'
import { describeResults } from '../bench/results.ts'
import { writePart } from '../bench/results-page.ts'
import { prepareSounds } from '../bench/sounds.ts'
import { measureThroughput } from '../bench/throughput.ts'
import { benchGrowth } from './bench-growth.ts'
import { benchLoad } from './bench-load.ts'
import { assertParts } from './bench-parts.ts'
import { benchReleases } from './bench-releases.ts'
import { createClient } from './client.ts'
import { newDevelopmentKey } from './development-key.ts'
import type { Command } from './main.ts'
import { noQuotas } from './stack/no-quotas.ts'
import { withStack } from './stack/stack.ts'

/** Measures the stack beside bare ffmpeg, under load with `-- load`, the database with five million jobs with `-- growth`, or another release's checkout beside this one with `-- releases`, with temporary data, and writes bench/RESULTS.md. */
export const benchCommand: Command = async (context) => {
  assertParts(context, ['load', 'growth', 'releases'])
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-bench-'))
  const limits = { ...noQuotas, LOG_LEVEL: 'warn' }
  const env = { ...limits, ...context.env }
  const { ffmpegPath } = await context.findTools()
  try {
    if (context.args[0] === 'growth') return await benchGrowth({ ...context, env, dataDir })
    if (context.args[0] === 'load') return await benchLoad({ ...context, env, dataDir })
    if (context.args[0] === 'releases') return await benchReleases({ ...context, env, dataDir })
    return await withStack({ ...context, env, dataDir }, async ({ apiUrl, databaseUrl }) => {
      const key = await newDevelopmentKey(databaseUrl, 'npm run bench')
      const client = createClient(apiUrl, key)
      const { speech, second } = prepareSounds(ffmpegPath, context.root, dataDir)

      const latency = await measureLatency({ client, ffmpegPath, file: speech, rounds: 30 })
      const throughput = await measureThroughput({ client, file: second, jobs: 300, inFlight: 50 })
      const requests = await measureRequests({ apiUrl, databaseUrl, key })
      const machine = describeMachine(ffmpegPath)
      const page = path.join(context.root, 'bench', 'RESULTS.md')
      const jobsText = describeResults({ latency, throughput, machine })
      const requestsText = describeRequests(requests, machine)
      writePart(page, 'jobs', jobsText)
      writePart(page, 'requests', requestsText)
      console.log(`${jobsText}\n${requestsText}`)
      return 0
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
