import { createClient } from '../../scripts/client.ts'
import type { FuzzCase } from './cases.ts'
import type { FoundCase } from './fuzz.ts'
import { bytesOf, type FuzzWorld, runCase } from './run-case.ts'

/** More lanes than the worker has media slots, so that jobs wait for each other. */
const lanes = 6
/** Requests change their account: its cap, its keys, its quotas. */
const casesPerAccount = 40

export interface NextCase {
  readonly number: number
  readonly case: FuzzCase
  /** The bytes of a replay. */
  readonly bytes?: Buffer
}

interface LaneOptions {
  readonly world: FuzzWorld
  /** Returns the API key of a new account. */
  readonly newKey: () => Promise<string>
  readonly next: () => NextCase | undefined
  readonly found: (one: FoundCase, problems: readonly string[]) => void
  readonly count: (what: string) => void
}

interface Lanes {
  readonly ended: Promise<void>
  /** The cases that run at this moment. */
  running(): FoundCase[]
}

/** Runs the cases of `next` until there are none, several at a time. */
export function startLanes({ world, newKey, next, found, count }: LaneOptions): Lanes {
  const running = new Set<FoundCase>()

  async function runLane(): Promise<void> {
    let account: FuzzAccount | undefined
    let turn = 0
    for (let one = next(); one; one = next()) {
      if (!account || turn % casesPerAccount === 0) account = await newFuzzAccount(await newKey(), world)
      turn += 1
      await runOne(account, one)
    }
  }

  async function runOne(account: FuzzAccount, { number, case: one, bytes = bytesOf(world, one) }: NextCase) {
    const described = { number, case: one, ...(bytes && { base64: bytes.toString('base64') }) }
    const problems: string[] = []
    running.add(described)
    try {
      await runCase(world, account, one, { problem: (text) => problems.push(text), count }, bytes)
    } catch (error) {
      problems.push(`the case could not be run: ${error instanceof Error ? error.message : String(error)}`)
    }
    running.delete(described)
    problems.push(...world.canary.takeHits())
    if (problems.length > 0) found(described, problems)
  }

  return {
    ended: Promise.all(Array.from({ length: lanes }, runLane)).then(() => {}),
    running: () => [...running],
  }
}

/** An account that a lane uses for some cases, with media, a job and an output that requests can name. */
export interface FuzzAccount {
  readonly token: string
  readonly film: string
  readonly sound: string
  readonly job: string
  /** The signed URL of a clip. */
  readonly outputUrl: string
}

async function newFuzzAccount(
  token: string,
  { baseUrl, media }: Pick<FuzzWorld, 'baseUrl' | 'media'>,
): Promise<FuzzAccount> {
  const client = createClient(baseUrl, token)
  const upload = (name: string) => {
    const bytes = media.get(name)
    if (!bytes) throw new RangeError(name)
    return client.uploadBytes(name, bytes)
  }
  const [film, sound] = [await upload('film.mp4'), await upload('sound.wav')]
  const { id: job } = await client.create({ endpoint: 'video/clip-window', media_url: film, start: 0.5, end: 1 })
  const { status, result } = await client.ended(job, 300)
  const outputUrl = /"(http[^"]*\/storage\/[^"]*)"/.exec(JSON.stringify(result ?? {}))?.[1]
  if (status !== 'completed' || outputUrl === undefined) throw new Error(`the account's first clip ended ${status}`)
  return { token, film, sound, job, outputUrl }
}
