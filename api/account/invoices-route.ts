import { z } from 'zod'
import { centsToMicroUsd } from '../../src/billing/invoices/invoice-amounts.ts'
import { listInvoices } from '../../src/billing/invoices/list-invoices.ts'
import { idPattern } from '../../src/core/ids.ts'
import { toUsd } from '../../src/core/money.ts'
import { limitOf } from '../http/pages.ts'
import { accountRoute } from '../http/route.ts'
import { accountErrors, accountSecurity, requestId } from '../http/schemas.ts'

const invoiceList = z
  .object({
    request_id: requestId,
    invoices: z
      .array(
        z.object({
          id: z.string().regex(idPattern('inv')),
          month: z.string().describe('The UTC month that it closes, YYYY-MM.'),
          status: z
            .enum(['preparing', 'open', 'past_due', 'paid', 'void'])
            .describe('past_due: it could not be charged, and billing is inactive until it is paid.'),
          amount_usd: z.number(),
          created_at: z.iso.datetime(),
          paid_at: z.iso.datetime().optional(),
        }),
      )
      .describe('Newest first.'),
  })
  .meta({ id: 'InvoiceList' })

/** `GET /v1/account/invoices` */
export const listInvoicesRoute = accountRoute({
  method: 'GET',
  url: '/v1/account/invoices',
  schema: {
    operationId: 'listInvoices',
    tags: ['account'],
    summary: 'List the monthly invoices of the account',
    description: 'The page of the billing link shows and downloads them, and pays one that is past due.',
    security: accountSecurity,
    querystring: z.object({ limit: limitOf(24) }),
    response: { ...accountErrors, 200: invoiceList },
  },
  handler: async (request, { context: { db }, account }) => {
    const invoices = await listInvoices(db, account.accountId, request.query.limit)
    return {
      request_id: request.id,
      invoices: invoices.map(({ id, month, status, amountCents, createdAt, paidAt }) => ({
        ...{ id, month, status, amount_usd: toUsd(centsToMicroUsd(amountCents)) },
        created_at: createdAt.toISOString(),
        ...(paidAt ? { paid_at: paidAt.toISOString() } : {}),
      })),
    }
  },
})
