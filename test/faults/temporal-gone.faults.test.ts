import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobResponse } from '../../scripts/client.ts'
import { film, fixture } from '../fixtures/make.ts'
import { untilEnded } from './aftermath.ts'
import { isLongForm, temporalCases } from './cases.ts'
import { holdGates } from './gates.ts'
import { answerWith } from './media-server.ts'
import { conclude } from './record.ts'
import { type FaultStack, startFaultStack } from './stack.ts'
import { until } from './until.ts'

describe.runIf(isLongForm && process.platform === 'linux')('Temporal is unavailable', () => {
  let stack: FaultStack

  beforeAll(async () => {
    stack = await startFaultStack({ media: answerWith(film), variables: { RUNNING_JOBS_PER_ACCOUNT: '1' } })
  })

  afterAll(() => stack.stop())

  const clip = () => ({ endpoint: 'video/clip-window', media_url: stack.mediaUrl('film.mp4'), start: 0, end: 1 })

  it(temporalCases.stopped.fault, async () => {
    const { accountId, client } = await stack.newAccount()
    const media_url = await client.upload(await fixture('no-video.mp4'))
    await stack.kill('temporal')
    let slowestSeconds = 0
    for (let posted = 0; posted < 100; posted++) {
      const start = performance.now()
      const { status } = await client.send('POST', '/v1/jobs', { endpoint: 'audio/detect-silence', media_url })
      slowestSeconds = Math.max(slowestSeconds, (performance.now() - start) / 1000)
      expect(status).toBe(202)
    }
    expect(slowestSeconds).toBeLessThan(1.5)
    await stack.start('temporal')
    await conclude(stack, [{ faultCase: temporalCases.stopped, accountId }], 240)
  }, 400_000)

  it('its whole database is lost', async () => {
    const [ended, busy, unstarted] = [await stack.newAccount(), await stack.newAccount(), await stack.newAccount()]
    await ended.client.create(clip())
    await untilEnded(stack, [ended.accountId])

    const gates = await holdGates(stack.databaseUrl, [{ accountId: busy.accountId, step: 'run' }])
    const running = await busy.client.create(clip())
    await until('a job stands in its run', gates.areReached, 60)
    const waiting = await busy.client.create(clip())
    await stack.kill('temporal')
    const { status, body } = await unstarted.client.send('POST', '/v1/jobs', clip())
    expect([status, jobResponse.parse(body).job.status]).toEqual([202, 'queued'])

    await stack.loseTemporalData()
    await stack.start('temporal')
    await stack.setupTemporal()
    await gates.release()
    await conclude(stack, [
      { faultCase: temporalCases.lostEnded, accountId: ended.accountId },
      { faultCase: temporalCases.lostRunning, accountId: busy.accountId, jobId: running.id },
      { faultCase: temporalCases.lostUnstarted, accountId: unstarted.accountId },
      { faultCase: temporalCases.lostWaiting, accountId: busy.accountId, jobId: waiting.id },
    ])
  }, 300_000)
})
