import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { openSession, signUp } from '../../../lab/people.ts'
import { createClient } from '../../../scripts/client.ts'
import { freePort } from '../../../scripts/stack/ports.ts'
import { createKey } from '../../../src/accounts/keys.ts'
import { type SharedService, useSharedService } from '../../e2e/shared-service.ts'
import { serviceCommand } from '../../setup/service-command.ts'
import { openStream } from './open-stream.ts'

const kills = 3
const jobsPerKill = 6

let service: SharedService
beforeAll(async () => {
  service = await useSharedService()
})

/** Another API of the service, that is killed. */
async function startApi() {
  const [node, ...args] = serviceCommand('api/server.ts')
  const port = await freePort()
  const child = spawn(node, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, ...service.environment, PORT: String(port) },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    kill: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function newOwner() {
  const { accountId, cookie } = await openSession(service, await signUp(service))
  const { token } = await createKey(service.db, { accountId, name: 'jobs' })
  return { accountId, cookie, client: createClient(service.baseUrl, token) }
}

it('loses no event when the process of a stream is killed, again and again, and the stream goes on at the next', async () => {
  const { accountId, cookie, client } = await newOwner()
  const media_url = await client.upload(path.resolve('test/fixtures/speech.wav'))
  const seen: string[] = []
  let lastId: string | undefined
  const follow = async (baseUrl: string, isEnough: () => boolean) => {
    const stream = await openStream(baseUrl, cookie, lastId)
    const ready = await stream.until('ready')
    lastId ??= ready.id
    // A killed process breaks the stream anywhere.
    const reading = (async () => {
      while (!isEnough()) {
        const { id, data } = await stream.until('event')
        lastId = id
        if (data.type?.startsWith('job.')) seen.push(id ?? '')
      }
    })().catch(() => {})
    return { reading, isResumed: ready.data['resumed'], leave: stream.leave }
  }
  const jobs: string[] = []
  const create = async () => {
    const settings = { threshold: -20 - jobs.length }
    jobs.push((await client.create({ endpoint: 'audio/detect-silence', media_url, settings })).id)
  }
  for (let kill = 0; kill < kills; kill++) {
    const api = await startApi()
    const { reading, isResumed } = await follow(api.baseUrl, () => false)
    expect(isResumed).toBe(kill > 0)
    for (let job = 0; job < jobsPerKill; job++) await create()
    await client.ended(jobs[jobs.length - jobsPerKill / 2] ?? '', 60)
    await api.kill()
    await reading
    await create()
  }
  for (const id of jobs) await client.ended(id, 60)
  const ended = () =>
    service.db.event.findMany({ where: { accountId, type: 'job.completed' }, orderBy: { position: 'asc' } })
  const events = await ended()
  expect(events.length).toBe(jobs.length)
  const { reading, isResumed, leave } = await follow(service.baseUrl, () => seen.at(-1) === events.at(-1)?.id)
  expect(isResumed).toBe(true)
  await reading
  leave()
  expect(seen).toEqual(events.map(({ id }) => id))
})
