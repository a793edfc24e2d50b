import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture } from '../fixtures/make.ts'
import { isLongForm, workCases } from './cases.ts'
import { holdGates } from './gates.ts'
import { answerWith } from './media-server.ts'
import { postJob } from './post-job.ts'
import { mediaProcessesIn } from './processes.ts'
import { conclude } from './record.ts'
import { type FaultStack, startFaultStack } from './stack.ts'
import { until } from './until.ts'

describe.skipIf(process.platform !== 'linux')('in the middle of the work', () => {
  let stack: FaultStack

  beforeAll(async () => {
    stack = await startFaultStack({ media: answerWith(await fixture('noise.mp4')) })
  })

  afterAll(() => stack.stop())

  const body = () => ({ endpoint: 'video/clip-window', media_url: stack.mediaUrl('noise.mp4'), end: 2 })

  async function untilRendering(accountId: string): Promise<void> {
    const isRendering = async () => {
      const job = await stack.db.job.findFirst({ where: { accountId } })
      return (job?.progress ?? 0) > 0 && mediaProcessesIn(stack.dataDir).length > 0
    }
    await until('ffmpeg renders', isRendering, 60)
  }

  /** A job whose ffmpeg is running. */
  async function startRender(): Promise<{ accountId: string; processes: readonly number[] }> {
    const { accountId, client } = await stack.newAccount()
    await postJob(client, body())
    await untilRendering(accountId)
    return { accountId, processes: mediaProcessesIn(stack.dataDir) }
  }

  it(`${workCases.workerKilled.fault}`, async () => {
    const { accountId, processes } = await startRender()
    await stack.killWorkerAlone()
    const stillRunning = () => mediaProcessesIn(stack.dataDir).filter((pid) => processes.includes(pid))
    await until('ffmpeg ends with its worker', async () => stillRunning().length === 0, 10)
    await stack.start('worker')
    await conclude(stack, [{ faultCase: workCases.workerKilled, accountId }], 180)
  })

  it.runIf(isLongForm)(`${workCases.workerKilledTwice.fault}`, async () => {
    const { accountId } = await startRender()
    for (const attempt of ['first', 'second']) {
      if (attempt === 'second') await untilRendering(accountId)
      await stack.killWorkerAlone()
      await until('ffmpeg ends with its worker', async () => mediaProcessesIn(stack.dataDir).length === 0, 10)
      await stack.start('worker')
    }
    await conclude(stack, [{ faultCase: workCases.workerKilledTwice, accountId }], 180)
  })

  it(`${workCases.workerDeployed.fault}`, async () => {
    const { accountId } = await startRender()
    await stack.running('worker').stop()
    expect(mediaProcessesIn(stack.dataDir)).toEqual([])
    expect(await stack.db.job.findFirst({ where: { accountId } })).toMatchObject({ status: 'running' })
    await stack.start('worker')
    await conclude(stack, [{ faultCase: workCases.workerDeployed, accountId }], 180)
  })

  it.runIf(isLongForm)(`${workCases.apiDeployed.fault}`, async () => {
    const { accountId, client } = await stack.newAccount()
    const gates = await holdGates(stack.databaseUrl, [{ accountId, step: 'create' }])
    const answer = client.send('POST', '/v1/jobs', { ...body(), end: 0.5 })
    await until('the create stands at its commit', gates.areReached, 30)
    const stopped = stack.running('api').stop()
    const isClosed = () =>
      fetch(stack.apiUrl).then(
        () => false,
        () => true,
      )
    await until('the API takes no more requests', isClosed, 10)
    await gates.release()
    expect((await answer).status).toBe(202)
    await stopped
    await stack.start('api')
    await conclude(stack, [{ faultCase: workCases.apiDeployed, accountId }], 120)
  })

  it.runIf(isLongForm)(`${workCases.everythingKilled.fault}`, async () => {
    const { accountId } = await startRender()
    await Promise.all([
      stack.killWorkerAlone(),
      ...(['api', 'temporal', 'postgres'] as const).map((target) => stack.kill(target)),
    ])
    await Promise.all([stack.start('postgres'), stack.start('temporal')])
    await Promise.all([stack.start('api'), stack.start('worker')])
    await conclude(stack, [{ faultCase: workCases.everythingKilled, accountId }], 180)
  })
})
