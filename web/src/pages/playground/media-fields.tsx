import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { uploadsQuery } from '../../api/queries.ts'
import { Field, Select } from '../../components/form.tsx'
import { Unloaded } from '../../components/loaded.tsx'

/** Which media a request reads, and which part of it. */
export function MediaFields() {
  const query = useInfiniteQuery(uploadsQuery)
  const { data, error } = query
  const uploads = data ?? []
  const none = error ? 'Not loaded' : 'Loading…'
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <Select label="Your media" name="upload" choices={uploads.map(({ name, media_url }) => [media_url, name])}>
          {uploads.length === 0 && <option value="">{data ? 'None yet' : none}</option>}
        </Select>
        {!data && error && <Unloaded query={query} />}
        {data && uploads.length === 0 && (
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
