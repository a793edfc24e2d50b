import { acceptKey, requireKey } from './authenticate.ts'
import { requireAccount, requireOwner } from './authenticate-account.ts'
import type { ApiContext, App } from './context.ts'
import type { Caller, Scope } from './route.ts'
import { assertOwnOrigin } from './session.ts'

type Scopes = { readonly [S in Scope]: (app: App, context: ApiContext) => (request: object) => Caller<S> }

/**
 * Adds the hooks of a scope to an app that has only the routes of that scope. Returns a function that finds the caller of a
 * request that passed the hooks.
 */
export const scopes: Scopes = {
  unlimited: () => () => ({}),
  public: () => () => ({}),
  session: (app, context) => {
    app.addHook('onRequest', async (request) => assertOwnOrigin(request, context.config))
    return () => ({})
  },
  optionalKey: (app, context) => {
    const credentialOf = acceptKey(app, context)
    return (request) => ({ credential: credentialOf(request) })
  },
  key: (app, context) => {
    const credentialOf = requireKey(app, context)
    return (request) => ({ credential: credentialOf(request) })
  },
  account: (app, context) => {
    const accountOf = requireAccount(app, context)
    return (request) => ({ account: accountOf(request) })
  },
  owner: (app, context) => {
    const accountOf = requireOwner(app, context)
    return (request) => ({ account: accountOf(request) })
  },
}
