import { z } from 'zod'
import type { ApiContext } from './context.ts'
import { response } from './route.ts'

/** The response to every DELETE: 200 if nothing is left, 202 if the rest follows. */
export const deletion = response('Deletion', {
  id: z.string(),
  status: z
    .enum(['deleted', 'deleting'])
    .describe('deleted: nothing is left. deleting: nobody can see it any more, and the service erases the rest soon.'),
})

interface DeletedRow {
  readonly requestId: string
  readonly id: string
}

/** Erases as much of a deleted row as is possible now. The response says whether something is left, which upkeep then erases. */
export async function answerDeletion(
  { logger }: Pick<ApiContext, 'logger'>,
  { requestId: request_id, id }: DeletedRow,
  erase: () => Promise<boolean>,
) {
  const isErased = await erase().catch((error: unknown) => {
    logger.warn({ err: error, id }, 'not erased yet')
    return false
  })
  return isErased
    ? ({ code: 200, body: { request_id, id, status: 'deleted' } } as const)
    : ({ code: 202, body: { request_id, id, status: 'deleting' } } as const)
}
