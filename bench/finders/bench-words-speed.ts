import { loadavg } from 'node:os'
import path from 'node:path'
import type { Context } from '../../scripts/main.ts'
import { transcribeTrack } from '../../src/media/speech/transcribe-track.ts'
import { timed } from '../timed.ts'
import { type FinderTools, wholeTrack, withFinderTools } from './finder-tools.ts'
import { makeHourOfTalk } from './make-sound.ts'
import { resultRows } from './result-rows.ts'

/** Measures how long the transcript takes: of a recording on one core, and of an hour of it on two. */
export async function benchWordsSpeed(context: Context, machine: string): Promise<string> {
  const load = (loadavg()[0] ?? 0).toFixed(0)
  return withFinderTools(context, 2, async (tools) => {
    const recording = path.join(tools.root, 'test', 'fixtures', 'speech.wav')
    // The first one loads the models.
    await transcriptMs(tools, recording, 1)
    const { seconds, ms } = await transcriptMs(tools, recording, 1)
    tools.say('an hour of talk')
    const hour = await transcriptMs(tools, await makeHourOfTalk(tools), 2)
    const rows = [
      [
        'seconds of speech a second, on one core',
        `${((seconds * 1_000) / ms).toFixed(1)} ×`,
        '≥ 12 ×',
        seconds * 1_000 >= 12 * ms,
      ],
      ['an hour of talk on two cores', `${(hour.ms / 60_000).toFixed(1)} min`, '≤ 4 min', hour.ms <= 240_000],
    ] as const
    return `## Speed of words

Written by \`npm run bench:finders -- words-speed\`. ${machine}; load average ${load} before it.

The talk is 73 s of a recording, again and again; decoding, the search for speech, words and their times.

${resultRows(rows)}
`
  })
}

async function transcriptMs(tools: FinderTools, file: string, cores: number) {
  const track = await wholeTrack(tools, file, cores)
  return { seconds: track.window.end, ms: await timed(() => transcribeTrack(track)) }
}
