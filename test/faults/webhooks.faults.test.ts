import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { MediaTimeline } from '../../clients/typescript/src/index.ts'
import { speech } from '../fixtures/make.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { isSignedWith } from '../webhooks/verify.ts'
import { untilEnded, upkeepEveryTwoSeconds } from './aftermath.ts'
import { isLongForm } from './cases.ts'
import { holdGates } from './gates.ts'
import { type FaultStack, startFaultStack } from './stack.ts'
import { until } from './until.ts'

const made = z.object({ webhook_endpoint: z.object({ id: z.string() }), secret: z.string() })

/** Rounds, each with a kill of the API and one of the worker, and what each round commits just before. */
const [rounds, uploadsOfRound, jobsOfRound] = isLongForm ? [100, 1, 1] : [1, 87, 12]

describe.skipIf(process.platform !== 'linux')('Events, while API and worker are killed', () => {
  let stack: FaultStack
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    stack = await startFaultStack({ variables: { WEBHOOK_ALLOW_HOSTS: receiver.host } })
  })
  afterAll(async () => {
    await stack.stop()
    receiver.stop()
  })

  /** An account whose events the receiver gets. */
  async function newAccount() {
    const account = await stack.newAccount()
    const { body } = await account.client.send('POST', '/v1/webhook-endpoints', { url: receiver.url })
    const patient = new MediaTimeline({ apiKey: account.token, baseUrl: stack.apiUrl, maxRetries: 8 })
    return { ...account, ...made.parse(body), patient }
  }

  it('are all delivered, under the same ids: after their commits, between two deliveries, and before an answer is recorded', async () => {
    // A second try begins with a link, too.
    onTestFinished(() => stack.links.temporal.cut())
    const main = await newAccount()
    const accounts = [main]
    const earlier = receiver.received.length
    const unsigned: string[] = []
    let kills = 0
    let mostKills = 0
    let nextKill = 0
    let killed: Promise<void> = Promise.resolve()
    receiver.answerWith((response, request, count) => {
      if (!accounts.some(({ secret }) => isSignedWith(secret, request))) unsigned.push(request.body)
      if (kills === mostKills || count < nextKill) return response.end()
      kills += 1
      nextKill += 20
      killed = stack.killWorkerAlone().then(() => stack.start('worker'))
      return undefined
    })

    const detect = { endpoint: 'audio/detect-silence' } as const
    let recorded = 0
    for (let round = 0; round < rounds; round += 1) {
      const ending = await Promise.all(Array.from({ length: jobsOfRound }, newAccount))
      accounts.push(...ending)
      const uploaded = await Promise.all(ending.map(({ patient }) => patient.uploads.upload(speech)))
      const gated = ending.map(({ accountId }) => ({ accountId, step: 'finish' }) as const)
      const gates = await holdGates(stack.databaseUrl, gated)
      await Promise.all(
        ending.map(({ patient }, n) => patient.jobs.create({ ...detect, media_url: uploaded[n]?.media_url ?? '' })),
      )
      await until('each job stands at its end', gates.areReached, 120)

      // What both commit now, neither can tell Temporal.
      stack.links.temporal.pause()
      const uploads = Promise.allSettled(
        Array.from({ length: uploadsOfRound }, (_, n) => main.patient.uploads.upload(new File(['bytes'], `${n}.wav`))),
      )
      recorded += uploadsOfRound
      const ofMain = { where: { accountId: main.accountId } }
      await until('every upload is recorded', async () => (await stack.db.event.count(ofMain)) === recorded, 120)
      await gates.release()
      await until('each job has ended', gates.areCommitted, 60)
      await Promise.all([stack.kill('api'), stack.kill('worker')])
      stack.links.temporal.cut()
      await Promise.all([stack.start('api'), stack.start('worker')])
      await uploads
    }

    // What was sent, and not recorded, is sent again.
    nextKill = receiver.received.length + 14
    mostKills = 3
    const { media_url } = await main.patient.uploads.upload(speech)
    const settings = Array.from({ length: 88 }, (_, n) => ({ threshold: -20 - n / 10 }))
    await Promise.all(settings.map((each) => main.patient.jobs.create({ ...detect, media_url, settings: each })))
    await untilEnded(
      stack,
      accounts.map(({ accountId }) => accountId),
      240,
    )
    const passUpkeep = upkeepEveryTwoSeconds(stack)
    const endpointIds = accounts.map(({ webhook_endpoint }) => webhook_endpoint.id)
    const isDelivered = async () => {
      await passUpkeep()
      await killed
      return (
        (await stack.db.delivery.count({
          where: { endpointId: { in: endpointIds }, status: { not: 'delivered' } },
        })) === 0
      )
    }
    await until('every event is delivered', isDelivered, 240)

    const ofAccounts = { accountId: { in: accounts.map(({ accountId }) => accountId) } }
    const events = await stack.db.event.findMany({ where: ofAccounts })
    const received = receiver.received.slice(earlier)
    const bodies = new Map(events.map(({ id, payload }) => [id, payload]))
    console.log(`${2 * rounds + kills} kills, ${events.length} events, ${received.length} deliveries`)
    const count = rounds * (uploadsOfRound + 2 * jobsOfRound) + 89
    expect([events.length, kills, unsigned]).toEqual([count, 3, []])
    expect(received.length).toBeGreaterThanOrEqual(count + 3)
    const sent = received.map(({ headers, body }) => [String(headers['webhook-id']), body] as const)
    expect(new Set(sent.map(([id]) => id))).toEqual(new Set(bodies.keys()))
    expect(sent.filter(([id, body]) => bodies.get(id) !== body)).toEqual([])
  }, 3_600_000)

  it('wait for an endpoint that is down, with few workflows and few attempts', async () => {
    const count = isLongForm ? 10_000 : 100
    const { client, webhook_endpoint: endpoint } = await newAccount()
    receiver.answerWith((response) => response.destroy())
    const before = receiver.received.length
    for (let sent = 0; sent < count; sent += 20)
      await Promise.all(Array.from({ length: 20 }, () => client.uploadBytes('a.wav', Buffer.from('bytes'))))
    const pending = await stack.db.delivery.count({ where: { endpointId: endpoint.id, status: 'pending' } })
    let [workflows, historyEvents] = [0, 0]
    for await (const each of stack.temporal.workflow.list({ query: `WorkflowId = "webhooks/${endpoint.id}"` })) {
      workflows += 1
      historyEvents += each.historyLength
    }
    console.log(`${count} events: ${workflows} workflows, ${historyEvents} events of their histories`)
    expect(pending).toBe(count)
    expect(receiver.received.length - before).toBeLessThan(20)
    expect(workflows).toBeLessThan(20)
  }, 1_800_000)
})
