import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '../../scripts/client.ts'
import { newDevelopmentKey } from '../../scripts/development-key.ts'
import type { Context } from '../../scripts/main.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { withStack } from '../../scripts/stack/stack.ts'
import { percentile } from '../percentile.ts'
import { timed } from '../timed.ts'
import { resultRows } from './result-rows.ts'
import { makeTextFilm } from './text-film.ts'

const rounds = 30
const goalMs = 150

/** Jobs on media whose words, topics and texts earlier jobs have stored, each with other settings. */
export async function benchAskedAgain(context: Context, machine: string): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-bench-'))
  const env = { ...noQuotas, LOG_LEVEL: 'warn', ...context.env }
  const rows: Parameters<typeof resultRows>[0][number][] = []
  try {
    await withStack({ ...context, env, dataDir }, async ({ apiUrl, databaseUrl }) => {
      const client = createClient(apiUrl, await newDevelopmentKey(databaseUrl, 'npm run bench:finders'))
      const speech = await client.upload(path.join(context.root, 'test', 'fixtures', 'speech.wav'))
      const film = await client.upload(await makeFilm(context, dataDir))
      const cases = [
        ['audio/find-words', speech, (round: number) => ({ queries: [words[round % words.length]], match: 'stem' })],
        ['audio/semantic-chunks', speech, (round: number) => ({ target_seconds: 20 + round })],
        ['video/text-frames', film, (round: number) => ({ queries: [`${round}`] })],
      ] as const
      for (const [endpoint, media_url, settingsOf] of cases) {
        const { firstMs, againMs } = await askAgain(client, { endpoint, media_url }, settingsOf)
        const [p50, p95] = [percentile(againMs, 0.5), percentile(againMs, 0.95)]
        const measured = `${Math.round(p50)} ms, p95 ${Math.round(p95)}, the first ${Math.round(firstMs)}`
        rows.push([`\`${endpoint}\`, p50`, measured, `≤ ${goalMs} ms`, p50 <= goalMs])
      }
      return 0
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
  return `## Asked again

Written by \`npm run bench:finders -- asked-again\`. ${machine}.

73 s of speech, and 30 s of a film with 15 titles: ${rounds} jobs, each with settings of its own, after one that reads the media. Each job is from
POST to the answer of \`?wait\`.

${resultRows(rows)}
`
}

const words = ['asterisk', 'telephone', 'exchange', 'server', 'network', 'press']

/** Times a first job on the media, and then jobs with other settings. */
async function askAgain(
  client: Client,
  job: { readonly endpoint: string; readonly media_url: string },
  settingsOf: (round: number) => object,
) {
  const run = (settings: object) =>
    timed(async () => {
      const { id } = await client.create({ ...job, settings })
      const { status, error } = await client.ended(id, 300)
      if (status !== 'completed') throw new Error(`${id}: ${error?.message}`)
    })
  const firstMs = await run({})
  const againMs: number[] = []
  for (let round = 0; round < rounds; round += 1) againMs.push(await run(settingsOf(round)))
  return { firstMs, againMs }
}

async function makeFilm({ root, findTools }: Context, folder: string): Promise<string> {
  const { ffmpegPath } = await findTools()
  const cues = Array.from({ length: 15 }, (_, index) => ({
    texts: [{ text: `Chapter ${index + 1}`, x: 60, y: 200, size: 40, style: 'box' as const }],
    start: 2 * index,
    end: 2 * index + 1.5,
  }))
  const background = ['-stream_loop', '-1', '-i', path.join(root, 'test', 'fixtures', 'film.mp4')]
  const file = path.join(folder, 'titles.mp4')
  await makeTextFilm({ ffmpegPath, background, width: 1280, height: 720, seconds: 30, cues }, file)
  return file
}
