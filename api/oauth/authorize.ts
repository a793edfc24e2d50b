import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { OAuthError } from '../../src/accounts/oauth-error.ts'
import { grantCode } from '../../src/accounts/oauth-grants.ts'
import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { readLimits } from '../../src/billing/limits.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { describeIssues, strictFields } from '../../src/core/input-problems.ts'
import { fromUsd, toUsd } from '../../src/core/money.ts'
import type { OAuthClient } from '../../src/core/oauth-clients.ts'
import { keyScopes } from '../../src/core/scopes.ts'
import { email, givenPassword } from '../account/sign-in/fields.ts'
import { signInWithPassword } from '../account/sign-in/sign-in.ts'
import type { ApiContext } from '../http/context.ts'
import { errorBodyOf } from '../http/errors.ts'
import { sendPage } from '../http/html.ts'
import { amountUsd } from '../http/schemas.ts'
import { sessionOf } from '../http/session.ts'
import { answerUrl, type Destination, destinationOf, type Requested, requestedOf } from './authorization-request.ts'
import { consentPage, signInPage } from './pages.ts'
import { formOf, maxQueryLength, type Parameters, parametersOf } from './parameters.ts'
import { isSignedForm, signForm } from './signed-form.ts'

const formText = z.string().max(maxQueryLength)

const signInForm = strictFields({ request: formText, email, password: givenPassword })

const usdText = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'expected dollars with at most six decimals')
  .transform(Number)
  .pipe(amountUsd)

/** An empty cap is left out by `parametersOf`. A misspelt field is refused: without its cap, a connection could spend more. */
const consentForm = strictFields({
  request: formText,
  until: z.string().regex(/^\d{1,16}$/),
  signature: z.string().max(100),
  decision: z.enum(['approve', 'deny']),
  scope: z.enum(keyScopes),
  monthly_cap_usd: usdText.optional(),
})

type FindClient = (id: string) => Promise<OAuthClient>

/** The pages of `/api/auth/oauth/authorize`. Errors before the redirect address is proven are shown to the person, and later ones go to the client. */
export function authorizationPages(context: ApiContext, findClient: FindClient) {
  const { config, db, signIn } = context

  /** Runs a step of an authorization request; its `OAuthError` goes to the client. */
  async function forClient(
    reply: FastifyReply,
    parameters: Parameters,
    step: (destination: Destination, requested: Requested) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const destination = await destinationOf(parameters, findClient)
    try {
      return await step(destination, requestedOf(config, parameters))
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const { oauthCode, message } = error
      return reply.redirect(answerUrl(config, destination, { error: oauthCode, error_description: message }), 303)
    }
  }

  async function showConsent(request: FastifyRequest, reply: FastifyReply, query: string): Promise<FastifyReply> {
    return forClient(reply, parametersOf(query), async ({ client, redirectUri }, { scopes, proposedScope }) => {
      const session = await sessionOf(signIn, request).catch(undefinedIfSignedOut)
      if (!session) return sendPage(reply, signInPage(client, query))
      const { account } = await readLimits(db, await ensureOwnAccount(context, session.user.id))
      const spending = {
        creditsLeftUsd: toUsd(account.creditMicroUsd),
        monthlyCapUsd: account.monthlyCapMicroUsd === null ? null : toUsd(account.monthlyCapMicroUsd),
        isBillingActive: account.billingStatus === 'active',
      }
      const form = signForm(config, session.session.id, query)
      const consent = { client, redirectUri, scopes, proposedScope, email: session.user.email, spending, form }
      return sendPage(reply, consentPage(consent), { formsLeave: true })
    })
  }

  return {
    open: (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const query = request.url.split('?').slice(1).join('?')
      if (query.length > maxQueryLength) throw new OAuthError('invalid_request', 'The query is too long.')
      return showConsent(request, reply, query)
    },

    /** Back to the page by a redirect, so that reloading it sends no password. */
    signIn: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { request: query, ...given } = read(signInForm, request.body)
      const { client } = await destinationOf(parametersOf(query), findClient)
      try {
        await signInWithPassword(context, request, reply, given)
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code === 'server_error') throw error
        reply.code(error.httpStatus)
        return sendPage(reply, signInPage(client, query, errorBodyOf(config, error, request.id)))
      }
      return reply.redirect(`/api/auth/oauth/authorize?${new URLSearchParams(query).toString()}`, 303)
    },

    decide: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { decision, scope, monthly_cap_usd: cap, ...form } = read(consentForm, request.body)
      const session = await sessionOf(signIn, request)
      if (!isSignedForm(config, session.session.id, form)) {
        throw new ServiceError('csrf_failed', 'This page is too old, or another account signed in. Connect again.')
      }
      const parameters = parametersOf(form.request)
      return forClient(reply, parameters, async (destination, { scopes, challenge }) => {
        if (decision === 'deny') throw new OAuthError('access_denied', 'The person declined.')
        if (!scopes.includes(scope))
          throw new OAuthError('invalid_scope', 'The person chose a scope that was not requested.')
        const { client, redirectUri } = destination
        const approval = {
          accountId: await ensureOwnAccount(context, session.user.id),
          ...{ clientId: client.id, name: client.name, scope, redirectUri, challenge },
          monthlyCapMicroUsd: cap === undefined ? null : fromUsd(cap),
        }
        const code = await grantCode(db, approval, session.session.id)
        return reply.redirect(answerUrl(config, destination, { code }), 303)
      })
    },
  }
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(formOf(body)))
  if (parsed.success) return parsed.data
  throw new ServiceError('invalid_request', describeIssues(parsed.error.issues, 'form'))
}

function undefinedIfSignedOut(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === 'sign_in_required') return undefined
  throw error
}
