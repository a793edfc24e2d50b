import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { minuteOf } from '../components/format.ts'
import { useAction } from '../components/use-action.ts'
import { workTitle } from '../components/work-title.ts'
import { NewLink } from './new-link.tsx'
import { createShare, revokeShare, type Share, sharesQuery } from './share-queries.ts'

/** Shares with what each shows and allows. */
export function ShareList({ shares }: { readonly shares: readonly Share[] }) {
  const [remade, setRemade] = useState<{ readonly url: string; readonly before: Share }>()
  return (
    <>
      {remade && (
        <NewLink key={remade.url} url={remade.url} onDone={() => setRemade(undefined)}>
          <LinkBefore share={remade.before} isRevoked={shares.every(({ id }) => id !== remade.before.id)} />
        </NewLink>
      )}
      <ul aria-label="Shares" className="divide-y divide-line rounded-[10px] border border-line bg-surface">
        {shares.map((share) => (
          <ShareItem key={share.id} share={share} onRemade={(url) => setRemade({ url, before: share })} />
        ))}
      </ul>
    </>
  )
}

/** What a new link leaves of the one whose place it takes: it works on, unless it is ended here. */
function LinkBefore({ share, isRevoked }: { readonly share: Share; readonly isRevoked: boolean }) {
  const revoke = useRevoke(share)
  if (isRevoked) return <p role="status">The link before it is revoked: it opens nothing any more.</p>
  return (
    <>
      <p>The link before it works too, until {minuteOf(share.expires_at)}. If it is in wrong hands, revoke it.</p>
      <Failure error={revoke.error} />
      <Button look="danger" className="self-start" onClick={() => revoke.run()} isBusy={revoke.isBusy}>
        Revoke the link before it
      </Button>
    </>
  )
}

const useRevoke = ({ id }: Share) => useAction(() => revokeShare(id), sharesQuery)

function ShareItem({ share, onRemade }: { readonly share: Share; readonly onRemade: (url: string) => void }) {
  const revoke = useRevoke(share)
  const remake = useAction(async () => onRemade(await createShare(sameAgain(share))), sharesQuery)
  const name = [share.media_name, workTitle(share.work)].filter(Boolean).join(' · ')
  const made = minuteOf(share.created_at)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-48 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-xs text-quiet">
          Made {made} · until {minuteOf(share.expires_at)}
          {allowedInWords(share)}
        </p>
        <Failure error={revoke.error ?? remake.error} />
      </div>
      <Button
        aria-label={`Make a new link to ${name}, as that of ${made}`}
        onClick={() => remake.run()}
        isBusy={remake.isBusy}
      >
        Make a new link
      </Button>
      <Button
        look="danger"
        aria-label={`Revoke the link to ${name} of ${made}`}
        onClick={() => revoke.run()}
        isBusy={revoke.isBusy}
      >
        Revoke
      </Button>
    </li>
  )
}

/** A request for another link to the same, which is valid as long. */
function sameAgain({ job_id, run_id, created_at, expires_at, ...share }: Share) {
  const { allow_download, allow_embed, include_source, include_transcript } = share
  return {
    ...(job_id ? { job_id } : {}),
    ...(run_id ? { run_id } : {}),
    ...{ allow_download, allow_embed, include_source, include_transcript },
    expires_in_seconds: Math.max(60, Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 1000)),
  }
}

function allowedInWords(share: Share): string {
  const allowed = [
    share.allow_download && 'download',
    share.allow_embed && 'display on other websites',
    share.include_source && 'the whole recording',
    share.include_transcript && 'transcript',
  ].filter((each) => each !== false)
  return allowed.length === 0 ? '' : ` · with ${allowed.join(', ')}`
}
