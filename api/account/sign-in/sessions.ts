import { z } from 'zod'
import { ensureOwnAccount } from '../../../src/accounts/own-account.ts'
import { endOtherSessions, endSession, listSessions } from '../../../src/accounts/sessions.ts'
import { withServiceErrors } from '../../../src/accounts/sign-in-errors.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { isId } from '../../../src/core/ids.ts'
import { sessionRoute } from '../../http/route.ts'
import { errorEnvelope, requestId } from '../../http/schemas.ts'
import { sessionOf, setCookies, signInHeaders } from '../../http/session.ts'
import { signedIn, signInBodyErrors, signInErrors, statusSchema, userSchema } from './fields.ts'

/** `GET /api/auth/get-session`: the signed-in user. Also renews the cookie, once a day. */
export const getSessionRoute = sessionRoute({
  method: 'GET',
  url: '/api/auth/get-session',
  schema: {
    ...signedIn,
    operationId: 'getSession',
    summary: 'Get the signed-in user and their account',
    description: 'Also renews the cookie, once a day.',
    response: {
      ...signInErrors,
      200: z.object({
        request_id: requestId,
        user: userSchema,
        account_id: z.string(),
        session: z.object({ id: z.string(), expires_at: z.iso.datetime() }),
      }),
    },
  },
  handler: async (request, { context, reply }) => {
    const { signIn } = context
    const { headers, response } = await withServiceErrors(() =>
      signIn.api.getSession({ headers: signInHeaders(signIn, request), returnHeaders: true }),
    )
    setCookies(reply, headers)
    if (!response) throw new ServiceError('sign_in_required')
    const { user, session } = response
    return {
      request_id: request.id,
      user,
      account_id: await ensureOwnAccount(context, user.id),
      session: { id: session.id, expires_at: session.expiresAt.toISOString() },
    }
  },
})

const sessionList = z.object({
  request_id: requestId,
  sessions: z.array(
    z.object({
      id: z.string(),
      current: z.boolean(),
      address: z.string().nullable(),
      user_agent: z.string().nullable(),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
    }),
  ),
})

/** `GET /api/auth/list-sessions` */
export const listSessionsRoute = sessionRoute({
  method: 'GET',
  url: '/api/auth/list-sessions',
  schema: {
    ...signedIn,
    operationId: 'listSessions',
    summary: 'List the sessions of the user',
    response: { ...signInErrors, 200: sessionList },
  },
  handler: async (request, { context: { db, signIn } }) => {
    const { user, session: current } = await sessionOf(signIn, request)
    const sessions = await listSessions(db, user.id)
    return {
      request_id: request.id,
      sessions: sessions.map(({ id, ipAddress, userAgent, createdAt, expiresAt }) => ({
        id,
        current: id === current.id,
        address: ipAddress,
        user_agent: userAgent,
        created_at: createdAt.toISOString(),
        expires_at: expiresAt.toISOString(),
      })),
    }
  },
})

/** `POST /api/auth/revoke-session` */
export const endSessionRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/revoke-session',
  schema: {
    ...signedIn,
    operationId: 'endSession',
    summary: 'End a session of the user',
    body: z.object({ id: z.string().max(80) }),
    response: { ...signInBodyErrors, 200: statusSchema, 404: errorEnvelope },
  },
  // Checks the session before the body.
  beforeBody: async (request, { context: { signIn } }) => void (await sessionOf(signIn, request)),
  handler: async (request, { context: { db, signIn } }) => {
    const { user } = await sessionOf(signIn, request)
    const { id } = request.body
    if (!isId('ses', id) || !(await endSession(db, user.id, id))) {
      throw new ServiceError('not_found', 'No session has this id. It may have ended.')
    }
    return { request_id: request.id, status: 'ended' }
  },
})

/** `POST /api/auth/revoke-other-sessions` */
export const endOtherSessionsRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/revoke-other-sessions',
  schema: {
    ...signedIn,
    operationId: 'endOtherSessions',
    summary: 'End all sessions of the user but this one',
    response: { ...signInBodyErrors, 200: statusSchema },
  },
  handler: async (request, { context: { db, signIn } }) => {
    const { user, session } = await sessionOf(signIn, request)
    await endOtherSessions(db, user.id, session.id)
    return { request_id: request.id, status: 'ended' }
  },
})
