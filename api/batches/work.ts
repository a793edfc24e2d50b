import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { type Batch, createBatch, getBatch, type NewBatch } from '../../src/batches/batches.ts'
import { type Item, itemStatuses, listItems } from '../../src/batches/items.ts'
import { chains, getChain } from '../../src/chains/chains.ts'
import { settingsByStep } from '../../src/chains/step-request.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { idPattern } from '../../src/core/ids.ts'
import { fromUsd, toUsd } from '../../src/core/money.ts'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { findRepeatedRequest } from '../../src/jobs/idempotency.ts'
import { failureSchema, metadataOf } from '../../src/jobs/job-rows.ts'
import type { ApiContext } from '../http/context.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { metadata } from '../http/metadata.ts'
import { decodeCursor, encodeCursor, limitOf, nextCursor, pageCursor } from '../http/pages.ts'
import { amountUsd, name, response } from '../http/route.ts'
import { checkChain } from '../runs/plan.ts'
import { isCovered } from '../runs/read.ts'
import { knownSettings, readStepSettings } from '../runs/start.ts'

// What the requests of batches and of directives share: the work on each media, and its outcomes.

export const workFields = {
  name: name.optional().describe('For you.'),
  workflow_id: z
    .enum(chains.map(({ id }) => id))
    .optional()
    .describe('The chain that runs on each media. Send this or endpoint.'),
  endpoint: z
    .enum(endpoints.filter(({ readsMedia }) => readsMedia).map(({ id }) => id))
    .optional()
    .describe('The endpoint that runs on each media, as a run of one step.'),
  settings: z
    .record(z.string(), z.unknown())
    .meta({ propertyNames: { type: 'string' }, additionalProperties: {} })
    .default({})
    .describe('With workflow_id, as in a run: settings of each endpoint by endpoint id. With endpoint, its settings.'),
  metadata: metadata.optional().describe('Of each run.'),
}

const workRequest = z.object(workFields)

type Asked = Omit<NewBatch, 'credential' | 'requestId' | 'idempotency' | 'maxUnpaidBytes'>

/** Makes a batch or a directive. A repeated request is found before `check`: what it names may be gone since. */
export async function makeOnce(
  context: ApiContext,
  credential: Credential,
  request: FastifyRequest,
  check: () => Promise<Asked>,
): Promise<{ id: string; isRepeat: boolean }> {
  const { accountId } = credential
  const idempotency = idempotencyKeyOf(request)
  const earlier = idempotency && (await findRepeatedRequest(context.db, accountId, idempotency))
  if (earlier) return { id: earlier, isRepeat: true }
  const maxUnpaidBytes = context.config.UNPAID_JOB_BYTES_PER_ACCOUNT
  const batch = { ...(await check()), credential, requestId: request.id, idempotency, maxUnpaidBytes }
  return context.createsByAccount(accountId, () => createBatch(context.db, batch))
}

/** The work of a request, checked like a run. */
export async function checkWork(
  context: Pick<ApiContext, 'db' | 'models'>,
  credential: Credential,
  { workflow_id, endpoint, settings: given }: z.output<typeof workRequest>,
) {
  const id = workflow_id ?? endpoint
  if (id === undefined || (workflow_id && endpoint))
    throw new ServiceError('invalid_request', 'Send workflow_id or endpoint: one of them.')
  const chain = getChain(id)
  const request = readStepSettings(chain, { settings: endpoint ? { [endpoint]: given } : given })
  const steps = await checkChain(context, { chain, request, credential })
  const reads = steps.find(({ endpoint: step, settings }) => step.readsMedia && step.uploadsToRead(settings))
  if (reads) throw new ServiceError('invalid_request', `settings: ${reads.endpoint.id} then reads no media.`)
  const unknown = steps.flatMap(({ warnings }) => warnings)
  // Nobody reads warnings of a run that starts by itself.
  if (unknown.length > 0) throw new ServiceError('invalid_request', `settings: ${unknown.join(' ')}`)
  return { chain: chain.id, settings: knownSettings(request.settings) }
}

/** At most this for the run of one media. */
export const maxPrice = amountUsd.describe(
  'The maximum price of the run of one media. A run ends before a step that would pass it.',
)

export const positiveUsd = amountUsd.refine((usd) => fromUsd(usd) > 0n, 'expected more than 0')

const counts = z.object({ waiting: z.int(), running: z.int(), completed: z.int(), failed: z.int() })

export const workBody = {
  name: z.string(),
  workflow_id: z.string().describe('Of its runs: the chain, or the endpoint.'),
  settings: z.record(z.string(), z.record(z.string(), z.unknown())).describe('By endpoint id.'),
  metadata: z.record(z.string(), z.string()).optional(),
  max_price_usd: z.number(),
  items: counts.describe('How many of its media have this status: of a directive, of the newest 1,000.'),
  created_at: z.iso.datetime(),
}

export function presentWork(batch: Batch, items: z.output<typeof counts>) {
  return {
    ...{ id: batch.id, name: batch.name, workflow_id: batch.chain, settings: settingsByStep.parse(batch.settings) },
    ...{ metadata: metadataOf(batch), max_price_usd: toUsd(batch.limitMicroUsd), items },
    created_at: batch.createdAt.toISOString(),
  }
}

/** Throws `not_found` for what the credential does not cover. */
export async function findCovered(db: ApiContext['db'], { accountId, scope }: Credential, id: string): Promise<Batch> {
  const batch = await getBatch(db, 'bat', accountId, id)
  if (isCovered(scope, getChain(batch.chain))) return batch
  throw new ServiceError('not_found', 'The key does not cover this batch.')
}

export const itemQuery = z.object({
  status: z.enum(itemStatuses).optional().describe('Only those with this status. All when left out.'),
  limit: limitOf(100),
  cursor: pageCursor,
})

const itemSchema = z
  .object({
    media_url: z.string().optional().describe('Not of a run that was deleted.'),
    upload_id: z.string().regex(idPattern('upl')).optional(),
    status: z
      .enum(itemStatuses)
      .describe('waiting: its run has not started. failed: its run failed, or it was refused.'),
    run_id: z.string().regex(idPattern('run')).optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional().describe('Why it failed.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'BatchItem' })

export const itemPage = response('BatchItemPage', { items: z.array(itemSchema), next_cursor: nextCursor })

const position = z.tuple([z.string().regex(/^\d{1,18}$/)])

export async function pageOfItems(
  { db, searches }: Pick<ApiContext, 'db' | 'searches'>,
  { id, accountId }: Pick<Batch, 'id' | 'accountId'>,
  { status, limit, cursor }: z.output<typeof itemQuery>,
) {
  const after = decodeCursor(position, cursor)?.[0]
  const filter = { status, limit: limit + 1, after: after === undefined ? undefined : BigInt(after) }
  // Few of many items may have the status.
  const giveBack = status ? searches.take(accountId) : () => {}
  const found = await listItems(db, id, filter).finally(giveBack)
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  return { items: items.map(presentItem), ...(last ? { next_cursor: encodeCursor([String(last.id)]) } : {}) }
}

function presentItem({ mediaUrl, uploadId, status, runId, error, createdAt }: Item): z.output<typeof itemSchema> {
  return {
    ...(mediaUrl === null ? {} : { media_url: mediaUrl }),
    ...(uploadId === null ? {} : { upload_id: uploadId }),
    status,
    ...(runId === null ? {} : { run_id: runId }),
    ...(error === null ? {} : { error: failureSchema.parse(error) }),
    created_at: createdAt.toISOString(),
  }
}
