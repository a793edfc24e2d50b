import { Link } from '@tanstack/react-router'
import { buttonStyle } from '../components/button.tsx'
import { ChooseAgain } from './choose-again.tsx'
import { useUploads } from './upload-context.ts'
import { UploadProgress } from './upload-controls.tsx'

/** How an upload goes on that this page does not send. */
export function UnsentNote({ uploadId }: { readonly uploadId: string }) {
  const upload = useUploads().unfinished.find(({ session }) => session.id === uploadId)
  return (
    <div className="flex max-w-md flex-col items-center gap-3 text-balance">
      <p>
        <strong>The upload of this file is not complete.</strong>{' '}
        {upload
          ? 'If no other window sends it, choose the file again: the upload goes on where it stopped.'
          : 'The browser that began it can go on with it. Here, you can only upload the file once more.'}
      </p>
      {upload ? (
        <>
          <UploadProgress {...upload} />
          <ChooseAgain upload={upload} />
        </>
      ) : (
        <Link to="/media" className={buttonStyle.primary}>
          Upload the file
        </Link>
      )}
    </div>
  )
}
