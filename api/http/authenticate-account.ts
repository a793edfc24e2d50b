import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { accountSubject } from '../../src/store/credentials.ts'
import { assertAccountScope } from './assert-scope.ts'
import { assertKeyValid, authenticationFor, type KeyContext, recheckAfterBody } from './authenticate.ts'
import type { AccountCredential, AccountOf, ApiContext } from './context.ts'
import { assertFits } from './rate-limits.ts'
import { createKeyCheck, createSharedCounter } from './request-counter.ts'
import { assertOwnOrigin, hasSessionCookie, sessionOf } from './session.ts'

type AccountContext = KeyContext & Pick<ApiContext, 'signIn'>

/** Requires a key with the scope `all`, or the session of the account's owner, for the routes of `app`, and limits like `requireKey`. */
export function requireAccount(app: FastifyInstance, context: AccountContext): AccountOf {
  const { keep, accountOf } = createAccountKeeper()
  const recheck = recheckAfterBody(app)
  const admitOwner = sessionCaller(context, keep, recheck)
  const checkKey = createKeyCheck(context.db, context.config)
  app.addHook('onRequest', async (request, reply) => {
    const isSession = request.headers.authorization === undefined && hasSessionCookie(request)
    if (isSession) return admitOwner(request, reply)
    const { credential, use } = await authenticationFor(context, checkKey, request)
    assertAccountScope(credential)
    recheck(request, () => assertKeyValid(context.db, credential))
    keep(request, { accountId: credential.accountId, keyId: credential.keyId })
    assertFits(reply, context.config.RATE_LIMIT_PER_ACCOUNT, use)
  })
  return accountOf
}

/** Requires the session of the account's owner for the routes of `app`, and limits like `requireKey`. */
export function requireOwner(app: FastifyInstance, context: AccountContext): AccountOf {
  const { keep, accountOf } = createAccountKeeper()
  const admitOwner = sessionCaller(context, keep, recheckAfterBody(app))
  app.addHook('onRequest', async (request, reply) => {
    if (!hasSessionCookie(request)) throw new ServiceError('sign_in_required', ownerOnly)
    return admitOwner(request, reply)
  })
  return accountOf
}

const ownerOnly = 'Only the owner of the account can do this. Sign in; a key cannot do it.'

type KeepAccount = (request: FastifyRequest, credential: AccountCredential) => void

/** Keeps the account of each request for its handler, and adds it to the request's log. */
function createAccountKeeper(): { readonly keep: KeepAccount; readonly accountOf: AccountOf } {
  const credentials = new WeakMap<object, AccountCredential>()
  return {
    keep: (request, credential) => {
      credentials.set(request, credential)
      const { sessionId: _, ...logged } = credential
      request.log = request.log.child(logged)
    },
    accountOf: (request) => {
      const credential = credentials.get(request)
      if (!credential) throw new Error('this route is not behind an account')
      return credential
    },
  }
}

/** Admits a request by its session: keeps the account of its owner, and counts the request for the account's limit. */
function sessionCaller(context: AccountContext, keep: KeepAccount, recheck: ReturnType<typeof recheckAfterBody>) {
  const { config, db, signIn } = context
  const limit = config.RATE_LIMIT_PER_ACCOUNT
  const count = createSharedCounter(db, limit)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    assertOwnOrigin(request, config)
    const { user, session } = await sessionOf(signIn, request)
    const accountId = await ensureOwnAccount(context, user.id)
    keep(request, { accountId, userId: user.id, sessionId: session.id })
    recheck(request, () => sessionOf(signIn, request))
    assertFits(reply, limit, await count(accountSubject(accountId)))
  }
}
