import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { isSignedOut } from './api/client.ts'
import { sessionQuery } from './api/queries.ts'
import { Failure } from './components/failure.tsx'
import { Page } from './components/page.tsx'
import { DashboardLayout } from './layout/dashboard-layout.tsx'
import type { Room } from './layout/navigation.tsx'
import { VisitorLayout } from './layout/visitor-layout.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { readAhead } from './studio/studio-queries.ts'

interface Context {
  readonly queryClient: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet })

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
    typeof next === 'string' && isPage(next) ? { next } : {},
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

/** A page whose script is read when somebody goes there: without a connection, once there is one again. */
const lazyPage: typeof lazyRouteComponent = (load, name) => {
  const loadOnline = () =>
    load().catch(async (error: unknown) => {
      if (navigator.onLine) throw error
      await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
      return load()
    })
  return lazyRouteComponent(loadOnline, name)
}

/** While the script of a page is on its way. */
function PageOnItsWay() {
  if (navigator.onLine) return <p role="status">Loading…</p>
  return (
    <Page title="No connection">
      <p role="status">Check your connection. The page opens when it is back.</p>
    </Page>
  )
}

/** A page of the navigation, which lists them in the order of `rooms`. */
function room<const Path extends string>(path: Path, about: Room, component: RouteComponent) {
  return createRoute({
    getParentRoute: () => owner,
    path,
    component,
    pendingComponent: PageOnItsWay,
    staticData: { room: about },
  })
}

const homePage = lazyPage(() => import('./pages/home/home.tsx'), 'HomePage')
const mediaPage = lazyPage(() => import('./pages/media/media.tsx'), 'MediaPage')
const jobsPage = lazyPage(() => import('./pages/jobs/jobs.tsx'), 'JobsPage')
const sharesPage = lazyPage(() => import('./pages/shares/shares.tsx'), 'SharesPage')
const usagePage = lazyPage(() => import('./pages/usage/usage.tsx'), 'UsagePage')
const billingPage = lazyPage(() => import('./pages/billing/billing.tsx'), 'BillingPage')
const playgroundPage = lazyPage(() => import('./pages/playground/playground.tsx'), 'PlaygroundPage')
const keysPage = lazyPage(() => import('./pages/keys/keys.tsx'), 'KeysPage')
const connectorsPage = lazyPage(() => import('./pages/connectors/connectors.tsx'), 'ConnectorsPage')
const webhooksPage = lazyPage(() => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage')
const brandsPage = lazyPage(() => import('./pages/brands/brands.tsx'), 'BrandsPage')
const accountPage = lazyPage(() => import('./pages/account.tsx'), 'AccountPage')

const rooms = [
  room('/', { name: 'Home', icon: 'home', group: 'Work' }, homePage),
  room('/media', { name: 'Media', icon: 'media', group: 'Work' }, mediaPage),
  room('/jobs', { name: 'Jobs', icon: 'jobs', group: 'Work' }, jobsPage),
  room('/shares', { name: 'Shares', icon: 'share', group: 'Work' }, sharesPage),
  room('/usage', { name: 'Usage', icon: 'usage', group: 'Usage and billing' }, usagePage),
  room('/billing', { name: 'Billing', icon: 'billing', group: 'Usage and billing' }, billingPage),
  room('/playground', { name: 'Playground', icon: 'play', group: 'Developers' }, playgroundPage),
  room('/keys', { name: 'API keys', icon: 'keys', group: 'Developers' }, keysPage),
  room('/connectors', { name: 'Connectors', icon: 'connectors', group: 'Developers' }, connectorsPage),
  room('/webhooks', { name: 'Webhooks', icon: 'webhooks', group: 'Developers' }, webhooksPage),
  room('/brands', { name: 'Brands', icon: 'brand', group: 'You' }, brandsPage),
  room('/account', { name: 'Account', icon: 'account', group: 'You' }, accountPage),
] as const

const studio = createRoute({
  getParentRoute: () => owner,
  path: '/studio/$uploadId',
  // While the script of the page is on its way. The page itself says what fails.
  loader: ({ context: { queryClient }, params: { uploadId } }) => {
    readAhead(queryClient, uploadId).catch(() => {})
  },
  component: lazyPage(() => import('./pages/studio/studio.tsx'), 'StudioPage'),
  pendingComponent: PageOnItsWay,
})

const job = createRoute({
  getParentRoute: () => owner,
  path: '/jobs/$jobId',
  component: lazyPage(() => import('./pages/jobs/job.tsx'), 'JobPage'),
  pendingComponent: PageOnItsWay,
})

/** Every other path. */
const unknown = createRoute({ getParentRoute: () => owner, path: '$', component: NotFoundPage })

const routeTree = root.addChildren([
  visitor.addChildren([signIn, signUp, forgotPassword]),
  owner.addChildren([...rooms, studio, job, unknown]),
])

/** Where a sign-in may lead: nowhere but to pages of the dashboard. */
function isPage(path: string): boolean {
  return rooms.some(({ to }) => to === path) || /^\/(studio\/upl|jobs\/job)_\w+$/.test(path)
}

export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({ routeTree, basepath: '/dashboard', context: { queryClient }, defaultPreload: 'intent' })
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** How the navigation shows the page. Pages outside it have none. */
    readonly room?: Room
  }
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
