import { createClient } from '../../scripts/client.ts'
import { percentile } from '../figures.ts'
import { watchMemory } from '../processes.ts'
import type { Attack, Attacker, AttackWorld } from './attackers.ts'
import { measureVictimApart, smallJobNames } from './victim.ts'

export interface AttackRun {
  readonly world: AttackWorld
  /** Returns the API key of a new account. */
  readonly newKey: () => Promise<string>
  readonly seconds: number
  /** Default 2. */
  readonly accountsPerAttack?: number
}

let accounts = 0

/**
 * Runs the attacks simultaneously, each from accounts of its own, while another account works. The memory is the most that one
 * process has used; the processes of the service accumulate it over the attacks before.
 */
export async function measureAttacks(
  { world, newKey, seconds, accountsPerAttack = 2 }: AttackRun,
  together: readonly Attack[],
) {
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
  const memory = watchMemory()
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
  const secondsAt = (times: readonly number[], share: number) => Math.round(percentile(times, share) / 100) / 10
  const all = smallJobNames.flatMap((name) => latencies[name])
  return {
    victimSecondsP50: secondsAt(all, 0.5),
    victimSecondsP95: {
      sound: secondsAt(latencies.sound, 0.95),
      picture: secondsAt(latencies.picture, 0.95),
      words: secondsAt(latencies.words, 0.95),
    },
    victimJobs: all.length,
    toolMebibytes: Math.max(memory.peak('ffmpeg'), memory.peak('ffprobe')),
    workerMebibytes: memory.peak('worker'),
    apiMebibytes: memory.peak('api'),
    notes: [...new Set(notes.flat())],
  }
}
