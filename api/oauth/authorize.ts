import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { commandClient, isRegistered, type OAuthClient } from '../../src/accounts/oauth-clients.ts'
import { grantCode, OAuthError } from '../../src/accounts/oauth-tokens.ts'
import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { readLimits } from '../../src/billing/limits.ts'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { describeIssues, strictFields } from '../../src/core/input-problems.ts'
import { fromUsd, toUsd } from '../../src/core/money.ts'
import { type KeyScope, keyScopes } from '../../src/core/scopes.ts'
import { isSameSecret, type SigningConfig, type SigningKey, signingKeysOf } from '../../src/core/signing-secret.ts'
import { escapeMarkup, upperFirst } from '../../src/core/text.ts'
import type { BaseAddresses } from '../../src/core/urls.ts'
import { email, givenPassword, signInWithPassword } from '../account/sign-in/sign-in.ts'
import { sessionOf } from '../http/authenticate.ts'
import type { ApiContext } from '../http/context.ts'
import { type ErrorBody, errorBodyOf } from '../http/errors.ts'
import { alertOf, cardPage, hiddenField, sendPage } from '../http/html.ts'
import { amountUsd, name } from '../http/route.ts'
import { assertResource, formOf, maxQueryLength, type Parameters, parametersOf, required } from './clients.ts'

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

