import type { ApiContext, App } from '../../http/context.ts'
import { assertOwnOrigin } from '../../http/session.ts'
import { askForMailRoutes, resetPasswordRoute, verifyEmailRoute } from './mailed-links.ts'
import { endSessionRoutes, getSessionRoute, listSessionsRoute } from './sessions.ts'
import { signInRoute, signOutRoute, signUpRoute } from './sign-in.ts'

/** Sign-in, for pages under BASE_URL. Lists each route, so that better-auth answers on no other. */
export function authRoutes(app: App, context: ApiContext): void {
  app.addHook('onRequest', async (request) => assertOwnOrigin(request, context.config))
  signUpRoute(app, context)
  signInRoute(app, context)
  signOutRoute(app, context)
  askForMailRoutes(app, context)
  verifyEmailRoute(app, context)
  resetPasswordRoute(app, context)
  getSessionRoute(app, context)
  listSessionsRoute(app, context)
  endSessionRoutes(app, context)
}
