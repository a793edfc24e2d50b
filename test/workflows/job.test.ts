import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Context } from '@temporalio/activity'
import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FinishInput } from '../../activities/finish.ts'
import type { Activities, MediaActivities } from '../../activities/index.ts'
import { newId } from '../../src/core/ids.ts'
import { mediaTaskQueue, workflowTaskQueue } from '../../src/core/task-queues.ts'
import { testServerPath } from '../setup/tools.ts'

// The steps stand in for media and database here, so that each path and each failure can be told apart;
// the same paths with the real steps are proven end to end.

type Step = 'inspect' | 'hold' | 'run' | 'finish' | 'startNext'
type Script = Partial<{ [Name in Step]: (attempt: number) => unknown }>

let environment: TestWorkflowEnvironment
let stopWorkers: () => Promise<unknown>
const jobs = new Map<string, { script: Script; steps: Step[]; finished: FinishInput[] }>()

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: testServerPath } },
  })
  const connection = environment.nativeConnection
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))
  const workers = [
    await Worker.create({ connection, taskQueue: workflowTaskQueue, workflowsPath, activities }),
    await Worker.create({ connection, taskQueue: mediaTaskQueue, activities: media, maxHeartbeatThrottleInterval: 50 }),
  ]
  const running = workers.map((worker) => worker.run())
  stopWorkers = () => {
    for (const worker of workers) worker.shutdown()
    return Promise.all(running)
  }
}, 60_000)

afterAll(async () => {
  await stopWorkers()
  await environment.teardown()
})

async function play(step: Step, jobId: string): Promise<unknown> {
  const job = jobs.get(jobId)
  job?.steps.push(step)
  return job?.script[step]?.(Context.current().info.attempt)
}

const activities: Pick<Activities, 'hold' | 'finish' | 'startNext'> = {
  hold: async ({ jobId }) => void (await play('hold', jobId)),
  finish: async (input) => {
    jobs.get(input.jobId)?.finished.push(input)
    return { othersWait: (await play('finish', input.jobId)) === 'others wait' }
  },
  startNext: async ({ jobId }) => void (await play('startNext', jobId)),
}

const media: MediaActivities = {
  inspect: async ({ jobId }) =>
    (await play('inspect', jobId)) === 'ended' ? { jobEnded: true } : { jobEnded: false, mediaSeconds: 60 },
  run: async ({ jobId }) => void (await play('run', jobId)),
}

/** Plays one job to its end. */
async function runJob(script: Script) {
  const jobId = newId('job')
  const record = { script, steps: [], finished: [] }
  jobs.set(jobId, record)
  const handle = await environment.client.workflow.start('mediaJob', {
    taskQueue: workflowTaskQueue,
    workflowId: jobId,
    args: [{ jobId }],
  })
  const outcome = await handle.result().catch((error: unknown) => error)
  const { status } = await handle.describe()
  const played: { steps: Step[]; finished: FinishInput[] } = record
  return { jobId, ...played, outcome, status: status.name }
}

const refuse = (code: string) => () => {
  throw ApplicationFailure.create({ type: code, message: `told: ${code}`, nonRetryable: true })
}

/** Cancels the job whose step calls it. */
const cancelFromInside = async () => {
  const { workflowExecution } = Context.current().info
  await environment.client.workflow.getHandle(workflowExecution?.workflowId ?? '').cancel()
}

/** A media step that goes on until the cancellation reaches it. */
const untilCanceled = async () => {
  const context = Context.current()
  while (!context.cancellationSignal.aborted) {
    context.heartbeat()
    await Promise.race([delay(20), context.cancelled.catch(() => {})])
  }
  throw new CancelledFailure('stopped')
}

