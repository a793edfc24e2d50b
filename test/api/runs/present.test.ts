import { expect, it } from 'vitest'
import { presentWorkflow } from '../../../api/runs/read.ts'
import { chains, getChain } from '../../../src/chains/chains.ts'
import { modelNames } from '../../../src/models/models.ts'

const models = new Set(modelNames)

it('a live chain has its maximum price for an hour of media, and others have none', () => {
  // 60 minutes at 0.002 USD to find the silences, and at most 60 minutes of clip at 0.01 USD.
  expect(presentWorkflow(getChain('remove-dead-space'), new Set()).max_usd_per_hour).toBe(0.72)
  for (const workflow of chains.map((chain) => presentWorkflow(chain, models))) {
    expect(workflow.max_usd_per_hour !== undefined).toBe(workflow.stage === 'live')
  }
})
