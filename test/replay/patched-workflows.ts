import { patched, sleep } from '@temporalio/workflow'
import * as today from '../../workflows/index.ts'

// The same change done correctly: open runs continue without it.

export async function mediaJob(...input: Parameters<typeof today.mediaJob>) {
  if (patched('sleep-first')) await sleep('1 second')
  return today.mediaJob(...input)
}

export async function chain(...input: Parameters<typeof today.chain>) {
  if (patched('sleep-first')) await sleep('1 second')
  return today.chain(...input)
}

export async function probe(...input: Parameters<typeof today.probe>) {
  if (patched('sleep-first')) await sleep('1 second')
  return today.probe(...input)
}

export async function upkeep(...input: Parameters<typeof today.upkeep>) {
  if (patched('sleep-first')) await sleep('1 second')
  return today.upkeep(...input)
}

export async function closeMonth(...input: Parameters<typeof today.closeMonth>) {
  if (patched('sleep-first')) await sleep('1 second')
  return today.closeMonth(...input)
}

export async function deliverWebhooks(...input: Parameters<typeof today.deliverWebhooks>) {
  if (patched('sleep-first')) await sleep('1 second')
  return today.deliverWebhooks(...input)
}

export async function startBatchItems(...input: Parameters<typeof today.startBatchItems>) {
  if (patched('sleep-first')) await sleep('1 second')
  return today.startBatchItems(...input)
}
