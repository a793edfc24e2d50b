import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../scripts/client.ts'
import { describeFigures, type Figure } from './media/figures.ts'
import { percentile } from './percentile.ts'
import { runInFlight } from './run-in-flight.ts'

const inFlight = 50
const turns = 10
/** A turn is so short that the other stack's memory is still in use: a machine can take back what is idle for minutes. */
const keptJobs = 300
const newFiles = 60
const endpoint = 'audio/detect-silence'

export interface ReleaseStack {
  readonly version: string
  readonly client: Client
}

export interface ReleasesInput {
  readonly other: ReleaseStack
  readonly own: ReleaseStack
  /** Its analysis is kept. */
  readonly speech: string
  /** A second of sound. */
  readonly second: string
  readonly say: (line: string) => void
}

type JobsPerSecond = Readonly<Record<'kept' | 'new', number>>

export interface Releases {
  readonly versions: { readonly other: string; readonly own: string }
  /** The medians of the turns. */
  readonly other: JobsPerSecond
  readonly own: JobsPerSecond
}

/** Measures both stacks in turns. Their first turn warms them and does not count. */
export async function measureReleases({ other, own, say, ...files }: ReleasesInput): Promise<Releases> {
  const [takeOther, takeOwn] = [
    await turnsOn(other.client, { ...files, say }),
    await turnsOn(own.client, { ...files, say }),
  ]
  const taken: Record<'other' | 'own', JobsPerSecond>[] = []
  while (taken.length <= turns) {
    say(taken.length === 0 ? 'warming both' : `turn ${taken.length} of ${turns}`)
    taken.push({ other: await takeOther(), own: await takeOwn() })
  }
  const [, ...counted] = taken
  return {
    versions: { other: other.version, own: own.version },
    other: mediansOf(counted.map((turn) => turn.other)),
    own: mediansOf(counted.map((turn) => turn.own)),
  }
}

/** Prepares a stack. Returns what measures it for a turn. */
async function turnsOn(client: Client, { speech, second, say }: Omit<ReleasesInput, 'other' | 'own'>) {
  const media_url = await client.upload(speech)
  await client.ended((await client.create({ endpoint, media_url })).id)
  // Every job has settings of its own.
  let asked = 0
  const keptRequest = () => ({ endpoint, media_url, settings: { threshold: -20 - asked++ / 100 } })
  return async (): Promise<JobsPerSecond> => {
    if (!(await untilIdle())) say('the machine is still busy: what else runs counts in this turn')
    const kept = await runInFlight({ client, inFlight, requests: Array.from({ length: keptJobs }, keptRequest) })
    const requests: Record<string, unknown>[] = []
    while (requests.length < newFiles) requests.push({ endpoint, media_url: await client.upload(second) })
    return { kept, new: await runInFlight({ client, inFlight, requests }) }
  }
}

function mediansOf(taken: readonly JobsPerSecond[]): JobsPerSecond {
  const median = (kind: keyof JobsPerSecond) =>
    percentile(
      taken.map((turn) => turn[kind]),
      0.5,
    )
  return { kept: median('kept'), new: median('new') }
}

/** What a stack still does after its turn does not count for the other. False if the machine is still busy after a minute. */
async function untilIdle(): Promise<boolean> {
  let idleSeconds = 0
  for (let waited = 0; idleSeconds < 2 && waited < 60; waited++) {
    const before = processorTimes()
    await sleep(1_000)
    const after = processorTimes()
    idleSeconds = after.idle - before.idle > (after.all - before.all) * 0.9 ? idleSeconds + 1 : 0
  }
  return idleSeconds >= 2
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map(({ times: each }) => each)
  const idle = times.reduce((sum, each) => sum + each.idle, 0)
  return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) }
}

export function describeReleases({ versions, other, own, machine }: Releases & { readonly machine: string }): string {
  const figures: Figure[] = [
    { name: 'jobs a second, kept analysis', value: own.kept / other.kept, goal: 1.8, unit: '×', isFloor: true },
    { name: 'jobs a second, new audio', value: own.new / other.new, goal: 1.5, unit: '×', isFloor: true },
  ]
  const row = (name: string, { kept, new: fresh }: JobsPerSecond) =>
    `| ${name} | ${kept.toFixed(1)} | ${fresh.toFixed(1)} |`
  return `## Beside ${versions.other}

Written by \`npm run bench -- releases\`. ${machine}.

A checkout of ${versions.other} and this one, both started by \`npm start\`, in turns: ${keptJobs} silence jobs on 73 s of speech, which a kept analysis answers, then ${newFiles} on
a second of new audio each, ${inFlight} in flight. Medians of ${turns} turns:

| jobs a second | kept analysis | new audio |
|---|---|---|
${row(versions.other, other)}
${row('this one', own)}

${describeFigures(figures)}
`
}
