import { setTimeout as delay } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import type { WorkflowHandle } from '@temporalio/client'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import type { Deferral } from '../../src/temporal/names.ts'

// What a step does instead of its work.

export const refuse = (code: string) => () => {
  throw ApplicationFailure.create({ type: code, message: `told: ${code}`, nonRetryable: true })
}

/** Fails with a retryable error until this attempt. */
export const passingUntil = (attemptThatSucceeds: number) => (attempt: number) => {
  if (attempt >= attemptThatSucceeds) return
  throw ApplicationFailure.create({ type: 'media_unreachable', message: 'told: media_unreachable' })
}

/** Fails nine times with a retryable error; the last attempt sends no heartbeat. */
export const silentAtLast = async (attempt: number) => {
  if (attempt < 10) throw new Error('passing')
  await Context.current().cancelled.catch(() => {})
  throw new CancelledFailure('too late')
}

export const cancel = (_attempt: number, workflow: WorkflowHandle) => workflow.cancel()

/** Runs until it is canceled. */
export const untilCanceled = async () => {
  const context = Context.current()
  while (!context.cancellationSignal.aborted) {
    context.heartbeat()
    await Promise.race([delay(20), context.cancelled.catch(() => {})])
  }
  throw new CancelledFailure('stopped')
}

export const cancelInside = async (attempt: number, workflow: WorkflowHandle) => {
  await cancel(attempt, workflow)
  return untilCanceled()
}

/** Fails with another error when it is canceled. */
export const failWhenCanceled = (code: string) => async (attempt: number, workflow: WorkflowHandle) =>
  cancelInside(attempt, workflow).catch(refuse(code))

type Acting = (attempt: number, workflow: WorkflowHandle) => unknown

/** Does one thing in the part with this number, and another in the others. */
export const ofPart =
  (chosen: number, act: Acting, others: Acting = () => {}) =>
  (attempt: number, workflow: WorkflowHandle, part?: number) =>
    (part === chosen ? act : others)(attempt, workflow)

/** The other parts run until the one with this number begins. */
export const untilPart = (awaited: number) => {
  let hasBegun = false
  return async (_attempt: number, _workflow: WorkflowHandle, part?: number) => {
    if (part === awaited) hasBegun = true
    while (!hasBegun) {
      Context.current().heartbeat()
      await delay(20)
    }
  }
}

/** Gives its slot back this often, then succeeds. */
export const deferred = (times: number, reason: Deferral['deferred'], result?: unknown) => {
  let left = times
  return (): unknown => {
    if (left === 0) {
      // Another play of the same path begins.
      left = times
      return result
    }
    left -= 1
    return { deferred: reason }
  }
}

/** Each part is deferred twice. Refuses if two parts that were deferred before run simultaneously. */
export const deferredAlone = () => {
  const calls = new Map<number, number>()
  let running = 0
  return async (_attempt: number, _workflow: WorkflowHandle, part = 0): Promise<unknown> => {
    const before = calls.get(part) ?? 0
    calls.set(part, (before + 1) % 3)
    if (before === 0) return { deferred: 'no_disk' }
    running += 1
    await delay(50)
    if (running > 1) refuse('server_error')()
    running -= 1
    return before === 1 ? { deferred: 'no_disk' } : undefined
  }
}

/** Answers this to the first call, the third, and so on. */
export const everySecondTime = (answer: string) => {
  let calls = 0
  return (): unknown => (calls++ % 2 === 0 ? answer : undefined)
}
