import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Job, jobQuery, type PlayableUpload, uploadQuery } from '../api/queries.ts'
import { clipResult } from './studio-queries.ts'

/** What a browser finds when it loads the media: nothing that it knows, or a film of which it knows the sound alone. */
type PlaybackProblem = 'unplayable' | 'sound only'

interface SourceOptions {
  readonly upload: PlayableUpload
  /** The address of the file while this page has it. */
  readonly local: string | undefined
  /** The job of a copy that browsers can play, once there is one. */
  readonly copyJob: Job | undefined
}

export type Source = ReturnType<typeof useSource>

/** Where the media plays from: its own bytes, or a copy of them where the browser cannot play these. */
export function useSource({ upload, local, copyJob }: SourceOptions) {
  const queryClient = useQueryClient()
  const [found, setFound] = useState<ReadonlyMap<string, PlaybackProblem | 'playable'>>(new Map())
  const problemOf = (address: string | undefined) => {
    const answer = address === undefined ? undefined : found.get(address)
    return answer === 'playable' ? undefined : answer
  }
  const { data: copy } = useQuery({
    ...jobQuery(copyJob?.id ?? ''),
    enabled: copyJob?.status === 'completed',
  })
  const output = clipResult.safeParse(copy?.result).data?.output
  const original = useHeldAddress(upload.id, upload.playback)
  const ofCopy = useHeldAddress(copy?.id, output)
  const own = local ?? original.address?.url
  const isCopy = problemOf(own) !== undefined && ofCopy.address !== undefined
  const url = isCopy ? ofCopy.address?.url : own
  const onFound = (answer: PlaybackProblem | 'playable') => {
    if (url === undefined) return
    setFound((known) => new Map(known).set(url, answer))
    if (answer !== 'unplayable') return
    const [held, query] = isCopy ? [ofCopy, jobQuery(copy?.id ?? '')] : [original, uploadQuery(upload.id)]
    if (held.address?.url !== url || Date.parse(held.address.expires_at) > Date.now()) return
    held.release()
    void queryClient.invalidateQueries({ queryKey: query.queryKey })
  }
  const problem = problemOf(url)
  const canPlay = url !== undefined && found.has(url) && problem !== 'unplayable'
  return { url, isCopy, problem, canPlay, onFound }
}

interface Address {
  readonly url: string
  readonly expires_at: string
}

/** Keeps the address of a thing until it is released, because another one would load the media again. */
export function useHeldAddress(id: string | undefined, address: Address | undefined) {
  const [held, setHeld] = useState<{ readonly id: string | undefined; readonly address: Address }>()
  const [isOver, setOver] = useState(false)
  if (address && (held?.id !== id || (isOver && held?.address.url !== address.url))) {
    setHeld({ id, address })
    setOver(false)
  }
  return { address: held?.id === id ? held?.address : undefined, release: () => setOver(true) }
}
