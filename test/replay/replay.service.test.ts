import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { quietTemporalRuntime } from '../setup/temporal-runtime.ts'
import { workflowModules, workflowsPath } from '../workflows/workflow-code.ts'
import { listHistories, readHistory } from './histories.ts'
import { type StoredEvent, toHistory, writeEvents } from './stored-history.ts'

const histories = listHistories()

beforeAll(quietTemporalRuntime)

/** Replays every stored history; returns the errors by name, undefined if the workflows make the same decisions. */
async function replayOn(workflowsPath: string): Promise<Map<string, Error | undefined>> {
  const logger = new DefaultLogger('ERROR')
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: workflowModules,
    logger,
  })
  const stored = histories.map((name) => {
    const events = readHistory(name)
    return { workflowId: workflowIdOf(events), history: toHistory(events) }
  })
  const errors = new Map<string, Error | undefined>()
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, stored)) {
    errors.set(histories[errors.size] ?? '', error)
  }
  return errors
}

function fixture(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

function workflowIdOf([started]: readonly StoredEvent[]): string {
  return z.object({ workflowId: z.string() }).parse(started?.['workflowExecutionStartedEventAttributes']).workflowId
}

describe.each([
  ["today's workflows", workflowsPath],
  ['workflows with a change behind patched()', fixture('./patched-workflows.ts')],
])('%s go on with', (_name, file) => {
  let errors: Map<string, Error | undefined>
  beforeAll(async () => {
    errors = await replayOn(file)
  })

  it.each(histories)('%s', (history) => {
    expect(errors.has(history)).toBe(true)
    expect(errors.get(history)).toBeUndefined()
  })
})

describe('workflows with the same change but without a patch are refused by', () => {
  let errors: Map<string, Error | undefined>
  beforeAll(async () => {
    errors = await replayOn(fixture('./changed-workflows.ts'))
  })

  it.each(histories)('%s', (history) => {
    expect(errors.get(history)).toBeInstanceOf(DeterminismViolationError)
  })
})

it('a stored history holds no process, host, folder or stack', () => {
  const texts = histories.map((name) => writeEvents(readHistory(name)))
  expect(texts.filter((text) => /\d@|"identity"|"stackTrace"|\/(home|root|tmp|Users|work)\//.test(text))).toEqual([])
})
