import { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodeAttribute } from '../../src/temporal/names.ts'
import { commandsOf, stepsOf } from '../replay/commands.ts'
import { latestHistory, readHistory } from '../replay/histories.ts'
import { storedEvents } from '../replay/stored-history.ts'
import { required } from '../setup/required.ts'
import { quietTemporalRuntime } from '../setup/temporal-runtime.ts'
import { sceneOf, workflowPaths } from './paths.ts'
import { openStage, type Played, type Stage } from './stage.ts'

let environment: TestWorkflowEnvironment
let stage: Stage

beforeAll(async () => {
  quietTemporalRuntime()
  environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: required('TEMPORAL_TEST_SERVER_PATH') } },
  })
  const keyword = 2
  const attributes = { namespace: 'default', searchAttributes: { [errorCodeAttribute.name]: keyword } }
  await environment.connection.operatorService.addSearchAttributes(attributes)
  stage = await openStage(environment)
})

afterAll(async () => {
  await stage.close()
  await environment.teardown()
})

describe.each(workflowPaths)('$name', (path) => {
  let played: Played

  it(path.proves, async () => {
    played = await stage.play(sceneOf(path))
    expect(stepsOf(storedEvents(played.history))).toEqual(path.steps)
    expect(played.status).toBe(path.status)
    if (path.status === 'COMPLETED') expect(played.result).toEqual(path.result)
    const told = played.finished.map(({ failure }) => failure)
    expect(new Set(told)).toEqual(
      new Set(path.steps.some((step) => step === 'finish' || step === 'finishRun') ? [path.failure] : []),
    )
    for (const [step, times] of Object.entries(path.attempts ?? {})) {
      expect(played.calls.filter((call) => call === step)).toHaveLength(times)
    }
  })

  it('has a stored history with the same decisions: npm run histories -- record', () => {
    const stored = latestHistory(path.name)
    expect(stored && commandsOf(readHistory(stored))).toEqual(commandsOf(storedEvents(played.history)))
  })
})

it('some path runs every step', () => {
  const asked = new Set<string>(workflowPaths.flatMap((path) => path.steps))
  expect(stage.steps.filter((step) => !asked.has(step))).toEqual([])
})
