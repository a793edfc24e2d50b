import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { claimingMp4, manyBoxesMp4 } from '../hostile/hostile-files.ts'
import type { Canary } from '../hostile/media-host.ts'

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=96x64:rate=12:duration=2']
const sound = ['-f', 'lavfi', '-i', 'aevalsrc=0.5*sin(880*PI*t)*lt(mod(t\\,1)\\,0.5):s=16000:d=2']
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '6', '-c:a', 'aac', '-b:a', '32k']
const vp8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', '-b:a', '32k']

/** ffmpeg's arguments for a small file of every accepted format. */
const recipes = {
  'film.mp4': [...picture, ...sound, ...x264],
  'fast-start.mp4': [...picture, ...sound, ...x264, '-movflags', '+faststart'],
  'fragmented.mp4': [...picture, ...sound, ...x264, '-movflags', '+frag_keyframe+empty_moov'],
  'film.mov': [...picture, ...sound, ...x264],
  'film.m4v': [...picture, ...sound, ...x264],
  'film.webm': [...picture, ...sound, ...vp8],
  'sound.m4a': [...sound, '-c:a', 'aac', '-b:a', '32k'],
  'sound.mp3': [...sound, '-c:a', 'libmp3lame', '-b:a', '32k'],
  'sound.wav': [...sound],
  'sound.aac': [...sound, '-c:a', 'aac', '-b:a', '32k'],
  'sound.ogg': [...sound, '-c:a', 'libopus', '-b:a', '32k'],
  'sound.flac': [...sound, '-sample_fmt', 's16'],
  'sound.aiff': [...sound],
  'sound.mka': [...sound, '-c:a', 'flac', '-sample_fmt', 's16'],
  'film.mkv': [...picture, ...sound, ...x264],
}
type RecipeName = keyof typeof recipes

/** Files that name the canary where a demuxer could follow the name. */
const canaryTexts: Readonly<Record<string, (canary: Canary) => string>> = {
  'playlist.mp4': ({ url, file }) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${url}\n#EXTINF:5,\nfile://${file}\n#EXT-X-ENDLIST\n`,
  'manifest.mp4': ({ url }) =>
    `<?xml version="1.0"?><MPD><Period><AdaptationSet><BaseURL>${url}</BaseURL></AdaptationSet></Period></MPD>`,
  'concat.mp4': ({ file }) => `ffconcat version 1.0\nfile '${file}'\n`,
  'picture.mp4': ({ url, file }) =>
    `<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}"/><image href="file://${file}"/></svg>`,
  'session.mp4': ({ url }) => `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\na=control:${url}\nm=audio 0 RTP/AVP 0\n`,
  'subtitles.webm': ({ file }) => `WEBVTT\n\n00:00.000 --> 00:01.000\n<img src="file://${file}">\n`,
}

/** Files that claim much more than they have, smaller than those of the attacks, because most of their changes are run too. */
const hostileFiles: Readonly<Record<string, () => Buffer>> = {
  'claims.mp4': () => claimingMp4([{ samples: 2_000_000 }, { samples: 1_000 }]),
  'boxes.mp4': () => manyBoxesMp4(12_000),
}

export const baseNames: readonly string[] = [
  ...Object.keys(recipes),
  'reference.mov',
  ...Object.keys(canaryTexts),
  ...Object.keys(hostileFiles),
]
export const honestNames = Object.keys(recipes)

/** The files that cases mutate, by name. */
export async function makeBaseMedia(ffmpegPath: string, canary: Canary): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-timeline-fuzz-'))
  try {
    const made = new Map<string, Buffer>()
    for (const name of Object.keys(recipes).filter(isRecipe)) {
      const file = path.join(folder, name)
      const exact = ['-fflags', '+bitexact', '-flags', '+bitexact', '-threads', '1']
      await promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', ...recipes[name], ...exact, file])
      made.set(name, await readFile(file))
    }
    made.set('reference.mov', withReference(made.get('film.mov') ?? Buffer.alloc(0), canary))
    for (const [name, text] of Object.entries(canaryTexts)) made.set(name, Buffer.from(text(canary)))
    for (const [name, make] of Object.entries(hostileFiles)) made.set(name, make())
    return made
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isRecipe(name: string): name is RecipeName {
  return Object.hasOwn(recipes, name)
}

/** The first data reference, which says that the samples are in this file, names another file instead. */
function withReference(film: Buffer, { url }: Canary): Buffer {
  const own = film.indexOf('url \0\0\0\x01', 0, 'latin1')
  // A box `free` as long as its text: the parents' sizes would not fit otherwise.
  const text = Buffer.from(`${url}\0`)
  const reference = Buffer.alloc(12 + text.length)
  reference.writeUInt32BE(reference.length, 0)
  reference.write('url ', 4, 'latin1')
  text.copy(reference, 12)
  const grown = Buffer.concat([film.subarray(0, own - 4), reference, film.subarray(own + 8)])
  growParents(grown, own - 4, reference.length - 12)
  return grown
}

/** Adds bytes to the size of every box around the place. */
function growParents(film: Buffer, place: number, bytes: number): void {
  for (const name of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const at = film.lastIndexOf(name, place, 'latin1') - 4
    if (at >= 0) film.writeUInt32BE(film.readUInt32BE(at) + bytes, at)
  }
}
