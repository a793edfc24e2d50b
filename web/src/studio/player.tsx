import { type RefObject, useEffect, useRef, useState } from 'react'
import { type CutPlayer, createCutPlayer } from './cut-player.ts'

interface Props {
  readonly url: string
  readonly isSound: boolean
  readonly player: RefObject<CutPlayer | undefined>
  readonly onTime: (seconds: number) => void
  readonly onPlaying: (isPlaying: boolean) => void
  readonly onDuration: (seconds: number) => void
  readonly onUnplayable: () => void
}

/** The picture, by two elements that lie over each other. For sound, only a line. */
export function Player({ url, isSound, player, onTime, onPlaying, onDuration, onUnplayable }: Props) {
  const first = useRef<HTMLVideoElement>(null)
  const second = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<'unplayable' | 'sound only'>()
  const listener = useRef({ onTime, onState: onPlaying })
  listener.current = { onTime, onState: onPlaying }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address needs another player
  useEffect(() => {
    if (!first.current || !second.current) return
    const made = createCutPlayer([first.current, second.current], {
      onTime: (seconds) => listener.current.onTime(seconds),
      onState: (isPlaying) => listener.current.onState(isPlaying),
    })
    player.current = made
    setProblem(undefined)
    return () => {
      made.pause()
      player.current = undefined
    }
  }, [url])
  const loaded = ({ duration, videoWidth }: HTMLVideoElement) => {
    if (Number.isFinite(duration)) onDuration(duration)
    // Browsers play the sound of a film whose picture they do not know, and report no error.
    if (!isSound && videoWidth === 0) setProblem('sound only')
  }
  const fail = () => {
    setProblem('unplayable')
    onUnplayable()
  }
  return (
    <div className={`relative overflow-hidden rounded-md ${isSound ? 'h-0' : 'min-h-56 flex-1 bg-black'}`}>
      {[first, second].map((element, index) => (
        <video
          // biome-ignore lint/suspicious/noArrayIndexKey: there are always two
          key={index}
          ref={element}
          src={url}
          preload="auto"
          playsInline
          aria-label={index === 0 ? 'The media' : undefined}
          aria-hidden={index === 1}
          tabIndex={-1}
          onLoadedMetadata={index === 0 ? (event) => loaded(event.currentTarget) : undefined}
          onError={index === 0 ? fail : undefined}
          className="absolute inset-0 size-full object-contain"
          style={{ opacity: index === 0 ? 1 : 0 }}
        >
          <track kind="captions" />
        </video>
      ))}
      {problem && (
        <p role="status" className="absolute inset-x-0 bottom-0 bg-black/80 p-3 text-center text-white">
          {problem === 'unplayable'
            ? 'This browser cannot play the file. Its timeline, and the file that you cut, work all the same.'
            : 'This browser plays only the sound of this film.'}
        </p>
      )}
    </div>
  )
}
