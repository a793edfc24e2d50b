import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import {
  type Batch,
  closeBatch,
  deleteBatch,
  findOpenRuns,
  listBatches,
  maxOpenBatches,
  retryBatch,
  spentByBatches,
} from '../../src/batches/batches.ts'
import { countItems, maxBatchItems } from '../../src/batches/items.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { idPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { fromUsd, minMicroUsd, toUsd } from '../../src/core/money.ts'
import { assertMediaUrl } from '../../src/jobs/resolve-media.ts'
import { startDueWork } from '../../src/webhooks/deliveries.ts'
import type { ApiContext } from '../http/context.ts'
import { deletion } from '../http/deletion.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { abortOnDisconnect, longPoll } from '../http/long-poll.ts'
import { decodePosition, nextCursor, pageCursor, pageLimit, pageOf } from '../http/pages.ts'
import { bodyErrors, errorEnvelope, keyErrors, keyRoute, response } from '../http/route.ts'
import { waitQuery } from '../jobs/schema.ts'
import { idempotencyHeader } from '../jobs/validate.ts'
import { coveredWork } from '../runs/read.ts'
import { cancelRun } from '../runs/routes.ts'
import {
  checkWork,
  findCovered,
  itemPage,
  itemQuery,
  makeOnce,
  maxPrice,
  pageOfItems,
  positiveUsd,
  presentWork,
  workBody,
  workFields,
} from './work.ts'

const cap = positiveUsd.describe('The most that all its runs may cost. Checked with each hold: it is never passed.')

const batchRequest = strictFields({
  ...workFields,
  media_urls: z
    .array(z.string())
    .min(1)
    .max(maxBatchItems)
    .describe('As the media_url of a job: public or signed URLs, and media_urls of uploads. Each once.'),
  max_price_usd: maxPrice.optional(),
  cap_usd: cap,
}).meta({
  id: 'BatchRequest',
  examples: [
    {
      endpoint: 'audio/detect-silence',
      media_urls: ['https://media.example/episode-1.mp4'],
      cap_usd: 5,
    },
  ],
})

const batchRetry = strictFields({ cap_usd: cap.optional() }).meta({ id: 'BatchRetry', examples: [{}] })

const batchSchema = z
  .object({
    id: z.string().regex(idPattern('bat')),
    ...workBody,
    status: z
      .enum(['running', 'completed', 'canceled'])
      .describe('completed: every item has ended, also if some failed.'),
    progress: z.number().describe('From 0 to 1: how many of its items have ended.'),
    cap_usd: z.number(),
    spent_usd: z.number().describe('What its runs cost, and what the open ones hold.'),
    ended_at: z.iso.datetime().optional(),
  })
  .meta({ id: 'Batch' })

const envelope = response('BatchEnvelope', { batch: batchSchema })
const page = response('BatchPage', { batches: z.array(batchSchema).describe('Newest first.'), next_cursor: nextCursor })
const params = z.object({ batch_id: z.string().meta({ pattern: idPattern('bat').source }) })
const tags = ['batches']

