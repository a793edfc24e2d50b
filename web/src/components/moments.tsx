import { useState } from 'react'
import { buttonStyle } from './button.tsx'
import { clock } from './format.ts'

interface MomentsProps {
  readonly title: string
  /** How many there are, also those that the page does not have. */
  readonly total: number
  readonly entries: readonly { readonly start: number; readonly end: number; readonly text?: string | undefined }[]
  readonly onSeek?: ((time: number) => void) | undefined
}

const firstShown = 50

/** Lists times with what was found there. Each time leads to its place in the player, if there is one. */
export function Moments({ title, total, entries, onSeek }: MomentsProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? entries : entries.slice(0, firstShown)
  return (
    <details className="rounded-md border border-line bg-surface">
      <summary className="cursor-pointer p-3 font-medium">
        {title} · {total}
      </summary>
      <ol className="flex flex-col border-t border-line py-1">
        {shown.map(({ start, end, text }) => {
          const times = start === end ? clock(start, 1) : `${clock(start, 1)} – ${clock(end, 1)}`
          const line = (
            <>
              <span className="shrink-0 text-quiet tabular-nums">{times}</span>
              {text && <span className="min-w-0 break-words">{text}</span>}
            </>
          )
          return (
            <li key={`${start} ${end} ${text}`}>
              {onSeek ? (
                <button type="button" onClick={() => onSeek(start)} className={`${rowStyle} hover:bg-raised`}>
                  {line}
                </button>
              ) : (
                <p className={rowStyle}>{line}</p>
              )}
            </li>
          )
        })}
      </ol>
      {!isWhole && entries.length > firstShown && (
        <button type="button" onClick={() => setWhole(true)} className={`${buttonStyle.secondary} m-3`}>
          Show all
        </button>
      )}
    </details>
  )
}

const rowStyle = 'flex min-h-8 w-full items-baseline gap-3 px-3 py-1 text-left pointer-coarse:min-h-11'

/** Match as Matches, for the list of all. */
export function titleOfList(noun: string): string {
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}${noun.endsWith('ch') ? 'es' : 's'}`
}
