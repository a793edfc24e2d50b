import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { uploadsQuery } from '../../api/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { DropZone } from '../../uploads/drop-zone.tsx'
import { UploadList } from '../../uploads/upload-list.tsx'
import { DeleteMedia } from './delete-media.tsx'
import { MediaList } from './media-list.tsx'

export function MediaPage() {
  const query = useInfiniteQuery(uploadsQuery)
  return (
    <Page title="Media" lead="Your recordings and films, newest first. Each opens in the studio until it is deleted.">
      <DropZone />
      <UploadList />
      <Loaded query={query}>
        {(uploads) =>
          uploads.length === 0 ? (
            <p className="text-quiet">
              Nothing is uploaded yet. Choose a recording above, or open the sample episode on{' '}
              <Link to="/" className="underline">
                Home
              </Link>
              .
            </p>
          ) : (
            <MediaList uploads={uploads} Actions={DeleteMedia} />
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </Page>
  )
}
