import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionQuery } from './api/queries.ts'
import { createQueryClient } from './api/query-client.ts'
import { createDashboardRouter } from './router.tsx'

// The dialogs of radix-ui add a style element, which the policy of the page allows with this nonce only.
setNonce(document.querySelector('meta[name=style-nonce]')?.getAttribute('content') ?? '')

const queryClient = createQueryClient(() => {
  // A late answer after a sign-out here.
  if (!queryClient.getQueryData(sessionQuery.queryKey)) return
  queryClient.removeQueries(sessionQuery)
  // Its guard leads to the sign-in, which leads back. What the account showed is gone for the next person.
  void router.invalidate().then(() => {
    if (!queryClient.getQueryData(sessionQuery.queryKey)) queryClient.removeQueries()
  })
})
const router = createDashboardRouter(queryClient)
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no root')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
