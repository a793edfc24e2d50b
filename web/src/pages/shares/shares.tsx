import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonStyle } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { ShareList } from '../../shares/share-list.tsx'
import { sharesQuery } from '../../shares/share-queries.ts'

export function SharesPage() {
  const query = useQuery(sharesQuery)
  return (
    <Page
      title="Shares"
      lead="Links to your results that others can open, newest first. A link is shown only when it is made: if it is lost, make a new one."
    >
      <Loaded query={query}>
        {(shares) =>
          shares.length === 0 ? (
            <Empty
              icon="share"
              text="Share a result in the studio or among your jobs. Each share stands here until it ends."
            >
              <Link to="/jobs" className={buttonStyle.primary}>
                To your jobs
              </Link>
            </Empty>
          ) : (
            <ShareList shares={shares} />
          )
        }
      </Loaded>
    </Page>
  )
}
