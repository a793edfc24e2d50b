import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { film } from '../fixtures/make.ts'
import { noGcsEmulator } from '../setup/gcs-emulator.ts'
import { type Fault, type FaultyGcs, type Seen, startFaultyGcs } from '../storage/faulty-gcs.ts'
import { type FaultCase, isLongForm, storageCases } from './cases.ts'
import { postJob } from './post-job.ts'
import { conclude, recordSkipped } from './record.ts'
import { type FaultStack, startFaultStack } from './stack.ts'

describe.runIf(isLongForm && noGcsEmulator)(`storage that fails (skipped: ${noGcsEmulator})`, () => {
  it('is named on the page', () => {
    for (const faultCase of Object.values(storageCases)) recordSkipped(faultCase, 'there is no GCS emulator')
  })
})

describe.runIf(isLongForm && !noGcsEmulator && process.platform === 'linux')('storage that fails', () => {
  let gcs: FaultyGcs
  let stack: FaultStack

  beforeAll(async () => {
    gcs = await startFaultyGcs()
    stack = await startFaultStack({
      variables: { STORAGE: 'gcs', GCS_BUCKET: gcs.bucket, GCS_API_ENDPOINT: gcs.endpoint },
      outputKeys: () => keysIn(gcs, 'outputs/'),
    })
  })

  afterAll(async () => {
    await stack.stop()
    await gcs.close()
  })

  const isRead = ({ url }: Seen) => url.searchParams.get('alt') === 'media'
  const isWrite = ({ method, url }: Seen) => url.pathname.startsWith('/upload/') && method !== 'DELETE'
  const isPiece = (request: Seen) => isWrite(request) && request.method === 'PUT'
  // More than the retries within one attempt of a step.
  const untilNextAttempt = 6

  interface StorageFault {
    readonly faultCase: FaultCase
    readonly matches: (request: Seen) => boolean
    readonly fault: Fault
    readonly times: number
  }

  it.each<StorageFault>([
    { faultCase: storageCases.readErrors, matches: isRead, fault: { status: 503 }, times: untilNextAttempt },
    { faultCase: storageCases.readStalls, matches: isRead, fault: { stallAfterBytes: 100_000 }, times: 1 },
    { faultCase: storageCases.writeErrors, matches: isWrite, fault: { status: 503 }, times: untilNextAttempt },
    { faultCase: storageCases.writeStalls, matches: isPiece, fault: 'stall', times: 1 },
    { faultCase: storageCases.writeUnheard, matches: isPiece, fault: 'lose', times: 1 },
    { faultCase: storageCases.writeErrorsAlways, matches: isWrite, fault: { status: 503 }, times: Infinity },
  ])(
    '$faultCase.fault',
    async ({ faultCase, matches, fault, times }) => {
      const { accountId, client } = await stack.newAccount()
      const media_url = await client.upload(film)
      let met = 0
      gcs.faultOf = (request) => (matches(request) && met++ < times ? fault : undefined)
      await postJob(client, { endpoint: 'video/clip-window', media_url, start: 0, end: 1 })
      await conclude(stack, [{ faultCase, accountId }], 420)
      expect(met).toBeGreaterThanOrEqual(Number.isFinite(times) ? times : untilNextAttempt)
    },
    560_000,
  )
})

async function keysIn({ emulator, bucket }: FaultyGcs, prefix: string): Promise<string[]> {
  const answer = await fetch(`${emulator.endpoint}/storage/v1/b/${bucket}/o?prefix=${encodeURIComponent(prefix)}`)
  const { items } = z.object({ items: z.array(z.object({ name: z.string() })).default([]) }).parse(await answer.json())
  return items.map(({ name }) => name)
}