/** `POST /v1/batches` */
export const createBatchRoute = keyRoute({
  method: 'POST',
  url: '/v1/batches',
  schema: {
    tags,
    operationId: 'createBatch',
    summary: 'Run a chain or an endpoint on up to 1,000 media',
    description: `Each media gets a run of its own. As many run simultaneously as half of the account's slots. The event batch.completed comes when all have ended. An account has at most ${maxOpenBatches} batches that run.`,
    headers: idempotencyHeader,
    body: batchRequest,
    response: { ...bodyErrors, 200: envelope, 202: envelope, 409: errorEnvelope, 501: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { media_urls, name = '', metadata, max_price_usd: price, cap_usd } = request.body
    const capMicroUsd = fromUsd(cap_usd)
    const { id, isRepeat } = await makeOnce(context, credential, request, async () => ({
      ...{ kind: 'bat', name, metadata, capMicroUsd, ...(await checkWork(context, credential, request.body)) },
      limitMicroUsd: price === undefined ? capMicroUsd : minMicroUsd(fromUsd(price), capMicroUsd),
      mediaUrls: checkedUrls(context, media_urls),
    }))
    if (isRepeat) reply.header('idempotent-replayed', 'true')
    return reply.code(isRepeat ? 200 : 202).send(await answerStarted(context, request.id, credential, id))
  },
})

/** Throws `invalid_request` for the first one that cannot be read, or that comes twice. */
function checkedUrls(context: ApiContext, urls: readonly string[]): string[] {
  const seen = new Map<string, number>()
  for (const [index, url] of urls.entries()) {
    const place = `media_urls[${index}]`
    assertMediaUrl(context, url, place)
    const before = seen.get(url)
    if (before !== undefined)
      throw new ServiceError('invalid_request', `${place} is the same as media_urls[${before}]. Send each once.`)
    seen.set(url, index)
  }
  return [...urls]
}

/** `GET /v1/batches` */
export const listBatchesRoute = keyRoute({
  method: 'GET',
  url: '/v1/batches',
  schema: {
    tags,
    operationId: 'listBatches',
    summary: 'List batches, newest first',
    querystring: z.object({ limit: pageLimit, cursor: pageCursor }),
    response: { ...keyErrors, 200: page },
  },
  handler: async (request, { context: { db, searches }, credential: { accountId, scope } }) => {
    const { limit, cursor } = request.query
    const filter = { limit: limit + 1, after: decodePosition(cursor), chains: coveredWork(scope) }
    const [batches, next] = pageOf(await listBatches(db, 'bat', accountId, filter), limit)
    // Each can have many items.
    const giveBack = searches.take(accountId)
    return { request_id: request.id, batches: await present(db, batches).finally(giveBack), ...next }
  },
})

/** `GET /v1/batches/{batch_id}` */
export const getBatchRoute = keyRoute({
  method: 'GET',
  url: '/v1/batches/:batch_id',
  schema: {
    tags,
    operationId: 'getBatch',
    summary: 'Get a batch with its progress, or wait for its end',
    params,
    querystring: waitQuery,
    response: { ...keyErrors, 200: envelope, 404: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { batch_id: id } = request.params
    await longPoll(context, {
      ...{ waiter: credential, id, milliseconds: request.query.wait * 1000, signal: abortOnDisconnect(reply) },
      read: () => findCovered(context.db, credential, id),
      isDone: ({ endedAt }) => endedAt !== null,
    })
    return answer(context, request.id, credential, id)
  },
})

/** `GET /v1/batches/{batch_id}/items` */
export const listBatchItemsRoute = keyRoute({
  method: 'GET',
  url: '/v1/batches/:batch_id/items',
  schema: {
    tags,
    operationId: 'listBatchItems',
    summary: 'List the media of a batch, with their runs',
    description: 'In the order of the request. Get a run at /v1/workflow-runs/{run_id}.',
    params,
    querystring: itemQuery,
    response: { ...keyErrors, 200: itemPage, 404: errorEnvelope },
  },
  handler: async (request, { context, credential }) => {
    const batch = await findCovered(context.db, credential, request.params.batch_id)
    return { request_id: request.id, ...(await pageOfItems(context, batch, request.query)) }
  },
})

/** `POST /v1/batches/{batch_id}/retry` */
export const retryBatchRoute = keyRoute({
  method: 'POST',
  url: '/v1/batches/:batch_id/retry',
  schema: {
    tags,
    operationId: 'retryBatch',
    summary: 'Run the failed items of a batch again',
    description: 'Each gets another run. What they cost counts for the same cap, which cap_usd replaces.',
    params,
    headers: idempotencyHeader,
    body: batchRetry,
    response: { ...bodyErrors, 202: envelope, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { id, accountId } = await findCovered(context.db, credential, request.params.batch_id)
    const { cap_usd } = request.body
    const capMicroUsd = cap_usd === undefined ? undefined : fromUsd(cap_usd)
    const given = idempotencyKeyOf(request)
    const idempotency = given && { ...given, path: `/v1/batches/${id}/retry` }
    const maxUnpaidBytes = context.config.UNPAID_JOB_BYTES_PER_ACCOUNT
    const retry = { id, accountId, capMicroUsd, idempotency, maxUnpaidBytes }
    const count = await context.createsByAccount(accountId, () => retryBatch(context.db, credential, retry))
    if (count === undefined) reply.header('idempotent-replayed', 'true')
    return reply.code(202).send(await answerStarted(context, request.id, credential, id))
  },
})

/** `POST /v1/batches/{batch_id}/cancel` */
export const cancelBatchRoute = keyRoute({
  method: 'POST',
  url: '/v1/batches/:batch_id/cancel',
  schema: {
    tags,
    operationId: 'cancelBatch',
    summary: 'Cancel a batch',
    description: 'What waits is not run, and its open runs are canceled. Completed steps stay charged.',
    params,
    response: { ...bodyErrors, 202: envelope, 404: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { id, accountId } = await findCovered(context.db, credential, request.params.batch_id)
    await context.createsByAccount(accountId, () => closeBatch(context.db, { id, accountId }))
    for (const run of await findOpenRuns(context.db, id)) await cancelRun(context, credential, run.id)
    return reply.code(202).send(await answerStarted(context, request.id, credential, id))
  },
})

/** `DELETE /v1/batches/{batch_id}` */
export const deleteBatchRoute = keyRoute({
  method: 'DELETE',
  url: '/v1/batches/:batch_id',
  schema: {
    tags,
    operationId: 'deleteBatch',
    summary: 'Delete a batch that has ended',
    description: 'Its runs stay.',
    params,
    response: { ...keyErrors, 200: deletion, 404: errorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, credential }) => {
    const { id, accountId } = await findCovered(context.db, credential, request.params.batch_id)
    await context.createsByAccount(accountId, () => deleteBatch(context.db, { id, accountId }))
    return { request_id: request.id, id, status: 'deleted' as const }
  },
})

/** The answer of what lets items start. */
async function answerStarted(context: ApiContext, requestId: string, credential: Credential, batchId: string) {
  await startDueWork(context, { accountId: credential.accountId, endpointIds: [], hasItems: true })
  return answer(context, requestId, credential, batchId)
}

async function answer({ db }: Pick<ApiContext, 'db'>, id: string, credential: Credential, batchId: string) {
  const [batch] = await present(db, [await findCovered(db, credential, batchId)])
  if (!batch) throw new Error('it was found')
  return { request_id: id, batch }
}

async function present(db: ApiContext['db'], batches: readonly Batch[]): Promise<z.output<typeof batchSchema>[]> {
  const ids = batches.map(({ id }) => id)
  const countsOf = await countItems(db, ids)
  const spentBy = await spentByBatches(db, ids)
  return batches.map((batch) => {
    const counts = countsOf(batch.id)
    const { waiting, running, completed, failed } = counts
    return {
      ...presentWork(batch, counts),
      status: statusOf(batch),
      progress: (completed + failed) / (waiting + running + completed + failed),
      cap_usd: toUsd(batch.key.monthlyCapMicroUsd ?? 0n),
      spent_usd: toUsd(spentBy(batch.id)),
      ...(batch.endedAt ? { ended_at: batch.endedAt.toISOString() } : {}),
    }
  })
}

function statusOf({ endedAt, cancelRequestedAt }: Batch) {
  if (!endedAt) return 'running'
  return cancelRequestedAt ? 'canceled' : 'completed'
}
