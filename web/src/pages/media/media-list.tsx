import { Link } from '@tanstack/react-router'
import type { Upload } from '../../api/queries.ts'
import { bytesInWords, minuteOf } from '../../components/format.ts'
import { Icon, type IconName } from '../../components/icon.tsx'

/** Each upload leads to its studio. */
export function MediaList({ uploads }: { readonly uploads: readonly Upload[] }) {
  return (
    <ul
      aria-label="Media"
      className="divide-y divide-line overflow-hidden rounded-[10px] border border-line bg-surface"
    >
      {uploads.map(({ id, name, content_type, status, bytes, created_at }) => (
        <li key={id} className="relative flex items-center gap-3 px-4 py-2.5 hover:bg-raised">
          <Icon name={iconOf(content_type)} className="size-5 text-quiet" />
          <p className="min-w-0 flex-1 truncate font-medium">
            <Link to="/studio/$uploadId" params={{ uploadId: id }} className="after:absolute after:inset-0">
              {name}
            </Link>
          </p>
          <p className="shrink-0 text-xs text-quiet tabular-nums">
            {status === 'waiting' ? 'Not uploaded' : bytesInWords(bytes ?? 0)}
          </p>
          <p className="w-32 shrink-0 text-right text-xs text-quiet max-sm:hidden">{minuteOf(created_at)}</p>
        </li>
      ))}
    </ul>
  )
}

function iconOf(contentType: string): IconName {
  return contentType.startsWith('audio/') ? 'sound' : 'media'
}
