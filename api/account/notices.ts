import { z } from 'zod'
import { listNotices, renderNotice } from '../../src/mail/notices.ts'
import { pageLimit } from '../http/pages.ts'
import { accountRoute, keyErrors, response } from '../http/route.ts'

const noticeList = response('NoticeList', {
  notices: z
    .array(
      z.object({
        id: z.string(),
        kind: z.string().describe('Such as key_created. New kinds can be added.'),
        subject: z.string(),
        text: z.string(),
        data: z.record(z.string(), z.unknown()).describe('The facts of the text as fields.'),
        created_at: z.iso.datetime(),
        mailed_at: z.iso.datetime().optional().describe('When it was mailed to the owner.'),
      }),
    )
    .describe('Newest first.'),
})

const fields = z.record(z.string(), z.unknown())

/** `GET /v1/account/notices` */
export const listNoticesRoute = accountRoute({
  method: 'GET',
  url: '/v1/account/notices',
  schema: {
    operationId: 'listNotices',
    tags: ['account'],
    summary: 'List the notices of the account',
    description:
      'New keys, a raised monthly cap, spend alerts, changes of billing. The owner also gets each notice by mail.',
    querystring: z.object({ limit: pageLimit }),
    response: { ...keyErrors, 200: noticeList },
  },
  handler: async (request, { context: { db }, account }) => {
    const notices = await listNotices(db, account.accountId, request.query.limit)
    return {
      request_id: request.id,
      notices: notices.map((notice) => ({
        id: notice.id,
        kind: notice.kind,
        ...renderNotice(notice),
        data: fields.parse(notice.data),
        created_at: notice.createdAt.toISOString(),
        ...(notice.mailedAt ? { mailed_at: notice.mailedAt.toISOString() } : {}),
      })),
    }
  },
})
