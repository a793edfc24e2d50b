import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { MediaTimeline } from '../../clients/typescript/src/index.ts'
import { speech } from '../fixtures/make.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { isSignedWith } from '../webhooks/verify.ts'
import { untilEnded, upkeepEveryTwoSeconds } from './aftermath.ts'
import { isLongForm } from './cases.ts'
import { holdGates } from './gates.ts'
import { type FaultStack, startFaultStack, type Target } from './stack.ts'
import { until } from './until.ts'

const made = z.object({ webhook_endpoint: z.object({ id: z.string() }), secret: z.string() })

describe.skipIf(process.platform !== 'linux')('200 events, while API and worker are killed', () => {
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

  /** Kills the process whose changes are committed and cannot reach Temporal. */
  async function killUnheard(target: Target): Promise<void> {
    await stack.kill(target)
    stack.links.temporal.cut()
    await stack.start(target)
  }

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
    const accounts = await Promise.all(Array.from({ length: 13 }, newAccount))
    const [main, ...others] = accounts
    if (!main) throw new Error('no account')
    const secrets = accounts.map(({ secret }) => secret)
    const ofAccounts = { accountId: { in: accounts.map(({ accountId }) => accountId) } }
    const earlier = receiver.received.length
    const unsigned: string[] = []
    let kills = 0
    let mostKills = 0
    let killed: Promise<void> = Promise.resolve()
    receiver.answerWith((response, request, count) => {
      if (!secrets.some((secret) => isSignedWith(secret, request))) unsigned.push(request.body)
      if (kills === mostKills || count - earlier < 125 + 20 * kills) return response.end()
      kills += 1
      killed = stack.killWorkerAlone().then(() => stack.start('worker'))
      return undefined
    })

    // The API records uploads.
    stack.links.temporal.pause()
    const uploads = Promise.allSettled(
      Array.from({ length: 87 }, (_, n) => main.patient.uploads.upload(new File(['bytes'], `${n}.wav`))),
    )
    await until('every upload is recorded', async () => (await stack.db.event.count({ where: ofAccounts })) === 87, 120)
    await killUnheard('api')
    await uploads

    // The worker ends jobs.
    const uploaded = await Promise.all(others.map(({ patient }) => patient.uploads.upload(speech)))
    const gated = others.map(({ accountId }) => ({ accountId, step: 'finish' }) as const)
    const gates = await holdGates(stack.databaseUrl, gated)
    const detect = { endpoint: 'audio/detect-silence' } as const
    await Promise.all(
      others.map(({ patient }, n) => patient.jobs.create({ ...detect, media_url: uploaded[n]?.media_url ?? '' })),
    )
    await until('each job stands at its end', gates.areReached, 120)
    stack.links.temporal.pause()
    await gates.release()
    await until('each has ended', gates.areCommitted, 60)
    await killUnheard('worker')

    // What was sent, and not recorded, is sent again.
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

    const events = await stack.db.event.findMany({ where: ofAccounts })
    const received = receiver.received.slice(earlier)
    const bodies = new Map(events.map(({ id, payload }) => [id, payload]))
    expect([events.length, kills, unsigned]).toEqual([200, 3, []])
    expect(received.length).toBeGreaterThanOrEqual(203)
    const sent = received.map(({ headers, body }) => [String(headers['webhook-id']), body] as const)
    expect(new Set(sent.map(([id]) => id))).toEqual(new Set(bodies.keys()))
    expect(sent.filter(([id, body]) => bodies.get(id) !== body)).toEqual([])
  }, 600_000)

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
