import { afterAll, beforeAll, describe, it } from 'vitest'
import { film } from '../fixtures/make.ts'
import { isLongForm, type KillCase, killCases, type Moment, moments } from './cases.ts'
import { type Gate, holdGates, installGates, type Step } from './gates.ts'
import { type MediaServer, serveFile } from './media-server.ts'
import { postJob } from './post-job.ts'
import { conclude } from './record.ts'
import { type FaultStack, startFaultStack, type Target, targets } from './stack.ts'
import { until } from './until.ts'

let media: MediaServer
let stack: FaultStack

beforeAll(async () => {
  media = await serveFile(film)
  stack = await startFaultStack({ variables: { MEDIA_ALLOW_HOSTS: media.host } })
  await installGates(stack.databaseUrl)
}, 90_000)

afterAll(async () => {
  media.close()
  await stack.stop()
}, 60_000)

const shortTargets: readonly Target[] = ['worker', 'temporal', 'postgres']
const shortSteps: readonly Step[] = ['run', 'finish']

/** The worst ones: work is done or paid for, and nobody has heard of it. */
function isInShortForm({ target, moment, step }: KillCase): boolean {
  return shortTargets.includes(target) && moment === 'after' && shortSteps.includes(step)
}

const rounds = targets
  .flatMap((target) => moments.map((moment) => ({ target, moment })))
  .map((round) => ({
    ...round,
    cases: killCases.filter((each) => each.target === round.target && each.moment === round.moment),
  }))
  .map((round) => ({ ...round, cases: round.cases.filter((each) => isLongForm || isInShortForm(each)) }))
  .filter(({ cases }) => cases.length > 0)

describe.skipIf(process.platform !== 'linux')('SIGKILL', () => {
  it.each(rounds)(
    'of $target $moment the commit',
    ({ target, moment, cases }) => killAt(target, moment, cases),
    240_000,
  )
})

/** One kill, with a job of its own standing at each case's step. */
async function killAt(target: Target, moment: Moment, cases: readonly KillCase[]): Promise<void> {
  const jobs = await Promise.all(
    cases.map(async (faultCase) => ({ faultCase, step: faultCase.step, ...(await stack.newAccount()) })),
  )
  const gates = await holdGates(stack.databaseUrl, jobs)
  const body = { endpoint: 'video/clip-window', media_url: `http://${media.host}/film.mp4`, start: 0, end: 1 }
  const posts = jobs.map(({ client }) => postJob(client, body))
  await until('every job stands at its gate', gates.areReached, 60)

  if (moment === 'after') {
    const link = stack.links[target === 'postgres' ? 'postgres' : 'temporal']
    link.pause()
    await gates.release()
    await until('every change is committed', gates.areCommitted, 30)
    await stack.kill(target)
    link.cut()
  } else {
    await stack.kill(target)
    await gates.abort((gate) => actorOf(gate) === target)
    await gates.release()
  }
  await stack.start(target)
  await Promise.all(posts)
  await conclude(stack, jobs)
}

/** Whose transaction it is. */
function actorOf({ step }: Gate): Target {
  return step === 'create' ? 'api' : 'worker'
}
