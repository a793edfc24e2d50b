import { percentile } from '../../bench/percentile.ts'
import { createClient } from '../client.ts'
import { watchMemory } from '../hostile/watch-memory.ts'
import type { Attack, Attacker, AttackWorld } from './attack.ts'
import { measureVictimApart, type SmallJob, smallJobNames } from './victim.ts'

/** The effect of attacks on another account and on the processes. */
export interface AttackRecord {
  readonly attack: string
  readonly bound: string
  readonly victimSecondsP50: number
  readonly victimSecondsP95: Readonly<Record<SmallJob, number>>
  readonly victimJobs: number
  /** The most memory that one process has used, in MiB. The processes of service accumulate over the attacks before. */
  readonly toolMebibytes: number
  readonly workerMebibytes: number
  readonly apiMebibytes: number
  readonly notes: readonly string[]
}

export interface AttackRun {
  readonly world: AttackWorld
  /** Returns the API key of a new account. */
  readonly newKey: () => Promise<string>
  readonly seconds: number
  /** Default 2. */
  readonly accountsPerAttack?: number
}

let accounts = 0

/** Runs the attacks simultaneously, each from accounts of its own, while another account works. */
export async function measureAttacks(
  { world, newKey, seconds, accountsPerAttack = 2 }: AttackRun,
  together: readonly Attack[],
): Promise<Omit<AttackRecord, 'attack' | 'bound'>> {
  // Each account has a network of its own, as attackers have.
  const newHeaders = () => {
    accounts += 1
    return { 'x-forwarded-for': `198.51.${100 + Math.floor(accounts / 250)}.${1 + (accounts % 250)}` }
  }
  const newAttacker = async (): Promise<Attacker> => {
    const headers = newHeaders()
    return { client: createClient(world.baseUrl, await newKey(), headers), headers }
  }
  const victim = {
    baseUrl: world.baseUrl,
    key: await newKey(),
    headers: newHeaders(),
    mediaBase64: {
      sound: world.media.honest.toString('base64'),
      picture: world.media.honestFilm.toString('base64'),
      words: world.media.honestSpeech.toString('base64'),
    },
    seconds,
  }
  const memory = watchMemory(() => {})
  const signal = AbortSignal.timeout(seconds * 1000)
  const attackers = await Promise.all(
    together
      .flatMap((attack) => Array.from({ length: accountsPerAttack }, () => attack))
      .map(async (attack) => ({ attack, attacker: await newAttacker() })),
  )
  const [latencies, ...notes] = await Promise.all([
    measureVictimApart(victim),
    ...attackers.map(({ attack, attacker }) => attack.run(world, attacker, signal)),
  ])
  memory.stop()
  const peak = (name: string) => Math.round(memory.peaks.get(name) ?? 0)
  const secondsAt = (names: readonly SmallJob[], share: number) =>
    Math.round(
      percentile(
        names.flatMap((name) => latencies[name]),
        share,
      ) / 100,
    ) / 10
  return {
    victimSecondsP50: secondsAt(smallJobNames, 0.5),
    victimSecondsP95: {
      sound: secondsAt(['sound'], 0.95),
      picture: secondsAt(['picture'], 0.95),
      words: secondsAt(['words'], 0.95),
    },
    victimJobs: smallJobNames.reduce((sum, name) => sum + latencies[name].length, 0),
    toolMebibytes: Math.max(peak('ffmpeg'), peak('ffprobe')),
    workerMebibytes: peak('worker'),
    apiMebibytes: peak('api'),
    notes: [...new Set(notes.flat())],
  }
}