describe('a media job', () => {
  it('inspects, holds, runs and finishes, in this order', async () => {
    const job = await runJob({})
    expect(job.steps).toEqual(['inspect', 'hold', 'run', 'finish'])
    expect(job.finished).toEqual([{ jobId: job.jobId }])
    expect(job.outcome).toEqual({ outcome: 'completed' })
  })

  it.each([
    ['completed', {}],
    ['failed', { run: refuse('processing_failed') }],
  ] as const)('passes the running place of a %s job on where others wait', async (_end, script) => {
    const job = await runJob({ ...script, finish: () => 'others wait' })
    expect(job.steps).toEqual(['inspect', 'hold', 'run', 'finish', 'startNext'])
  })

  it('ends as it did when the next job cannot be started', async () => {
    const job = await runJob({ finish: () => 'others wait', startNext: refuse('server_error') })
    expect(job.outcome).toEqual({ outcome: 'completed' })
    expect(job.finished).toHaveLength(1)
  })

  it('leaves a job alone that has ended', async () => {
    const job = await runJob({ inspect: () => 'ended' })
    expect(job.steps).toEqual(['inspect'])
    expect(job.outcome).toEqual({ outcome: 'already_ended' })
  })

  it('does nothing under an id that is not its own', async () => {
    const other = newId('job')
    jobs.set(other, { script: {}, steps: [], finished: [] })
    const handle = await environment.client.workflow.start('mediaJob', {
      taskQueue: workflowTaskQueue,
      workflowId: newId('job'),
      args: [{ jobId: other }],
    })
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError)
    expect(jobs.get(other)?.steps).toEqual([])
  })

  it.each([
    ['inspect', 'no_audio_track', ['inspect', 'finish']],
    ['inspect', 'media_blocked', ['inspect', 'finish']],
    ['hold', 'billing_required', ['inspect', 'hold', 'finish']],
    ['run', 'processing_failed', ['inspect', 'hold', 'run', 'finish']],
  ] as const)('ends failed at once when %s refuses with %s, and shows Failed', async (step, code, steps) => {
    const job = await runJob({ [step]: refuse(code) })
    expect(job.steps).toEqual(steps)
    expect(job.finished).toEqual([{ jobId: job.jobId, failure: { code, message: `told: ${code}` } }])
    expect(job.status).toBe('FAILED')
  })

  it.each(['inspect', 'run'] as const)('tries %s again after a passing failure', async (step) => {
    const job = await runJob({
      [step]: (attempt: number) => {
        if (attempt < 4) throw ApplicationFailure.create({ type: 'media_unreachable', message: '503' })
      },
    })
    expect(job.steps.filter((name) => name === step)).toHaveLength(4)
    expect(job.status).toBe('COMPLETED')
  })

  it('gives up after ten tries and keeps the reason', async () => {
    const job = await runJob({
      inspect: () => {
        throw ApplicationFailure.create({ type: 'media_unreachable', message: 'still 503' })
      },
    })
    expect(job.steps).toHaveLength(11)
    expect(job.finished[0]?.failure).toEqual({ code: 'media_unreachable', message: 'still 503' })
  })

  it('repeats a transaction until the database is back', async () => {
    const job = await runJob({
      finish: (attempt) => {
        if (attempt < 5) throw new Error('connection refused')
      },
    })
    expect(job.status).toBe('COMPLETED')
    expect(job.finished.every((input) => input.failure === undefined)).toBe(true)
  })

  it('calls a step that stops answering timed_out', async () => {
    const job = await runJob({
      // Nine passing failures leave one try, which sends no heartbeat.
      run: async (attempt) => {
        if (attempt < 10) throw new Error('passing')
        await Context.current().cancelled.catch(() => {})
        throw new CancelledFailure('too late')
      },
    })
    expect(job.finished.at(-1)?.failure?.code).toBe('timed_out')
  }, 60_000)

  it.each(['inspect', 'run'] as const)(
    'canceled in %s: waits for the step to stop, then ends canceled',
    async (step) => {
      const job = await runJob({
        [step]: async () => {
          await cancelFromInside()
          return untilCanceled()
        },
      })
      expect(job.steps.at(-1)).toBe('finish')
      expect(job.finished.map((input) => input.failure?.code)).toEqual(['canceled'])
      expect(job.status).toBe('CANCELLED')
    },
  )

  it('canceled in hold: ends canceled', async () => {
    const job = await runJob({ hold: cancelFromInside, run: untilCanceled })
    expect(job.finished.map((input) => input.failure?.code)).toEqual(['canceled'])
    expect(job.status).toBe('CANCELLED')
  })

  it('canceled in finish: what was finished stays finished', async () => {
    const job = await runJob({ finish: cancelFromInside })
    // The server makes the workflow look at the cancellation, so the step may run again; it must not turn into a failure.
    expect(job.finished.map((input) => input.failure)).not.toContainEqual(expect.anything())
    expect(job.status).toBe('COMPLETED')
  })
})
