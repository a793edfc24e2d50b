import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Segment } from '../../src/core/segments.ts'
import { compareWithPauses, type EngineBench, type EngineRun, listen } from './engine.ts'
import { asSeconds, describeFigures, type Figure } from './figures.ts'
import { inTurns } from './in-turns.ts'
import type { TalkFilm } from './talk-film.ts'

const run = promisify(execFile)

const seconds = 600
const packages = ['pydub==0.25.1', 'librosa==0.11.0']

const peerNames = ['pydub', 'librosa'] as const
type PeerName = (typeof peerNames)[number]

/** As their documentation finds silence, with our threshold and minimum: each prints its silences and its peak memory. */
const programs: Readonly<Record<PeerName, string>> = {
  pydub: `
from pydub import AudioSegment, silence
sound = AudioSegment.from_file(sys.argv[1])
found = [[a / 1000, b / 1000] for a, b in silence.detect_silence(sound, min_silence_len=500, silence_thresh=-35)]`,
  librosa: `
import librosa
samples, rate = librosa.load(sys.argv[1], sr=None)
loud = librosa.effects.split(samples, top_db=35, ref=1.0)
edges = [0, *[int(at) for pair in loud for at in pair], len(samples)]
gaps = [[edges[i] / rate, edges[i + 1] / rate] for i in range(0, len(edges), 2)]
found = [gap for gap in gaps if gap[1] - gap[0] >= 0.5]`,
}

const printed = z.object({ found: z.array(z.tuple([z.number(), z.number()])), kibibytes: z.number() })

export interface Peers {
  readonly times: Readonly<Record<PeerName | 'engine' | 'silencedetect', number>>
  readonly found: Readonly<Record<PeerName | 'engine', EngineRun>>
  readonly memoryMiB: Readonly<Record<PeerName, number>>
}

/** Ten minutes of the talk as WAV: our engine, bare ffmpeg and Python's libraries in turns, each on one recording. */
export async function measurePeers(engine: EngineBench, talk: TalkFilm, workDir: string): Promise<Peers> {
  const python = await installPeers(workDir)
  const file = path.join(workDir, 'ten-minutes.wav')
  await run(engine.ffmpegPath, ['-nostdin', '-v', 'error', '-i', talk.sound, '-t', String(seconds), file])
  const pauses = talk.pauses.filter(({ end }) => end < seconds)
  const found: Partial<Record<PeerName | 'engine', EngineRun>> = {}
  const memoryMiB = { pydub: 0, librosa: 0 }
  const peer = (name: PeerName) => async () => {
    const { silences, mebibytes } = await runPeer(python, name, file)
    found[name] = compareWithPauses(silences, pauses)
    memoryMiB[name] = Math.max(memoryMiB[name], mebibytes)
  }
  const silencedetect = ['-nostdin', '-v', 'error', '-i', file, '-af', 'silencedetect=n=-35dB:d=0.5', '-f', 'null', '-']
  const times = await inTurns(3, {
    engine: async () => {
      found.engine = await listen(engine, file, { ...talk, pauses })
    },
    silencedetect: () => run(engine.ffmpegPath, silencedetect),
    pydub: peer('pydub'),
    librosa: peer('librosa'),
  })
  const { engine: ours, pydub, librosa } = found
  if (!ours || !pydub || !librosa) throw new Error('not every library ran')
  return { times, found: { engine: ours, pydub, librosa }, memoryMiB }
}

/** Returns the Python of an environment of its own. */
async function installPeers(workDir: string): Promise<string> {
  const folder = path.join(workDir, 'peers')
  await run('python3', ['-m', 'venv', folder])
  const python = path.join(folder, 'bin', 'python')
  await run(python, ['-m', 'pip', 'install', '-q', ...packages])
  return python
}

async function runPeer(python: string, name: PeerName, file: string) {
  const report = 'print(json.dumps({"found": found, "kibibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))'
  const program = `import json, resource, sys${programs[name]}\n${report}`
  const { stdout } = await run(python, ['-c', program, file])
  const { found, kibibytes } = printed.parse(JSON.parse(stdout))
  return { silences: found.map(([start, end]): Segment => ({ start, end })), mebibytes: kibibytes / 1024 }
}

export function peersFigures({ times }: Peers): Figure[] {
  return [
    { name: 'engine : pydub', value: times.engine / times.pydub, goal: 1, unit: '×' },
    { name: 'engine : librosa', value: times.engine / times.librosa, goal: 1, unit: '×' },
  ]
}

export function describePeers({ machine, ...peers }: Peers & { readonly machine: string }): string {
  const { times, found, memoryMiB } = peers
  const row = (name: PeerName | 'engine', label: string, memory: string) =>
    `| ${label} | ${asSeconds(times[name])} s | ${found[name].found} of ${found[name].of} | ${found[name].worstMs.toFixed(1)} ms | ${memory} |`
  return `## Detection beside libraries for Python

Written by \`npm run bench:media -- peers\`. ${machine}.

Ten minutes of the talk as WAV, the same threshold and minimum, in turns; the median of three runs. The libraries' times
include the start of Python. auto-editor was left out: its package downloads its program when it runs.

![Measured against the goals](peers.svg)

${describeFigures(peersFigures(peers))}

| | time | pauses found | an edge is off by at most | peak memory |
|---|---|---|---|---|
${row('engine', 'our engine', '')}
${peerNames.map((name) => row(name, packages.find((each) => each.startsWith(name)) ?? name, `${memoryMiB[name].toFixed(0)} MiB`)).join('\n')}
| bare \`silencedetect\` | ${asSeconds(times.silencedetect)} s | | | |
`
}
