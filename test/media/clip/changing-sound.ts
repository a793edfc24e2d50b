import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runFfmpeg } from '../../setup/tools.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { never, pcmOf, temporaryFolder, testFfmpeg } from '../measure.ts'

/** How a part of a track is encoded. */
export interface SoundPart {
  readonly codec: 'ac3' | 'aac' | 'libmp3lame' | 'eac3' | 'mp2' | 'dca'
  readonly rate: 44_100 | 48_000 | 32_000
  readonly channels: 'mono' | 'stereo' | '5.1' | 'opposed'
}

/** Ten seconds each, which sound from 0 to 4 and from 5 to 9. */
const partSeconds = 10
const muxers = { ac3: 'ac3', eac3: 'eac3', aac: 'adts', libmp3lame: 'mp3', mp2: 'mp2', dca: 'dts' } as const

const pans = {
  mono: 'mono|c0=c0',
  stereo: 'stereo|c0=c0|c1=c0',
  opposed: 'stereo|c0=c0|c1=-1*c0',
  '5.1': '5.1|c0=c0|c1=c0|c2=c0|c4=c0|c5=c0',
} as const

async function encode(args: readonly string[], output: string): Promise<string> {
  await runFfmpeg(...args, output)
  return output
}

/** A track whose sound changes every ten seconds, as broadcasts and joined files do; beside a picture with a keyframe a second in MKV. */
export async function changingSound(
  parts: readonly SoundPart[],
  extension: 'mkv' | 'mka' | 'aac' | 'mp3' | 'mp4' | 'mov' | 'wav',
): Promise<string> {
  const folder = temporaryFolder()
  const encoded = await Promise.all(
    parts.map(async ({ codec, rate, channels }, index) => {
      const tone = `aevalsrc='if(lt(mod(t,5),4),0.3*sin(2*PI*440*t),0)':s=${rate}:d=${partSeconds}`
      const args = ['-f', 'lavfi', '-i', tone, '-af', `pan=${pans[channels]}`, '-c:a', codec, '-strict', '-2']
      // An MP3's first frame would otherwise state the length of its part.
      const plain = codec === 'libmp3lame' ? ['-write_xing', '0', '-id3v2_version', '0'] : []
      return readFile(await encode([...args, ...plain, '-f', muxers[codec]], path.join(folder, `part-${index}`)))
    }),
  )
  const joined = path.join(folder, 'joined')
  await writeFile(joined, Buffer.concat(encoded))
  const demuxer = muxers[parts[0]?.codec ?? 'aac'].replace('adts', 'aac').replace('mp2', 'mp3')
  const source = ['-f', demuxer, '-i', joined]
  const output = path.join(folder, `changing.${extension}`)
  if (extension === 'mkv') {
    const picture = ['-f', 'lavfi', '-i', `color=s=160x90:r=25:d=${parts.length * partSeconds}`]
    const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p']
    return encode([...picture, ...source, '-map', '0:v', '-map', '1:a', ...video, '-c:a', 'copy'], output)
  }
  if (extension !== 'aac' && extension !== 'mp3') return encode([...source, '-c', 'copy'], output)
  await writeFile(output, Buffer.concat(encoded))
  return output
}

/** Of the tone of every part, in dBFS. */
export const toneLevel = 20 * Math.log10(0.3) - 3

const measuredRate = 8_000

/** Where the loudest channel of a file sounds, in seconds, and how loud, in dBFS. */
export async function sounding(file: string): Promise<{ start: number; end: number; level: number }[]> {
  const channels = (await inspectFile(file, testFfmpeg(), never)).audio[0]?.channels ?? 1
  const samples = await pcmOf(file, `aresample=${measuredRate}:async=1:first_pts=0`)
  const hop = measuredRate / 100
  const found: { start: number; end: number; energy: number }[] = []
  for (let cell = 0; (cell + 1) * hop * channels <= samples.length; cell++) {
    let loudest = 0
    for (let channel = 0; channel < channels; channel++) {
      let energy = 0
      for (let frame = cell * hop; frame < (cell + 1) * hop; frame++)
        energy += ((samples[frame * channels + channel] ?? 0) / 32_768) ** 2 / hop
      loudest = Math.max(loudest, energy)
    }
    if (loudest < 1e-4) continue
    const last = found.at(-1)
    if (last && cell / 100 - last.end < 0.015) {
      last.end = (cell + 1) / 100
      last.energy += loudest
    } else found.push({ start: cell / 100, end: (cell + 1) / 100, energy: loudest })
  }
  return found.map(({ start, end, energy }) => ({ start, end, level: 10 * Math.log10(energy / (100 * (end - start))) }))
}
