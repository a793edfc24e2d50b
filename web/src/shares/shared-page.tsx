import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { buttonStyle } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { bytesInWords, lengthInWords, minuteOf } from '../components/format.ts'
import { Icon } from '../components/icon.tsx'
import { Moments, titleOfList } from '../components/moments.tsx'
import { ProductMark } from '../layout/product-mark.tsx'
import { syncInWords } from '../studio/receipt-words.ts'
import type { Painter } from '../studio/timeline.tsx'
import { isPicture, isPlayed, mainFileOf, readShared, type Shared, type SharedFile } from './shared.ts'
import { SharedTimeline } from './shared-timeline.tsx'

interface Props {
  readonly token: string
  /** Whether another site shows it in a frame. */
  readonly isFramed: boolean
}

/** What somebody shared: a result to see, to hear and, if that is allowed, to take home. */
export function SharedPage({ token, isFramed }: Props) {
  const { shared, error, readAgain } = useShared(token)
  useEffect(() => {
    document.title = shared ? `${shared.name} · Media Timeline` : 'Media Timeline'
  }, [shared])
  if (!shared)
    return <Frame isFramed={isFramed}>{error ? <Failure error={error} /> : <p role="status">Loading…</p>}</Frame>
  return (
    <Frame isFramed={isFramed}>
      <h1 className={`font-semibold break-words ${isFramed ? 'text-base' : 'text-xl/7'}`}>{shared.name}</h1>
      <Contents shared={shared} onOver={readAgain} />
      {!isFramed && <p className="text-xs text-quiet">Shared until {minuteOf(shared.expires_at)}.</p>}
    </Frame>
  )
}

function Frame({ isFramed, children }: { readonly isFramed: boolean; readonly children: ReactNode }) {
  return (
    <div className={`mx-auto flex max-w-4xl flex-col gap-5 text-sm ${isFramed ? 'p-3' : 'px-4 py-6 sm:px-8'}`}>
      {!isFramed && (
        <header>
          <ProductMark />
        </header>
      )}
      <main className="flex flex-col gap-5">{children}</main>
    </div>
  )
}

/** A player asks again at most this often: what it cannot play stays so. */
const readAgainMs = 60_000

/** The addresses of media are over after 15 minutes. A player that finds that out gets new ones. */
function useShared(token: string) {
  const [shared, setShared] = useState<Shared>()
  const [error, setError] = useState<unknown>()
  const readAt = useRef(0)
  const [read] = useState(() => () => {
    readAt.current = Date.now()
    readShared(token).then(setShared, setError)
  })
  useEffect(read, [read])
  const readAgain = () => {
    if (Date.now() - readAt.current > readAgainMs) read()
  }
  return { shared, error, readAgain }
}

function Contents({ shared, onOver }: { readonly shared: Shared; readonly onOver: () => void }) {
  const player = useRef<HTMLMediaElement>(null)
  const painter = useRef<Painter>({ playhead: 0, paint: () => {} })
  const main = mainFileOf(shared)
  const seek = (time: number) => {
    painter.current.playhead = time
    painter.current.paint()
    if (player.current) player.current.currentTime = time
  }
  const others = shared.outputs.filter((file) => file !== main && isPlayed(file))
  const pictures = shared.outputs.filter(isPicture)
  // The timeline of a file in one piece shows nothing but its sound.
  const isBare = shared.tracks.every(({ name, total }) => name === 'part' && total === 1)
  const isShownBelow = shared.source !== undefined && shared.source !== main
  return (
    <>
      {main && <Played file={main} player={player} painter={painter} onOver={onOver} />}
      {others.map((file) => (
        <Played key={file.name} file={file} onOver={onOver} />
      ))}
      {pictures.length > 0 && (
        <ul aria-label="Pictures" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {pictures.map(({ name, url }) => (
            <li key={name}>
              <img src={url} alt={name} className="w-full rounded-md border border-line" />
            </li>
          ))}
        </ul>
      )}
      {(shared.waveform || !isBare) && <SharedTimeline shared={shared} painter={painter} onSeek={seek} />}
      <Receipt shared={shared} />
      <Downloads files={shared.outputs} />
      {shared.tracks.map(({ name, total, segments }) => (
        <Moments
          key={name}
          title={titleOfList(name)}
          total={total}
          entries={segments.map(({ label, ...span }) => ({ ...span, text: label }))}
          onSeek={main && seek}
        />
      ))}
      {shared.transcript && (
        <Moments
          title="Transcript"
          total={shared.transcript.length}
          entries={shared.transcript}
          onSeek={main && seek}
        />
      )}
      {isShownBelow && shared.source && isPlayed(shared.source) && (
        <section aria-labelledby="source" className="flex flex-col gap-3">
          <h2 id="source" className="text-base font-semibold">
            The whole recording
          </h2>
          <Played file={shared.source} onOver={onOver} />
        </section>
      )}
    </>
  )
}

