import { rm } from 'node:fs/promises'
import path from 'node:path'
import { runFfmpeg } from '../../../setup/tools.ts'
import type { Film } from './axes.ts'

const seconds = 5
const framesPerGroup = 24

const groupOptions: Readonly<Record<Film['groups'], string>> = {
  closed: `keyint=${framesPerGroup}:min-keyint=${framesPerGroup}:bframes=2:b-pyramid=0:open-gop=0`,
  open: `keyint=${framesPerGroup}:min-keyint=${framesPerGroup}:bframes=3:b-pyramid=0:open-gop=1`,
  'b-pyramid': `keyint=${framesPerGroup}:min-keyint=${framesPerGroup}:bframes=5:b-pyramid=PYRAMID:open-gop=0:rc-lookahead=12`,
  'one-keyframe': 'keyint=9999:min-keyint=9999',
}

const soundOptions: Readonly<Record<Film['sound'], readonly string[]>> = {
  aac: ['-c:a', 'aac'],
  opus: ['-c:a', 'libopus'],
  mp3: ['-c:a', 'libmp3lame'],
  pcm: ['-c:a', 'pcm_s16le'],
  none: ['-an'],
}

/** Makes the film in the folder, and returns its path: MP4, or MOV for PCM, which MP4 does not hold. */
export async function makeFilm(folder: string, { codec, rate, groups, sound, start, turn }: Film): Promise<string> {
  const extension = sound === 'pcm' ? 'mov' : 'mp4'
  const output = path.join(folder, `film.${extension}`)
  const plain = path.join(folder, `plain.${extension}`)
  const options = `${groupOptions[groups].replace('PYRAMID', codec === 'h264' ? 'normal' : '1')}:scenecut=0`
  const encoder =
    codec === 'h264'
      ? ['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', options]
      : ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-x265-params', `${options}:log-level=none`]
  // Of every seven frames, two are missing.
  const uneven = rate === 'variable' ? ",select='lt(mod(n\\,7)\\,5)'" : ''
  await ffmpeg(
    ...['-f', 'lavfi', '-i', `testsrc2=size=192x108:rate=${rate === 'variable' ? 30 : rate}:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}:sample_rate=48000`],
    ...['-vf', `format=yuv420p${uneven}`, '-fps_mode', 'passthrough', ...encoder, ...soundOptions[sound], plain],
  )
  await ffmpeg(
    // A copy from within the first group starts before 0, and an edit list hides what is before.
    ...(start === 'negative' ? ['-ss', '0.3'] : []),
    ...(turn === 'turned' ? ['-display_rotation', '90'] : []),
    ...['-i', plain, '-map', '0', '-c', 'copy'],
    ...(start === 'positive' ? ['-output_ts_offset', '1.5'] : []),
    output,
  )
  await rm(plain)
  return output
}

async function ffmpeg(...args: readonly string[]): Promise<void> {
  await runFfmpeg(...args)
}
