import { required } from './required.ts'

/** The real ffmpeg and ffprobe that the set-up found. */
export const mediaTools = {
  ffmpegPath: required('FFMPEG_PATH'),
  ffprobePath: required('FFPROBE_PATH'),
}
