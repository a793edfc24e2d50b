import { z } from 'zod'
import { deleteAccount, eraseAccount } from '../../src/accounts/erase-account.ts'
import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { forgetAttempts, withServiceErrors } from '../../src/accounts/password.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { toUsd } from '../../src/core/money.ts'
import { hasSessionCookie, sessionOf, setCookies, signInHeaders } from '../http/authenticate.ts'
import { answerDeletion, deletion } from '../http/deletion.ts'
import { bodyErrors, sessionRoute } from '../http/route.ts'
import { givenPassword, limitAddress, limitPasswords } from './sign-in/sign-in.ts'

/** How long the request itself erases rows. Upkeep erases the rest of a large account. */
const erasingMs = 20_000

const accountDeletion = deletion
  .extend({ unpaid_usd: z.number().min(0).describe('What was billed and is not paid. The ledger keeps it.') })
  .meta({ id: 'AccountDeletion' })

/** `DELETE /v1/account`: by the owner's session and password only, so that a leaked key cannot do it. */
export const deleteAccountRoute = sessionRoute({
  method: 'DELETE',
  url: '/v1/account',
  schema: {
    operationId: 'deleteAccount',
    tags: ['account'],
    summary: 'Delete the account with everything in it',
    description:
      'Needs the session of the owner, and the password again. Jobs that run are canceled, keys and sessions end, and all jobs, results, files and the address of the owner are erased. Cannot be undone. The ledger stays, without a person.',
    security: [{ Session: [] }],
    body: strictFields({ password: givenPassword }),
    response: { ...bodyErrors, 200: accountDeletion, 202: accountDeletion },
  },
  // Checks the session before the body.
  beforeBody: async (request, { context: { signIn } }) => {
    if (!hasSessionCookie(request)) {
      throw new ServiceError(
        'sign_in_required',
        'Only its owner can delete an account. Sign in; an API key cannot do it.',
      )
    }
    await sessionOf(signIn, request)
  },
  handler: async (request, { context, reply }) => {
    const { db, signIn } = context
    const headers = signInHeaders(signIn, request)
    const { user } = await sessionOf(signIn, request)
    await limitAddress(context, request, reply)
    const tries = await limitPasswords(context, request, user.email, reply)
    const proof = await signIn.provePassword(user.id, request.body.password)
    await forgetAttempts(db, tries)

    const id = await ensureOwnAccount(context, user.id)
    await deleteAccount(context, id, proof)
    const erase = () => eraseAccount(context, id, AbortSignal.timeout(erasingMs))
    const { code, body } = await answerDeletion(context, { requestId: request.id, id }, erase)
    const { billedMicroUsd } = await db.account.findUniqueOrThrow({ where: { id } })
    setCookies(reply, (await withServiceErrors(() => signIn.api.signOut({ headers, returnHeaders: true }))).headers)
    return reply.code(code).send({ ...body, unpaid_usd: Math.max(0, toUsd(billedMicroUsd)) })
  },
})
