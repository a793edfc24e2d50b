import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'

// Pages that somebody opens by a link, without an account: no session, and nothing of the dashboard.

const SharedPage = lazy(async () => ({ default: (await import('../shares/shared-page.tsx')).SharedPage }))
const UploadPage = lazy(async () => ({ default: (await import('../uploads/upload-page.tsx')).UploadPage }))

const [, kind, token = '', form] = /^\/([su])\/([\w.-]+)(\/embed)?$/.exec(location.pathname) ?? []
const root = document.getElementById('root')
if (!root) throw new Error('linked.html has no root')

createRoot(root).render(
  <StrictMode>
    <Suspense>
      {kind === 'u' ? <UploadPage token={token} /> : <SharedPage token={token} isFramed={form !== undefined} />}
    </Suspense>
  </StrictMode>,
)
