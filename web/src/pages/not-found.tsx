import { Link } from '@tanstack/react-router'
import { Page } from '../components/page.tsx'

export function NotFoundPage() {
  return (
    <main className="p-8">
      <Page title="Page not found">
        <p>
          <Link to="/" className="underline">
            To the dashboard
          </Link>
        </p>
      </Page>
    </main>
  )
}
