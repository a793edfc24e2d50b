import { ServiceError } from '../../core/errors.ts'
import type { AudioTrack, MediaInfo } from '../../core/media.ts'

export interface ChosenTrack extends AudioTrack {
  /** Index among the audio tracks. */
  readonly index: number
}

/** The tracks that an `audio_track` setting selects. Throws `no_audio_track` if there are none. */
export function chooseTracks({ audio }: MediaInfo, choice: 'default' | 'all' | number): ChosenTrack[] {
  const tracks = audio.map((track, index) => ({ ...track, index }))
  const chosen =
    choice === 'all'
      ? tracks
      : tracks.filter(({ index }) => index === (choice === 'default' ? defaultIndex(audio) : choice))
  if (chosen.length > 0) return chosen
  if (tracks.length === 0) throw new ServiceError('no_audio_track')
  throw new ServiceError(
    'no_audio_track',
    `The media has no audio track ${choice}. It has ${tracks.length}, counted from 0.`,
  )
}

function defaultIndex(audio: readonly AudioTrack[]): number {
  return Math.max(
    0,
    audio.findIndex(({ isDefault }) => isDefault),
  )
}
