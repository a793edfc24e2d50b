import type { Segment } from '../../core/segments.ts'
import { modelSampleRate } from '../../models/models.ts'
import { decodeAudio, decodeWhole, type TrackInput } from '../sound/decode-audio.ts'
import { createChannelMixer, type MixedChannels } from './mix-channels.ts'

/** At the rate of the models. Silence past the end of a short track. */
export interface DecodedStretch extends MixedChannels {
  readonly decodeErrors: number
}

/** Decodes a stretch of a track for models. */
export async function decodeStretch(
  { track: { channels, layout }, ...input }: TrackInput,
  { start, end }: Segment,
  onProgress?: (fraction: number) => void,
): Promise<DecodedStretch> {
  const [startFrame, endFrame] = [Math.round(start * modelSampleRate), Math.round(end * modelSampleRate)]
  const track = { sampleRate: modelSampleRate, channels, layout }
  return decodeWhole({ ...input, track }, { start, end }, async (sound) => {
    const mixer = createChannelMixer(sound.track.channels, endFrame - startFrame)
    const { decodeErrors } = await decodeAudio({
      ...{ ...input, ...sound, startFrame, endFrame, onSamples: mixer.push },
      ...(onProgress ? { onProgress } : {}),
    })
    return { ...mixer.finish(), decodeErrors }
  })
}
