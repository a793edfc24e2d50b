import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { film } from '../fixtures/make.ts'
import { leftOver, outcomeOf, untilEnded } from './aftermath.ts'
import { type Gate, holdGates, installGates, type Step, steps } from './gates.ts'
import { postJob } from './post-job.ts'
import { type FaultStack, startFaultStack, type Target, targets } from './stack.ts'
import { until } from './until.ts'

export const moments = ['before', 'after'] as const
export type Moment = (typeof moments)[number]

let server: Server
let mediaUrl: string
let stack: FaultStack

export function describeKills(target: Target): void {
  describe(`SIGKILL of ${target}`, () => {
    beforeAll(async () => {
      server = createServer((_request, response) => void createReadStream(film).pipe(response)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      mediaUrl = `http://${host}/film.mp4`
      stack = await startFaultStack({ variables: { MEDIA_ALLOW_HOSTS: host } })
      await installGates(stack.databaseUrl)
    }, 90_000)

    afterAll(async () => {
      server.close()
      await stack.stop()
    }, 60_000)

    it.each(moments)(
      '%s the commit of each step',
      async (moment) => {
        await killAt(target, moment, steps)
      },
      240_000,
    )
  })
}

async function killAt(target: Target, moment: Moment, at: readonly Step[]) {
  const accounts = await Promise.all(at.map(async (step) => ({ step, ...(await stack.newAccount()) })))
  const gates = await holdGates(stack.databaseUrl, accounts)
  const body = { endpoint: 'video/clip-window', media_url: mediaUrl, start: 0, end: 1 }
  const posts = accounts.map(({ client }) => postJob(client, body))
  await until('every job stands at its gate', gates.areReached, 30)

  if (moment === 'after') {
    const link = stack.links[target === 'postgres' ? 'postgres' : 'temporal']
    link.pause()
    await gates.release()
    await until('every change is committed', gates.areCommitted, 15)
    await stack.kill(target)
    link.cut()
  } else {
    await stack.kill(target)
    await gates.abort((gate) => actorOf(gate) === target)
    await gates.release()
  }
  await stack.start(target)

  await Promise.all(posts)
  await untilEnded(
    stack,
    accounts.map(({ accountId }) => accountId),
  )
  for (const { step, accountId } of accounts) {
    console.log(step, await outcomeOf(stack, accountId))
  }
  expect(await leftOver(stack)).toEqual([])
  for (const each of targets) expect(stack.running(each).child.exitCode).toBeNull()
}

/** Whose transaction it is. */
function actorOf({ step }: Gate): Target {
  return step === 'create' ? 'api' : 'worker'
}
