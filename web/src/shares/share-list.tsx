import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { minuteOf } from '../components/format.ts'
import { useAction } from '../components/use-action.ts'
import { revokeShare, type Share, sharesQuery } from './share-queries.ts'

/** Shares with what each allows, and a button that ends it. */
export function ShareList({ shares }: { readonly shares: readonly Share[] }) {
  return (
    <ul aria-label="Shares" className="divide-y divide-line rounded-[10px] border border-line bg-surface">
      {shares.map((share) => (
        <ShareItem key={share.id} share={share} />
      ))}
    </ul>
  )
}

function ShareItem({ share }: { readonly share: Share }) {
  const queryClient = useQueryClient()
  const revoke = useAction(async () => {
    await revokeShare(share.id)
    await queryClient.invalidateQueries(sharesQuery)
  })
  const name = share.media_name ?? share.job_id ?? share.run_id ?? ''
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-xs text-quiet">
          Until {minuteOf(share.expires_at)}
          {allowedInWords(share)}
        </p>
        <Failure error={revoke.error} />
      </div>
      <Button
        look="danger"
        aria-label={`Revoke the link to ${name} of ${minuteOf(share.created_at)}`}
        onClick={() => revoke.run()}
        isBusy={revoke.isBusy}
      >
        Revoke
      </Button>
    </li>
  )
}

function allowedInWords(share: Share): string {
  const allowed = [
    share.allow_download && 'download',
    share.allow_embed && 'embedding',
    share.include_source && 'the whole recording',
    share.include_transcript && 'transcript',
  ].filter((each) => each !== false)
  return allowed.length === 0 ? '' : ` · with ${allowed.join(', ')}`
}
