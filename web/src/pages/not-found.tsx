import { Link } from '@tanstack/react-router'
import { buttonStyle } from '../components/button.tsx'
import { Page } from '../components/page.tsx'

export function NotFoundPage() {
  return (
    <Page title="Page not found" lead="The dashboard has no page at this address.">
      <div>
        <Link to="/" className={buttonStyle.primary}>
          To the dashboard
        </Link>
      </div>
    </Page>
  )
}
