import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { FinderTools } from './finder-tools.ts'
import { fetchRecordings, filesBelow } from './recordings.ts'

type Maker = Pick<FinderTools, 'ffmpegPath' | 'workDir' | 'root'>

async function ffmpeg({ ffmpegPath }: Maker, args: readonly string[]): Promise<void> {
  await promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', '-y', ...args])
}

/** Sound as the models read it. */
export async function convertSound(tools: Maker, input: readonly string[], output: string): Promise<void> {
  await ffmpeg(tools, [...input, '-vn', '-ac', '1', '-ar', '16000', output])
}

/** A recording with music under it, 12 dB below: both are set to the same loudness first. */
export async function putMusicUnder(tools: Maker, voice: string, music: string): Promise<string> {
  const file = path.join(tools.workDir, 'voice-over-music.wav')
  const level = (input: string, lufs: number) =>
    `[${input}]aresample=48000,aformat=channel_layouts=mono,loudnorm=I=${lufs}:TP=-2`
  const graph = `${level('0:a', -18)}[voice];${level('1:a', -30)}[music];[voice][music]amix=duration=first:normalize=0`
  await ffmpeg(tools, ['-i', voice, '-stream_loop', '-1', '-i', music, '-filter_complex', graph, '-ar', '16000', file])
  return file
}

/** An hour of speech: a real recording, again and again. */
export async function makeHourOfTalk(tools: Maker): Promise<string> {
  const file = path.join(tools.workDir, 'hour.wav')
  const speech = path.join(tools.root, 'test', 'fixtures', 'speech.wav')
  await ffmpeg(tools, ['-stream_loop', '-1', '-i', speech, '-t', '3600', '-ar', '16000', file])
  return file
}

/** Thirty minutes of music, crowds, applause, laughter and noise, one after the other. */
export async function makeWithoutSpeech(tools: Maker, music: readonly string[]) {
  const [crowds, claps, human] = await Promise.all([
    fetchRecordings('etw-data', tools.workDir).then((folder) =>
      filesBelow(folder, /crowd.*\.wav$|\/(?:ole|cheer).*\.wav$/i),
    ),
    fetchRecordings('circuslinux-data', tools.workDir).then((folder) =>
      filesBelow(folder, /(?:applause|cheering)[^/]*\.wav$/i),
    ),
    fetchRecordings('scratch', tools.workDir).then((folder) => filesBelow(folder, /Laugh-[^/]*\.(?:wav|mp3)$/)),
  ])
  const wanted = [
    { what: 'music', minutes: 12, files: music },
    { what: 'crowds', minutes: 4, files: crowds },
    { what: 'applause and cheers', minutes: 4, files: claps },
    { what: 'laughter', minutes: 4, files: human },
    ...['white', 'pink', 'brown'].map((color) => ({ what: `${color} noise`, minutes: 2, files: [] })),
  ]
  const made: string[] = []
  for (const [index, { what, minutes, files }] of wanted.entries()) {
    const file = path.join(tools.workDir, `without-speech-${index}.wav`)
    const noise = ['-f', 'lavfi', '-i', `anoisesrc=color=${what.split(' ')[0]}:amplitude=0.3:sample_rate=16000`]
    const inputs = files.flatMap((each) => ['-i', each])
    const joined = `${files.map((_, at) => `[${at}:a]aresample=16000,aformat=channel_layouts=mono[${at}x];`).join('')}${files.map((_, at) => `[${at}x]`).join('')}concat=n=${files.length}:v=0:a=1`
    const loop = 'aloop=loop=-1:size=2147483647'
    const sound = files.length > 0 ? [...inputs, '-filter_complex', `${joined},${loop}`] : noise
    await ffmpeg(tools, [...sound, '-t', String(minutes * 60), '-ac', '1', '-ar', '16000', file])
    made.push(file)
  }
  const file = path.join(tools.workDir, 'without-speech.wav')
  const all = made.map((_, at) => `[${at}:a]`).join('')
  await ffmpeg(tools, [
    ...made.flatMap((each) => ['-i', each]),
    '-filter_complex',
    `${all}concat=n=${made.length}:v=0:a=1`,
    file,
  ])
  const parts = wanted.map(({ what }, at) => ({
    what,
    start: wanted.slice(0, at).reduce((sum, each) => sum + each.minutes * 60, 0),
  }))
  return { file, parts, minutes: wanted.reduce((sum, { minutes }) => sum + minutes, 0) }
}
