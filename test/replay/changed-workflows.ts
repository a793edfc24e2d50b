import { sleep } from '@temporalio/workflow'
import * as today from '../../workflows/index.ts'

// A forbidden change: open runs have no timer where the code now has one.

export async function mediaJob(...input: Parameters<typeof today.mediaJob>) {
  await sleep('1 second')
  return today.mediaJob(...input)
}

export async function chain(...input: Parameters<typeof today.chain>) {
  await sleep('1 second')
  return today.chain(...input)
}

export async function probe(...input: Parameters<typeof today.probe>) {
  await sleep('1 second')
  return today.probe(...input)
}

export async function upkeep(...input: Parameters<typeof today.upkeep>) {
  await sleep('1 second')
  return today.upkeep(...input)
}

export async function closeMonth(...input: Parameters<typeof today.closeMonth>) {
  await sleep('1 second')
  return today.closeMonth(...input)
}

export async function deliverWebhooks(...input: Parameters<typeof today.deliverWebhooks>) {
  await sleep('1 second')
  return today.deliverWebhooks(...input)
}

export async function startBatchItems(...input: Parameters<typeof today.startBatchItems>) {
  await sleep('1 second')
  return today.startBatchItems(...input)
}
