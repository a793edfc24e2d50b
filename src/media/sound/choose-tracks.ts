import { ServiceError } from '../../core/errors.ts'
import type { AudioTrack, MediaInfo } from '../../core/media.ts'

export interface ChosenTrack extends AudioTrack {
  /** Index among the audio tracks. */
  readonly index: number
}

/** The tracks that an `audio_track` setting selects. Throws `no_audio_track` if there are none. */
export function chooseTracks(
  { audio, unreadAudioTracks = 0 }: MediaInfo,
  choice: 'default' | 'all' | number,
): ChosenTrack[] {
  const tracks = audio.map((track, index) => ({ ...track, index }))
  const chosen =
    choice === 'all'
      ? tracks
      : tracks.filter(({ index }) => index === (choice === 'default' ? defaultIndex(audio) : choice))
  if (chosen.length > 0) return chosen
  if (tracks.length === 0) throw new ServiceError('no_audio_track')
  const counted = unreadAudioTracks > 0 ? `Its first ${tracks.length} are read` : `It has ${tracks.length}`
  const missing =
    unreadAudioTracks > 0 ? `Audio track ${choice} is not read.` : `The media has no audio track ${choice}.`
  throw new ServiceError('no_audio_track', `${missing} ${counted}, counted from 0.`)
}

function defaultIndex(audio: readonly AudioTrack[]): number {
  return Math.max(
    0,
    audio.findIndex(({ isDefault }) => isDefault),
  )
}