/** The pages of `authorize` in a folder. Errors before the redirect address is proven are shown to the person, and later ones go to the client. */
export function authorizationPages(context: ApiContext, folder: string, findClient: FindClient) {
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
    return forClient(
      reply,
      parametersOf(query),
      async ({ client, redirectUri }, { scopes, proposedScope, deviceName }) => {
        const session = await sessionOf(signIn, request).catch(undefinedIfSignedOut)
        if (!session) return sendPage(reply, signInPage(folder, client, query))
        const { account } = await readLimits(db, await ensureOwnAccount(context, session.user.id))
        const spending = {
          creditsLeftUsd: toUsd(account.creditMicroUsd),
          monthlyCapUsd: account.monthlyCapMicroUsd === null ? null : toUsd(account.monthlyCapMicroUsd),
          isBillingActive: account.billingStatus === 'active',
        }
        const form = signForm(config, session.session.id, query)
        const shown = { folder, client, redirectUri, scopes, proposedScope, deviceName }
        const consent = { ...shown, email: session.user.email, spending, form }
        return sendPage(reply, consentPage(consent), { formsLeave: true })
      },
    )
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
        return sendPage(reply, signInPage(folder, client, query, errorBodyOf(config, error, request.id)))
      }
      return reply.redirect(`${folder}/authorize?${new URLSearchParams(query).toString()}`, 303)
    },

    decide: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { decision, scope, monthly_cap_usd: cap, ...form } = read(consentForm, request.body)
      const session = await sessionOf(signIn, request)
      if (!isSignedForm(config, session.session.id, form)) {
        throw new ServiceError('csrf_failed', 'This page is too old, or another account signed in. Connect again.')
      }
      const parameters = parametersOf(form.request)
      return forClient(reply, parameters, async (destination, { scopes, challenge, deviceName }) => {
        if (decision === 'deny') throw new OAuthError('access_denied', 'The person declined.')
        if (!scopes.includes(scope))
          throw new OAuthError('invalid_scope', 'The person chose a scope that was not requested.')
        const { client, redirectUri } = destination
        const approval = {
          accountId: await ensureOwnAccount(context, session.user.id),
          ...{ clientId: client.id, name: nameOf(client, deviceName), scope, redirectUri, challenge },
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

/** An authorization request whose client and redirect address are proven: from here on, the client gets the errors. */
interface Destination {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly state: string | undefined
}

/** What a client asks for. */
interface Requested {
  /** Those that a person can choose one of. */
  readonly scopes: readonly [KeyScope, ...KeyScope[]]
  /** The one that the page proposes. Undefined if the request names none: a misspelt parameter must not propose everything. */
  readonly proposedScope: KeyScope | undefined
  readonly challenge: string
  /** The machine of the command, which names the key. */
  readonly deviceName: string | undefined
}

/** Throws for an unknown client or redirect address: nobody may be redirected there. */
async function destinationOf(
  parameters: Parameters,
  findClient: (id: string) => Promise<OAuthClient>,
): Promise<Destination> {
  const client = await findClient(required(parameters, 'client_id'))
  const redirectUri = required(parameters, 'redirect_uri')
  if (!isRegistered(client, redirectUri)) {
    throw new OAuthError(
      'invalid_request',
      'This redirect_uri is not registered for the client. Send exactly one of its addresses, with port, path and query.',
    )
  }
  return { client, redirectUri, state: parameters.get('state') }
}

/** Throws an `OAuthError` for the client. */
function requestedOf(config: BaseAddresses, parameters: Parameters): Requested {
  if (parameters.has('request')) throw new OAuthError('request_not_supported', 'Send plain parameters.')
  if (parameters.has('request_uri')) throw new OAuthError('request_uri_not_supported', 'Send plain parameters.')
  if (required(parameters, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  }
  if ((parameters.get('response_mode') ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'response_mode must be query.')
  }
  const challenge = parameters.get('code_challenge') ?? ''
  // A method that is left out means plain (RFC 7636, 4.3).
  if (parameters.get('code_challenge_method') !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', 'PKCE is required, with code_challenge_method S256.')
  }
  assertResource(config, parameters.get('resource'))
  const named = parameters.get('scope')
  const scopes = scopesOffered(named)
  if (parameters.get('prompt') === 'none') {
    throw new OAuthError('consent_required', 'A person approves each connection.')
  }
  const device = parameters.get('device_name')
  const { success, data: deviceName } = name.max(60).optional().safeParse(device)
  if (!success) throw new OAuthError('invalid_request', 'device_name must be one line of at most 60 characters.')
  return { scopes, proposedScope: named === undefined ? undefined : scopes[0], challenge, deviceName }
}

/** What a connector or a key is called in lists. */
function nameOf({ id, name }: OAuthClient, deviceName: string | undefined): string {
  return id === commandClient.id && deviceName !== undefined ? `media-timeline on ${deviceName}` : name
}

/** A connector has one scope. Offers the requested ones in the order of `keyScopes`; `all` offers every scope. */
function scopesOffered(scope = 'all'): Requested['scopes'] {
  const names = scope.split(' ').filter(Boolean)
  const requested = keyScopes.filter((each) => names.includes(each))
  const [first, ...others] = requested.includes('all') ? keyScopes : requested
  if (!first || names.some((name) => !keyScopes.some((each) => each === name))) {
    throw new OAuthError('invalid_scope', `The scopes are ${keyScopes.join(', ')}.`)
  }
  return [first, ...others]
}

/** The redirect address with the answer, its state and the issuer (RFC 9207). */
function answerUrl(
  { BASE_URL }: Pick<Config, 'BASE_URL'>,
  { redirectUri, state }: Destination,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri)
  const fields = { ...answer, ...(state === undefined ? {} : { state }), iss: BASE_URL }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

/** A person who reads the consent page for longer opens it again. */
const validMilliseconds = 600_000

/** What the consent form carries: the authorization request that its reader saw, in the session that saw it. */
interface SignedForm {
  /** The query of the authorization request. */
  readonly request: string
  /** Milliseconds since 1970. */
  readonly until: string
  readonly signature: string
}

function signForm(config: SigningConfig, sessionId: string, request: string): SignedForm {
  const until = String(Date.now() + validMilliseconds)
  return { request, until, signature: sign(signingKeysOf(config)[0], sessionId, { request, until }) }
}

/** Whether the form was made for the session, and not long ago. */
function isSignedForm(config: SigningConfig, sessionId: string, { signature, ...form }: SignedForm): boolean {
  const isSigned = signingKeysOf(config).some((key) => isSameSecret(signature, sign(key, sessionId, form)))
  return isSigned && Date.now() < Number(form.until)
}

function sign({ secret }: SigningKey, sessionId: string, { request, until }: Omit<SignedForm, 'signature'>): string {
  const text = JSON.stringify(['oauth-consent/1', sessionId, until, request])
  return createHmac('sha256', secret).update(text).digest('base64url')
}

// The pages of an authorization request. They work without a script and by keyboard alone.

function scopeInWords(scope: KeyScope): string {
  return scope === 'all'
    ? 'Everything: all endpoints and jobs, and the keys and limits of the account, which it can lower and not raise'
    : `${upperFirst(scope.replace('/*', ''))} endpoints, and their jobs`
}

interface SpendingRoom {
  readonly creditsLeftUsd: number
  readonly monthlyCapUsd: number | null
  readonly isBillingActive: boolean
}

interface Consent
  extends Pick<Destination, 'client' | 'redirectUri'>,
    Pick<Requested, 'scopes' | 'proposedScope' | 'deviceName'> {
  readonly folder: string
  readonly email: string
  readonly spending: SpendingRoom
  readonly form: SignedForm
}

function consentPage(consent: Consent): string {
  const { folder, client, redirectUri, scopes, proposedScope, deviceName, email, spending, form } = consent
  const where = deviceName === undefined ? '' : ` on <strong>${escapeMarkup(deviceName)}</strong>`
  const { request, until, signature } = form
  const hidden = [hiddenField('request', request), hiddenField('until', until), hiddenField('signature', signature)]
  const choices = scopes.map(
    (scope) =>
      `<p><label><input type="radio" name="scope" value="${scope}" required${scope === proposedScope ? ' checked' : ''}> ${scopeInWords(scope)} (<code>${scope}</code>)</label></p>`,
  )
  return cardPage(
    `Connect ${client.name}`,
    `<h1>Connect ${escapeMarkup(client.name)}?</h1>
<p><strong>${escapeMarkup(client.name)}</strong>${where} asks to use the account of <strong>${escapeMarkup(email)}</strong>. The answer goes to <code>${escapeMarkup(new URL(redirectUri).origin)}</code>.</p>
<form method="post" action="${folder}/authorize">
${hidden.join('\n')}
<fieldset><legend>What it may use</legend>
${choices.join('\n')}
</fieldset>
<p><label for="monthly_cap_usd">What it may spend in a month, in USD</label><input id="monthly_cap_usd" name="monthly_cap_usd" inputmode="decimal" pattern="[0-9]+([.][0-9]{1,6})?" aria-describedby="spending" autocomplete="off"></p>
<p id="spending" class="hint">${inSentences(spending)}</p>
<p><button name="decision" value="approve">Connect</button> <button name="decision" value="deny">Cancel</button></p>
</form>
<p>You can revoke the connection at any time; it then ends immediately.</p>`,
  )
}

function inSentences({ creditsLeftUsd, monthlyCapUsd, isBillingActive }: SpendingRoom): string {
  const cap = monthlyCapUsd === null ? 'has no monthly cap' : `has a monthly cap of ${monthlyCapUsd} USD`
  const billing = isBillingActive ? 'Billing is active.' : 'Billing is not active: only the credits can be spent.'
  return `Left empty, only the limits of the account apply. It ${cap} and ${creditsLeftUsd} USD of free credits left. ${billing}`
}

/** Signs in within an authorization request, which the form carries. */
function signInPage(folder: string, client: OAuthClient, request: string, error?: ErrorBody): string {
  return cardPage(
    'Sign in',
    `<h1>Sign in</h1>
<p>Sign in to connect <strong>${escapeMarkup(client.name)}</strong> to your account. Only this service sees your password.</p>
${error ? alertOf(error) : ''}
<form method="post" action="${folder}/sign-in">
${hiddenField('request', request)}
<p><label for="email">Email address</label><input id="email" name="email" type="email" required autocomplete="username"></p>
<p><label for="password">Password</label><input id="password" name="password" type="password" required autocomplete="current-password"></p>
<p><button>Sign in</button></p>
</form>`,
  )
}
