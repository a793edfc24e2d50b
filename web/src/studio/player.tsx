import { useEffect, useRef } from 'react'
import { createCutPlayer } from './cut-player.ts'
import type { Source } from './use-source.ts'
import type { Workbench } from './use-workbench.ts'

interface Props {
  readonly url: string
  readonly isSound: boolean
  readonly source: Source
  readonly bench: Workbench
}

/** The picture, by two elements that lie over each other. Without a picture, they are not seen. */
export function Player({ url, isSound, source: { problem, onFound }, bench }: Props) {
  const { player, onTime, setPlaying } = bench.playback
  const first = useRef<HTMLVideoElement>(null)
  const second = useRef<HTMLVideoElement>(null)
  const listener = useRef({ onTime, onState: setPlaying })
  listener.current = { onTime, onState: setPlaying }
  const isPlayable = problem !== 'unplayable'
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address needs another player
  useEffect(() => {
    if (!isPlayable || !first.current || !second.current) return
    const made = createCutPlayer([first.current, second.current], {
      onTime: (seconds) => listener.current.onTime(seconds),
      onState: (isPlaying) => listener.current.onState(isPlaying),
    })
    player.current = made
    return () => {
      made.pause()
      player.current = undefined
    }
  }, [url, isPlayable])
  const loaded = ({ duration, videoWidth }: HTMLVideoElement) => {
    if (Number.isFinite(duration)) bench.setPlayedSeconds(duration)
    // Browsers play the sound of a film whose picture they do not know, and report no error.
    onFound(!isSound && videoWidth === 0 ? 'sound only' : 'playable')
  }
  return (
    <div
      className={`relative overflow-hidden rounded-md ${isSound || problem ? 'absolute size-0' : 'min-h-56 flex-1 bg-black'}`}
    >
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
          onError={index === 0 ? () => onFound('unplayable') : undefined}
          className="absolute inset-0 size-full object-contain"
          style={{ opacity: index === 0 ? 1 : 0 }}
        >
          <track kind="captions" />
        </video>
      ))}
    </div>
  )
}
