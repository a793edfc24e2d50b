import type { Client } from '../client.ts'
import type { AttackMedia } from '../hostile/attack-media.ts'
import type { MediaHost } from '../hostile/media-host.ts'

/** A free account that attacks. */
export interface Attacker {
  readonly client: Client
  /** The header that tells the accounts' networks apart behind a proxy. */
  readonly headers: Readonly<Record<string, string>>
}

export interface AttackWorld {
  readonly baseUrl: string
  readonly media: AttackMedia
  readonly host: MediaHost
}

/** One way to take the service from the others. */
export interface Attack {
  readonly id: string
  /** What the attacker does, for the table. */
  readonly attack: string
  /** What bounds it, for the table. */
  readonly bound: string
  /** Attacks until the signal. Returns what was measured besides time and memory, for the table. */
  run(world: AttackWorld, attacker: Attacker, signal: AbortSignal): Promise<readonly string[]>
}

/** Repeats the work in parallel lanes until the signal. A lane whose work is refused pauses before the next turn. */
export async function repeatUntil(
  signal: AbortSignal,
  parallel: number,
  work: (turn: number) => Promise<boolean>,
): Promise<void> {
  let turn = 0
  const lane = async () => {
    while (!signal.aborted) {
      turn += 1
      const isAccepted = await work(turn).catch(() => false)
      if (!isAccepted) await new Promise((resolve) => setTimeout(resolve, refusedPauseMilliseconds))
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
}

const refusedPauseMilliseconds = 500
