import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Client } from '../../scripts/client.ts'
import { film, fixture } from '../fixtures/make.ts'
import { isLongForm, type KillCase, killCases, type Moment, moments } from './cases.ts'
import type { Step } from './gates.ts'
import { killAt } from './kill-at.ts'
import { answerWith } from './media-server.ts'
import { postJob } from './post-job.ts'
import { type FaultStack, startFaultStack, type Target, targets } from './stack.ts'

let stack: FaultStack

beforeAll(async () => {
  stack = await startFaultStack({ media: answerWith(film) })
})

afterAll(() => stack.stop())

const shortTargets: readonly Target[] = ['worker', 'temporal', 'postgres']
const shortSteps: readonly Step[] = ['run', 'finish']

/** The worst cases: work is done or charged, and no other process knows it. */
function isInShortForm({ target, moment, step, inParts }: KillCase): boolean {
  if (inParts) return target === 'worker' && moment === 'after' && step === 'part'
  return shortTargets.includes(target) && moment === 'after' && shortSteps.includes(step)
}

/** One kill is for jobs of both kinds in the short form; in the long form their steps take all slots of the worker. */
const works = isLongForm
  ? [
      { work: 'one run', kinds: [false] },
      { work: 'parts', kinds: [true] },
    ]
  : [{ work: 'one run and in parts', kinds: [false, true] }]

const rounds = works
  .flatMap(({ work, kinds }) =>
    targets.flatMap((target) =>
      moments.map((moment) => {
        const cases = killCases.filter(
          (each) => each.target === target && each.moment === moment && kinds.includes(each.inParts),
        )
        return { target, moment, work, cases: cases.filter((each) => isLongForm || isInShortForm(each)) }
      }),
    ),
  )
  .filter(({ cases }) => cases.length > 0)

describe.skipIf(process.platform !== 'linux')('SIGKILL', () => {
  it.each(rounds)(
    'of $target $moment the commit, of jobs in $work',
    ({ target, moment, cases }) => killJobs(target, moment, cases),
    240_000,
  )
})

/** Kills once, while each case has its own job at its transaction. */
async function killJobs(target: Target, moment: Moment, cases: readonly KillCase[]): Promise<void> {
  const jobs = cases.map(async (faultCase) => {
    const { accountId, client } = await stack.newAccount()
    const { step, inParts } = faultCase
    const body = inParts ? await longJoin(client) : shortClip()
    const actor = step === 'create' ? ('api' as const) : ('worker' as const)
    return { faultCase, step, actor, accountId, post: () => postJob(client, body) }
  })
  await killAt(stack, target, moment, await Promise.all(jobs))
}

function shortClip() {
  return { endpoint: 'video/clip-window', media_url: stack.mediaUrl('film.mp4'), start: 0, end: 1 }
}

/** Made in seven pieces of video and the sound. The media server answers no ranges, so the film is uploaded. */
async function longJoin(client: Client) {
  const ranges = [
    { start: 0, end: 70 },
    { start: 80, end: 150 },
  ]
  const media_url = await client.upload(await fixture('five-minutes.mp4'))
  return { endpoint: 'video/clip-window', media_url, settings: { ranges } }
}
