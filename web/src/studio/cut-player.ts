import { firstAfter, type Span } from './spans.ts'

/** What play() needs until the first sample is heard. */
const leadSeconds = 0.012
/** For at most this long, an element plays on while the next one begins. */
const mostLeadMs = 250
/** Times of frames are rounded, in WebM to a millisecond: exactly where a frame begins, browsers may show the one before. */
const insideFrameSeconds = 0.001

interface Listener {
  readonly onTime: (seconds: number) => void
  readonly onState: (isPlaying: boolean) => void
}

export interface CutPlayer {
  /** Plays what is kept, from a time of the source on. */
  readonly play: (kept: readonly Span[], from: number) => void
  readonly pause: () => void
  readonly seek: (seconds: number) => void
  readonly setRate: (rate: number) => void
  readonly time: () => number
  readonly isPlaying: () => boolean
}

/**
 * Plays the kept parts of the media in order, without rendering: one of two elements plays while the other waits at the start of
 * the next part. One element alone would seek at each joint, which can be heard. Both lie over each other; the one that plays is shown.
 */
export function createCutPlayer(
  elements: readonly [HTMLMediaElement, HTMLMediaElement],
  listener: Listener,
): CutPlayer {
  let [now, other] = elements
  let parts: readonly Span[] = []
  let index = 0
  let generation = 0
  let timer: number | undefined
  let isPlaying = false
  let rate = 1

  const setPlaying = (next: boolean) => {
    if (isPlaying === next) return
    isPlaying = next
    listener.onState(next)
  }
  const show = () => {
    now.style.opacity = '1'
    other.style.opacity = '0'
  }
  const halt = () => {
    generation += 1
    window.clearTimeout(timer)
    for (const element of elements) element.pause()
  }
  const finish = () => {
    halt()
    setPlaying(false)
  }

  async function start(mine: number, from: number): Promise<void> {
    await park(now, from)
    if (mine !== generation) return
    now.playbackRate = rate
    await now.play()
    if (mine === generation) follow(mine)
  }

  function follow(mine: number): void {
    show()
    const next = parts[index + 1]
    let isParked = false
    if (next)
      void park(other, next.start).then(() => {
        isParked = true
      })
    const change = async () => {
      const before = now
      ;[now, other] = [other, now]
      index += 1
      now.playbackRate = rate
      const from = now.currentTime
      await now.play()
      await moved(now, from)
      before.pause()
      if (mine === generation) follow(mine)
      else if (!isPlaying) now.pause()
    }
    // A timer, because frames stop in hidden tabs, and come up to a frame late.
    const check = () => {
      if (mine !== generation) return
      listener.onTime(now.currentTime)
      const left = ((parts[index]?.end ?? 0) - now.currentTime) / rate
      const hasEnded = left <= leadSeconds || now.ended
      if (!hasEnded) timer = window.setTimeout(check, Math.min(25, Math.max(2, (left - leadSeconds) * 1000 - 2)))
      else if (!next) finish()
      else if (isParked) void change().catch(finish)
      else {
        // Holding still is better than playing what is cut.
        now.pause()
        timer = window.setTimeout(check, 10)
      }
    }
    check()
  }

  return {
    play: (kept, from) => {
      halt()
      parts = kept
      index = firstAfter(kept, from)
      const first = kept[index]
      if (!first) {
        setPlaying(false)
        return
      }
      setPlaying(true)
      void start(generation, Math.max(from, first.start)).catch(finish)
    },
    pause: finish,
    seek: (seconds) => {
      halt()
      setPlaying(false)
      now.currentTime = seconds + insideFrameSeconds
      listener.onTime(seconds)
    },
    setRate: (next) => {
      rate = next
      now.playbackRate = next
    },
    time: () => now.currentTime,
    isPlaying: () => isPlaying,
  }
}

/** Brings an element to a time, ready to play at once. */
async function park(element: HTMLMediaElement, seconds: number): Promise<void> {
  element.pause()
  const isThere =
    Math.abs(element.currentTime - seconds) < 0.001 && element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA
  if (isThere && !element.seeking) return
  element.currentTime = seconds
  // The event can be that of an earlier seek, which this one has overtaken.
  while (element.seeking) await once(element, 'seeked')
  if (element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) await once(element, 'canplay')
}

/** Its sound begins later than `play()` resolves, on a busy machine by a tenth of a second. */
async function moved(element: HTMLMediaElement, from: number): Promise<void> {
  const deadline = performance.now() + mostLeadMs
  while (!element.paused && element.currentTime <= from && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 2))
}

function once(element: HTMLMediaElement, event: 'seeked' | 'canplay'): Promise<unknown> {
  return new Promise((resolve) => element.addEventListener(event, resolve, { once: true }))
}
