import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { isSignedOut } from './api/client.ts'
import { sessionQuery } from './api/queries.ts'
import { Failure } from './components/failure.tsx'
import { DashboardLayout } from './layout/dashboard-layout.tsx'
import { rooms } from './layout/navigation.ts'
import { VisitorLayout } from './layout/visitor-layout.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { SignInPage } from './pages/sign-in.tsx'

interface Context {
  readonly queryClient: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFoundPage })

/** Pages for people who are not signed in. */
const visitor = createRoute({ getParentRoute: () => root, id: 'visitor', component: VisitorLayout })

/** Pages of an account. Without a session, they lead to the sign-in, which leads back. */
const owner = createRoute({
  getParentRoute: () => root,
  id: 'owner',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    try {
      await queryClient.query({ ...sessionQuery, staleTime: 'static' })
    } catch (error) {
      if (!isSignedOut(error)) throw error
      redirect({ to: '/sign-in', search: { next: location.pathname }, throw: true })
    }
  },
  component: DashboardLayout,
  errorComponent: ({ error }) => <Failure error={error} />,
})

const signIn = createRoute({
  getParentRoute: () => visitor,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && pagePaths.includes(next) ? { next } : {},
  component: SignInPage,
})

const signUp = createRoute({
  getParentRoute: () => visitor,
  path: '/sign-up',
  validateSearch: ({ deleted }: Record<string, unknown>): { deleted?: true } => (deleted === true ? { deleted } : {}),
  component: lazyRouteComponent(() => import('./pages/sign-up.tsx'), 'SignUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => visitor,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./pages/forgot-password.tsx'), 'ForgotPasswordPage'),
})

const keys = createRoute({
  getParentRoute: () => owner,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys.tsx'), 'KeysPage'),
})

const connectors = createRoute({
  getParentRoute: () => owner,
  path: '/connectors',
  component: lazyRouteComponent(() => import('./pages/connectors/connectors.tsx'), 'ConnectorsPage'),
})

const usage = createRoute({
  getParentRoute: () => owner,
  path: '/usage',
  component: lazyRouteComponent(() => import('./pages/usage/usage.tsx'), 'UsagePage'),
})

const billing = createRoute({
  getParentRoute: () => owner,
  path: '/billing',
  component: lazyRouteComponent(() => import('./pages/billing/billing.tsx'), 'BillingPage'),
})

const account = createRoute({
  getParentRoute: () => owner,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/account.tsx'), 'AccountPage'),
})

const start = createRoute({
  getParentRoute: () => owner,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/keys', replace: true, throw: true })
  },
})

const routeTree = root.addChildren([
  visitor.addChildren([signIn, signUp, forgotPassword]),
  owner.addChildren([start, keys, connectors, usage, billing, account]),
])

/** Where a sign-in may lead: nowhere but to pages of the dashboard. */
const pagePaths: readonly string[] = ['/', ...rooms.map(({ to }) => to)]

export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({ routeTree, basepath: '/dashboard', context: { queryClient }, defaultPreload: 'intent' })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
