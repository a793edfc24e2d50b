import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beepsWav, claimingMp4, jpegOfEmptyScans, manyBoxesMp4, taggedMp3 } from './hostile-files.ts'

export interface AttackMedia {
  /** A second of sound, as an honest caller uploads it. */
  readonly honest: Buffer
  /** Two seconds of film, and five of speech. */
  readonly honestFilm: Buffer
  readonly honestSpeech: Buffer
  /** A 600-byte MP4 that claims 60 million samples, and one of 30 tracks with two million each. */
  readonly claims: Buffer
  readonly claimingTracks: Buffer
  readonly boxes: Buffer
  /** An MP3 with a timecode of 20 million letters. */
  readonly longTag: Buffer
  /** Two pictures of 8192 × 8192. */
  readonly pixels: Buffer
  /** A second of sound, of which the second half is 3,000 seconds later. */
  readonly gap: Buffer
  /** The sound of one track, 60 times. */
  readonly tracks: Buffer
  readonly truncated: Buffer
  /** A beep every 0.2 seconds for an hour. */
  readonly beeps: Buffer
  /** A film of ten minutes with a chapter and one keyframe. */
  readonly oneKeyframe: Buffer
  /** A picture of 3072 × 3072 with 16,583 scans, as many as an upload of 400 kB holds. */
  readonly emptyScans: Buffer
  /** Four minutes of film, which take minutes to render. */
  readonly longFilm: Buffer
}

const oneKeyframeSeconds = 600
const speech = path.join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'speech.wav')

/** Small files that cost much to read. */
export async function makeAttackMedia(ffmpegPath: string): Promise<AttackMedia> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-timeline-attacks-'))
  const make = async (name: string, args: readonly string[]) => {
    const file = path.join(folder, name)
    await promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', ...args, file])
    return readFile(file)
  }
  try {
    const sine = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=16000:d=${seconds}`]
    const chapters = path.join(folder, 'chapters.txt')
    await writeFile(chapters, ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=300\ntitle=Intro\n')
    const sound = path.join(folder, 'sound.m4a')
    await make('sound.m4a', [...sine(120), '-c:a', 'aac', '-b:a', '16k'])
    const one = ['-i', sound, ...Array.from({ length: 60 }, () => ['-map', '0:a']).flat()]
    const moving = 'testsrc2=size=1280x720:rate=25:duration=4'
    await make('scene.mp4', ['-f', 'lavfi', '-i', moving, '-preset', 'ultrafast', '-crf', '35'])
    const scenes = ['-stream_loop', '59', '-i', path.join(folder, 'scene.mp4'), '-c', 'copy']
    const film = await make('film.mp4', ['-f', 'lavfi', '-i', 'testsrc2=size=96x64:rate=12:duration=2', ...sine(2)])
    return {
      honest: beepsWav(1),
      honestFilm: film,
      honestSpeech: await make('speech.wav', ['-t', '5', '-i', speech]),
      claims: claimingMp4([{ samples: 60_000_000 }]),
      claimingTracks: claimingMp4(Array.from({ length: 30 }, () => ({ samples: 2_000_000 }))),
      boxes: manyBoxesMp4(200_000),
      longTag: taggedMp3('timecode', 20_000_000),
      pixels: await make('pixels.mov', [
        ...['-f', 'lavfi', '-i', 'color=c=black:size=8192x8192:rate=1', '-frames:v', '2'],
        ...['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '31'],
      ]),
      gap: await make('gap.webm', [
        ...[...sine(1), '-af', "asetpts='if(gt(T,0.5),PTS+3000/TB,PTS)'"],
        ...['-c:a', 'libopus', '-b:a', '16k'],
      ]),
      tracks: await make('tracks.mp4', [...one, '-c', 'copy']),
      truncated: film.subarray(0, Math.floor(film.length * 0.6)),
      beeps: beepsWav(3600),
      oneKeyframe: await make('one-keyframe.mp4', [
        ...['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${oneKeyframeSeconds}`, '-i', chapters],
        ...[
          '-map',
          '0:v',
          '-map_metadata',
          '1',
          '-c:v',
          'libx264',
          '-preset',
          'ultrafast',
          '-g',
          '1000000',
          '-crf',
          '40',
        ],
      ]),
      emptyScans: jpegOfEmptyScans(3_072, 16_583),
      longFilm: await make('long-film.mp4', scenes),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