interface PlayedProps {
  readonly file: SharedFile
  /** Of what the timeline shows. */
  readonly player?: { current: HTMLMediaElement | null }
  readonly painter?: { readonly current: Painter }
  readonly onOver: () => void
}

/** A file with the controls of the browser. */
function Played({ file, player, painter, onOver }: PlayedProps) {
  const place = useRef(0)
  const follow = ({ currentTarget: element }: SyntheticEvent<HTMLMediaElement>) => {
    const show = () => {
      place.current = element.currentTime
      if (painter) {
        painter.current.playhead = element.currentTime
        painter.current.paint()
      }
      if (!element.paused && element.isConnected) requestAnimationFrame(show)
    }
    show()
  }
  const media = {
    controls: true,
    src: file.url,
    preload: 'metadata',
    'aria-label': file.name,
    // Without a link to save the file, the menu of the player has none either.
    controlsList: file.download_url ? undefined : 'nodownload',
    onPlay: follow,
    onSeeked: follow,
    onError: onOver,
    // Where it was before its address was over.
    onLoadedMetadata: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      if (place.current > 0 && currentTarget.currentTime === 0) currentTarget.currentTime = place.current
    },
  }
  const keep = (element: HTMLMediaElement | null) => {
    if (player) player.current = element
  }
  return file.content_type.startsWith('audio/') ? (
    <audio {...media} ref={keep} className="w-full" />
  ) : (
    <video {...media} ref={keep} playsInline className="max-h-[60vh] w-full rounded-md bg-black" />
  )
}

/** How the file was made, as its receipt has it. */
function Receipt({ shared: { saved, receipt, duration_seconds: seconds, of } }: { readonly shared: Shared }) {
  const loudness = receipt?.loudness?.[0]?.integrated_lufs
  const length = saved
    ? `${lengthInWords(saved.seconds_out)} instead of ${lengthInWords(saved.seconds_in)}, by ${saved.cuts} cuts.`
    : `${lengthInWords(seconds)} long.`
  const exact = receipt && of === 'output' ? ` ${syncInWords(receipt)}` : ''
  const loud = loudness === undefined ? '' : ` Its loudness is ${loudness} LUFS.`
  return (
    <p className="text-quiet">
      {length}
      {exact}
      {loud}
    </p>
  )
}

function Downloads({ files }: { readonly files: Shared['outputs'] }) {
  const saved = files.filter(({ download_url }) => download_url !== undefined)
  if (saved.length === 0) return null
  return (
    <ul aria-label="Downloads" className="flex flex-wrap gap-3">
      {saved.map(({ name, bytes, download_url }) => (
        <li key={name}>
          <a href={download_url} download={name} className={buttonStyle.primary}>
            <Icon name="download" className="size-4" />
            Download {saved.length > 1 ? name : ''} · {bytesInWords(bytes)}
          </a>
        </li>
      ))}
    </ul>
  )
}
