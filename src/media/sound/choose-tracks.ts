import { ServiceError } from '../../core/errors.ts'
import { type AudioTrack, type MediaInfo, whyEmpty } from '../../core/media.ts'

type TrackChoice = 'default' | number

export interface ChosenTrack extends AudioTrack {
  /** Index among the audio tracks. */
  readonly index: number
}

/** The tracks that an `audio_track` setting selects. Throws `no_audio_track` if there are none. */
export function chooseTracks(info: MediaInfo, choice: 'all' | TrackChoice): ChosenTrack[] {
  if (choice !== 'all') return [chooseTrack(info, choice)]
  if (info.audio.length === 0) throw new ServiceError('no_audio_track')
  return info.audio.map((_track, index) => chooseTrack(info, index))
}

/** Selects one track by an `audio_track` setting. Throws `no_audio_track` if the media does not have it. */
export function chooseTrack({ audio, unreadAudioTracks = 0 }: MediaInfo, choice: TrackChoice): ChosenTrack {
  const index = choice === 'default' ? defaultIndex(audio) : choice
  const track = audio[index]
  if (track?.isEmpty) throw new ServiceError('processing_failed', `Audio track ${index} cannot be read: ${whyEmpty}`)
  if (track) return { ...track, index }
  if (audio.length === 0) throw new ServiceError('no_audio_track')
  const counted = unreadAudioTracks > 0 ? `Its first ${audio.length} are read` : `It has ${audio.length}`
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
