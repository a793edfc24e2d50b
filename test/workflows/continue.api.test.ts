import { TestWorkflowEnvironment } from '@temporalio/testing'
import { expect, it, onTestFinished } from 'vitest'
import { storedEvents } from '../replay/stored-history.ts'
import { required } from '../setup/required.ts'
import { quietTemporalRuntime } from '../setup/temporal-runtime.ts'
import { openStage } from './stage.ts'

it('closes a month in a new run when the history is long, from the page that follows', async () => {
  quietTemporalRuntime()
  const environment = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: required('TEMPORAL_PATH') },
      // Reached with the first page.
      extraArgs: ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=8'],
    },
  })
  onTestFinished(() => environment.teardown())
  const stage = await openStage(environment)
  onTestFinished(() => stage.close())

  const month = '2026-10'
  const scene = { workflow: 'closeMonth', workflowId: 'close-continued', args: [{ month, rounds: 2 }] } as const
  const played = await stage.play({ ...scene, script: { closeAccounts: () => 'two pages' } })
  expect([played.status, played.result]).toEqual(['COMPLETED', { month, rounds: 1 }])
  expect(played.calls).toEqual(['closeAccounts', 'closeAccounts'])
  const [started] = storedEvents(played.history)
  expect(started?.['workflowExecutionStartedEventAttributes']).toMatchObject({
    continuedExecutionRunId: expect.stringMatching(/./),
    input: { payloads: [{ json: { month, from: { round: 1, afterId: 'acct_a', failed: 0 } } }] },
  })
})
