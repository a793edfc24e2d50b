import { z } from 'zod'
import { isEndedKey } from '../../src/accounts/keys.ts'
import {
  type Batch,
  changeDirective,
  deleteBatch,
  getBatch,
  listBatches,
  maxDirectives,
  spentByBatches,
} from '../../src/batches/batches.ts'
import { countItems } from '../../src/batches/items.ts'
import { idPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { billingMonth, fromUsd, toUsd } from '../../src/core/money.ts'
import { metadataOf } from '../../src/jobs/job-rows.ts'
import type { ApiContext } from '../http/context.ts'
import { deletion } from '../http/deletion.ts'
import { metadata } from '../http/metadata.ts'
import { accountRoute, bodyErrors, errorEnvelope, keyErrors, name, response } from '../http/route.ts'
import { idempotencyHeader } from '../jobs/validate.ts'
import { coveredWork } from '../runs/read.ts'
import {
  checkWork,
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

const fileName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{C}*$/u, 'must not contain control characters')
  .describe(
    'The names of the files that it takes: * stands for any characters, ? for one. Upper and lower case are equal.',
  )

const match = strictFields({
  file_name: fileName.default('*'),
  metadata: metadata.default({}).describe('Only uploads with these pairs in their metadata.'),
})

const cap = positiveUsd.describe(
  'The most that all its runs may cost in a month (UTC). Checked with each hold: it is never passed.',
)

const directiveRequest = strictFields({
  ...workFields,
  match,
  max_price_usd: maxPrice,
  monthly_cap_usd: cap,
}).meta({
  id: 'DirectiveRequest',
  examples: [
    {
      name: 'Tighten talks',
      match: { file_name: 'talk-*.mp4' },
      workflow_id: 'remove-dead-space',
      max_price_usd: 0.5,
      monthly_cap_usd: 20,
    },
  ],
})

const directiveChange = strictFields({
  name: name.optional(),
  enabled: z.boolean().optional().describe('false: it takes no further uploads. What it took runs.'),
  max_price_usd: maxPrice.optional(),
  monthly_cap_usd: cap.optional(),
}).meta({ id: 'DirectiveChange', examples: [{ enabled: false }] })

const directiveSchema = z
  .object({
    id: z.string().regex(idPattern('dir')),
    ...workBody,
    match: z.object({ file_name: z.string(), metadata: z.record(z.string(), z.string()) }),
    status: z
      .enum(['on', 'off', 'revoked'])
      .describe('revoked: the key that created it was revoked or has expired. Create it again.'),
    monthly_cap_usd: z.number(),
    spent_usd: z.number().describe('In this month: what its runs cost, and what the open ones hold.'),
  })
  .meta({ id: 'Directive' })

const envelope = response('DirectiveEnvelope', { directive: directiveSchema })
const list = response('DirectiveList', { directives: z.array(directiveSchema).describe('Newest first.') })
const params = z.object({ directive_id: z.string().meta({ pattern: idPattern('dir').source }) })
const tags = ['batches']

/** `POST /v1/directives` */
export const createDirectiveRoute = accountRoute({
  method: 'POST',
  url: '/v1/directives',
  schema: {
    tags,
    operationId: 'createDirective',
    summary: 'Run a chain on each upload that arrives',
    description: `From then on, each upload that matches gets one run. What a run may cost, and all runs in a month, is checked with each hold. A key's directives count for its cap, and end with it. An account has at most ${maxDirectives}.`,
    headers: idempotencyHeader,
    body: directiveRequest,
    response: { ...bodyErrors, 200: envelope, 201: envelope, 409: errorEnvelope, 501: errorEnvelope },
  },
  handler: async (request, { context, account, reply }) => {
    const { match: taken, name: given = '', metadata: labels, max_price_usd, monthly_cap_usd } = request.body
    const { id, isRepeat } = await makeOnce(context, account, request, async () => ({
      ...{ kind: 'dir', name: given, metadata: labels, ...(await checkWork(context, account, request.body)) },
      ...{ limitMicroUsd: fromUsd(max_price_usd), capMicroUsd: fromUsd(monthly_cap_usd) },
      match: { fileNames: taken.file_name, metadata: taken.metadata },
    }))
    if (isRepeat) reply.header('idempotent-replayed', 'true')
    return reply.code(isRepeat ? 200 : 201).send(await answer(context, request.id, account.accountId, id))
  },
})

/** `GET /v1/directives` */
export const listDirectivesRoute = accountRoute({
  method: 'GET',
  url: '/v1/directives',
  schema: {
    tags,
    operationId: 'listDirectives',
    summary: 'List directives',
    response: { ...keyErrors, 200: list },
  },
  handler: async (request, { context: { db, searches }, account: { accountId, scope } }) => {
    const all = { limit: maxDirectives, after: undefined, chains: coveredWork(scope) }
    const directives = await listBatches(db, 'dir', accountId, all)
    // Each can have many items.
    const giveBack = searches.take(accountId)
    return { request_id: request.id, directives: await present(db, directives).finally(giveBack) }
  },
})

/** `GET /v1/directives/{directive_id}` */
export const getDirectiveRoute = accountRoute({
  method: 'GET',
  url: '/v1/directives/:directive_id',
  schema: {
    tags,
    operationId: 'getDirective',
    summary: 'Get a directive',
    params,
    response: { ...keyErrors, 200: envelope, 404: errorEnvelope },
  },
  handler: async (request, { context, account: { accountId } }) =>
    answer(context, request.id, accountId, request.params.directive_id),
})

/** `PATCH /v1/directives/{directive_id}` */
export const changeDirectiveRoute = accountRoute({
  method: 'PATCH',
  url: '/v1/directives/:directive_id',
  schema: {
    tags,
    operationId: 'changeDirective',
    summary: 'Turn a directive on or off, or change what it may spend',
    description: 'Only an owner, or a key that may raise limits, raises what it may spend.',
    params,
    body: directiveChange,
    response: { ...bodyErrors, 200: envelope, 404: errorEnvelope },
  },
  handler: async (request, { context, account }) => {
    const { name: given, enabled: isOn, max_price_usd: price, monthly_cap_usd: monthly } = request.body
    const { directive_id: id } = request.params
    const change = {
      ...{ name: given, isOn },
      limitMicroUsd: price === undefined ? undefined : fromUsd(price),
      capMicroUsd: monthly === undefined ? undefined : fromUsd(monthly),
    }
    await context.createsByAccount(account.accountId, () => changeDirective(context.db, account, id, change))
    return answer(context, request.id, account.accountId, id)
  },
})

/** `DELETE /v1/directives/{directive_id}` */
export const deleteDirectiveRoute = accountRoute({
  method: 'DELETE',
  url: '/v1/directives/:directive_id',
  schema: {
    tags,
    operationId: 'deleteDirective',
    summary: 'Delete a directive',
    description:
      'It takes no further uploads, and those that wait are not run. Open runs end before their next step. Runs that have ended stay.',
    params,
    response: { ...keyErrors, 200: deletion, 404: errorEnvelope },
  },
  handler: async (request, { context, account }) => {
    const { directive_id: id } = request.params
    const directive = await getBatch(context.db, 'dir', account.accountId, id)
    await context.createsByAccount(account.accountId, () => deleteBatch(context.db, directive))
    return { request_id: request.id, id, status: 'deleted' as const }
  },
})

/** `GET /v1/directives/{directive_id}/items` */
export const listDirectiveItemsRoute = accountRoute({
  method: 'GET',
  url: '/v1/directives/:directive_id/items',
  schema: {
    tags,
    operationId: 'listDirectiveItems',
    summary: 'List the uploads that a directive took, with their runs',
    description: 'Newest first, while the uploads are kept. Get a run at /v1/workflow-runs/{run_id}.',
    params,
    querystring: itemQuery,
    response: { ...keyErrors, 200: itemPage, 404: errorEnvelope },
  },
  handler: async (request, { context, account: { accountId } }) => {
    const directive = await getBatch(context.db, 'dir', accountId, request.params.directive_id)
    return { request_id: request.id, ...(await pageOfItems(context, directive, request.query)) }
  },
})

async function answer({ db }: Pick<ApiContext, 'db'>, id: string, accountId: string, directiveId: string) {
  const [directive] = await present(db, [await getBatch(db, 'dir', accountId, directiveId)])
  if (!directive) throw new Error('it was found')
  return { request_id: id, directive }
}

async function present(
  db: ApiContext['db'],
  directives: readonly Batch[],
): Promise<z.output<typeof directiveSchema>[]> {
  const ids = directives.map(({ id }) => id)
  const countsOf = await countItems(db, ids)
  const spentBy = await spentByBatches(db, ids, billingMonth(new Date()))
  return directives.map((directive) => {
    const { id, fileNames, taken, key } = directive
    return {
      ...presentWork(directive, countsOf(id)),
      match: { file_name: fileNames ?? '*', metadata: metadataOf({ metadata: taken }) ?? {} },
      status: statusOf(directive),
      monthly_cap_usd: toUsd(key.monthlyCapMicroUsd ?? 0n),
      spent_usd: toUsd(spentBy(id)),
    }
  })
}

function statusOf({ key, isOn }: Batch) {
  if (isEndedKey(key)) return 'revoked'
  return isOn ? 'on' : 'off'
}
