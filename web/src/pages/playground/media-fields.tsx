import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { uploadsQuery } from '../../api/queries.ts'
import { Field, inputStyle } from '../../components/form.tsx'

/** Which media a request reads, and which part of it. */
export function MediaFields() {
  const id = useId()
  const uploads = useInfiniteQuery(uploadsQuery).data?.pages.flatMap((page) => page.uploads) ?? []
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium">
          Your media
        </label>
        <select id={id} name="upload" className={inputStyle}>
          {uploads.length === 0 && <option value="">None yet</option>}
          {uploads.map(({ id: uploadId, name, media_url }) => (
            <option key={uploadId} value={media_url}>
              {name}
            </option>
          ))}
        </select>
        {uploads.length === 0 && (
          <p className="text-sm text-quiet">
            <Link to="/" className="underline">
              Upload a recording
            </Link>{' '}
            first, or use a public address.
          </p>
        )}
      </div>
      <Field label="Or a public address" name="url" type="url" maxLength={2048} autoComplete="off" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="From second" name="start" placeholder="the beginning, or such as 1:30" autoComplete="off" />
        <Field label="To second" name="end" placeholder="the end, or such as 2:00" autoComplete="off" />
      </div>
    </>
  )
}
