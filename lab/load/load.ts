import { execFileSync } from 'node:child_process'
import path from 'node:path'
import type { Client } from '../../scripts/client.ts'
import type { Command } from '../../scripts/main.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { percentile, report, timed } from '../figures.ts'
import { jobsPerSecond, timeJob, withFolder, withLabStack } from '../lab-stack.ts'
import { cpuSecondsOf, readCpuSeconds } from '../processes.ts'
import { measureQueueLoad } from './queue-load.ts'

const endpoint = 'audio/detect-silence'
const inFlight = 50
const jobsInFlight = 150
const rounds = 30
const bareRounds = 10

/** `npm run lab -- load`: small jobs alone, many in flight, and the requests of others while thousands wait. */
export const loadCommand: Command = async (context) => {
  const { ffmpegPath } = await context.findTools()
  const speech = path.join(context.root, 'test', 'fixtures', 'speech.wav')
  const text = await withFolder((folder) => {
    const second = path.join(folder, 'second.wav')
    execFileSync(ffmpegPath, ['-nostdin', '-v', 'error', '-ss', '10', '-t', '1', '-i', speech, second])
    const stack = { folder: path.join(folder, 'stack'), env: noQuotas }
    return withLabStack(context, stack, async ({ db, newClient }) => {
      const newClients = (count: number) => Promise.all(Array.from({ length: count }, () => newClient()))
      context.say('small jobs')
      const alone = await measureAlone(await newClient(), ffmpegPath, speech)
      context.say(`${inFlight} jobs in flight`)
      const together = await measureInFlight(await newClient(), { ffmpegPath, speech, second })
      context.say('thousands of jobs')
      const queue = await measureQueueLoad({
        ...{ clients: await newClients(20), visitors: await newClients(5), file: speech, jobs: 2_000, waiters: 500 },
        countOpenJobs: () => db.job.count({ where: { endedAt: null } }),
      })
      return [`## Load\n\n${alone}`, together, queue].join('\n')
    })
  })
  await report(context, 'load', text)
  return 0
}

const silencedetect = (ffmpegPath: string, file: string) =>
  void execFileSync(ffmpegPath, [
    ...['-nostdin', '-v', 'error', '-i', file, '-vn', '-af', 'silencedetect=n=-35dB:d=0.5', '-f', 'null', '-'],
  ])

/** Silence jobs and bare ffmpeg on the same file, in turns, so that all run under the same conditions. Each round uploads again. */
async function measureAlone(client: Client, ffmpegPath: string, speech: string): Promise<string> {
  const [bare, job, again]: [number[], number[], number[]] = [[], [], []]
  for (let round = -2; round < rounds; round++) {
    const bareMs = await timed(async () => silencedetect(ffmpegPath, speech))
    const media_url = await client.upload(speech)
    const { milliseconds: jobMs } = await timeJob(client, { endpoint, media_url })
    const { milliseconds: againMs } = await timeJob(client, { endpoint, media_url, settings: { threshold: -30 } })
    // The first rounds warm caches up.
    if (round < 0) continue
    bare.push(bareMs)
    job.push(jobMs)
    again.push(againMs)
  }
  const row = (name: string, times: readonly number[]) =>
    `| ${name} | ${Math.round(percentile(times, 0.5))} ms | ${Math.round(percentile(times, 0.95))} ms |`
  return `A silence job on 73 s of speech, from POST to the answer of \`?wait\`; goal: under 200 ms more than bare ffmpeg.

| | p50 | p95 |
|---|---|---|
${[row('job', job), row('asked again, which reads no media', again), row('bare ffmpeg', bare)].join('\n')}
`
}

interface Sounds {
  readonly ffmpegPath: string
  readonly speech: string
  readonly second: string
}

/** Many silence jobs, on a stored analysis and on new audio, and the processor time of the services. */
async function measureInFlight(client: Client, { ffmpegPath, speech, second }: Sounds): Promise<string> {
  const run = async (jobs: readonly Readonly<Record<string, unknown>>[]) => {
    const before = readCpuSeconds()
    const perSecond = await jobsPerSecond(client, jobs, inFlight)
    const cpuMs = (name: string, used: number) => ((used - (before.get(name) ?? 0)) * 1000) / jobs.length
    return { perSecond, cpu: new Map([...readCpuSeconds()].map(([name, used]) => [name, cpuMs(name, used)])) }
  }
  const media_url = await client.upload(speech)
  await timeJob(client, { endpoint, media_url })
  const kept = await run(
    Array.from({ length: jobsInFlight }, (_, turn) => {
      return { endpoint, media_url, settings: { threshold: -20 - (turn % 120) / 2 } }
    }),
  )
  const uploads: string[] = []
  while (uploads.length < jobsInFlight) uploads.push(await client.upload(second))
  const cold = await run(uploads.map((each) => ({ endpoint, media_url: each })))
  const began = cpuSecondsOf('self')
  for (let round = 0; round < bareRounds; round++) silencedetect(ffmpegPath, speech)
  const bareMs = ((cpuSecondsOf('self') - began) * 1000) / bareRounds
  const all = ({ cpu }: typeof kept) => [...cpu.values()].reduce((sum, used) => sum + used, 0)
  const ms = ({ cpu }: typeof kept, name: string) => `${Math.round(cpu.get(name) ?? 0)} ms`
  return `${inFlight} silence jobs in flight, ${jobsInFlight} answered from the stored analysis of 73 s of speech, and ${jobsInFlight} on a second of new audio each:

| | stored analysis | new audio | goal |
|---|---|---|---|
| jobs a second | ${kept.perSecond.toFixed(1)} | ${cold.perSecond.toFixed(1)} | ≥ 10 on new audio |
| CPU of all services : bare ffmpeg over the 73 s | ${(all(kept) / bareMs).toFixed(2)} × | ${(all(cold) / bareMs).toFixed(2)} × | ≤ 2 × for a stored analysis |
${[...cold.cpu.keys()].map((name) => `| CPU a job, ${name} | ${ms(kept, name)} | ${ms(cold, name)} | |`).join('\n')}
`
}
