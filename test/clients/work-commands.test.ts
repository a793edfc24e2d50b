import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { addBatchCommands } from '../../clients/typescript/src/cli/batch-commands.ts'
import { addWorkCommands } from '../../clients/typescript/src/cli/work-commands.ts'
import { type Answer, runCommand, serveCommands } from './commands.ts'

const media = 'https://media.example/talk.mp4'

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'work-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A service that ends every job and run with a result that has one file, of which the first downloads have these answers. Returns its calls. */
async function serve(result: object, name: string, files: readonly Answer[] = []) {
  const calls: string[] = []
  const left = [...files]
  const bodies: object[] = []
  const url = await serveCommands((call, body): Answer => {
    if (call === 'GET /file') return left.shift() ?? [200, 'made']
    calls.push(call)
    if (body) bodies.push(JSON.parse(body))
    const ended = { status: 'completed', warnings: [], result: { ...result, outputs: [{ name, url: `${url}/file` }] } }
    if (call.startsWith('GET /v1/workflow-runs/')) return [200, { run: { ...ended, id: 'run_1' } }]
    if (call.endsWith('/items'))
      return [200, { items: ['run_1', 'run_2'].map((run_id) => ({ status: 'completed', run_id })) }]
    const batch = { ...ended, id: 'bat_1', items: { failed: 0 }, spent_usd: 0.02 }
    return [200, call.includes('/batches') ? { batch } : { job: { ...ended, id: 'job_1' } }]
  })
  return { calls, bodies }
}

it('no file is replaced unless it is forced, and what would be is refused before anything is run', async () => {
  const { calls } = await serve({ matches: [] }, 'talk.srt')
  const file = path.join(await emptyFolder(), 'mine.srt')
  await writeFile(file, 'mine')
  const words = ['words', media, '-o', file]
  const message = `${file} is there already. Choose another name, or replace it with --force.`
  expect((await runCommand(addWorkCommands, words)).error).toMatchObject({ message })
  expect([calls, await readFile(file, 'utf8')]).toEqual([[], 'mine'])
  expect((await runCommand(addWorkCommands, [...words, '--force'])).lines).toBe(`${file}\n`)
  expect(await readFile(file, 'utf8')).toBe('made')
})

it('in a folder, a file with the name of another gets a number', async () => {
  await serve({ matches: [] }, 'talk.srt')
  const folder = await emptyFolder()
  for (let time = 0; time < 3; time += 1) await runCommand(addWorkCommands, ['words', media, '-o', folder])
  expect((await readdir(folder)).toSorted()).toEqual(['talk-2.srt', 'talk-3.srt', 'talk.srt'])
})

it('what was made is paid for: a storage that is busy is asked again, and one that stays so does not hide the result', async () => {
  const busy: Answer = [503, 'busy']
  await serve(
    { matches: [{ start: 1, end: 2, text: 'voice' }] },
    'talk.srt',
    Array.from({ length: 4 }, () => busy),
  )
  const folder = await emptyFolder()
  const lost = await runCommand(addWorkCommands, ['words', media, '-o', folder])
  expect(lost.lines).toBe('0:01.0\t0:02.0\tvoice\n')
  expect(lost.notes).toContain('job_1 cost')
  expect(lost.error).toMatchObject({ message: 'The file cannot be downloaded: the storage answered 503.' })
  await runCommand(addWorkCommands, ['words', media, '-o', folder])
  expect(await readdir(folder)).toEqual(['talk.srt'])
})

it('a batch tells which file could not be saved, and saves the others, by force too into a folder with a dot', async () => {
  await serve({}, 'talk.mp4', [[404, 'gone']])
  const folder = path.join(await emptyFolder(), 'of.v2')
  const words = ['batch', 'remove-dead-space', media, media, '--max-price', '0.10', '-o', folder, '--force']
  const { lines, error } = await runCommand(addBatchCommands, words)
  expect(lines.split('\n').slice(0, 2)).toEqual([
    'talk.mp4\tcompleted\trun_1\tThe file cannot be downloaded: the storage answered 404.',
    `talk.mp4\tcompleted\trun_2\t${path.join(folder, 'talk.mp4')}`,
  ])
  expect(error).toMatchObject({ message: expect.stringContaining('1 of 2 could not be saved') })
  await runCommand(addBatchCommands, words)
  expect((await readdir(folder)).toSorted()).toEqual(['talk-2.mp4', 'talk.mp4'])
})

it('the hits of a search are its result, also where it saves files', async () => {
  await serve({ matches: [{ start: 1, end: 2, text: 'voice' }] }, 'talk.srt')
  const file = path.join(await emptyFolder(), 'talk.srt')
  const { lines, notes } = await runCommand(addWorkCommands, ['words', media, '--queries', 'voice', '-o', file])
  expect(lines).toBe('0:01.0\t0:02.0\tvoice\n')
  expect(notes).toContain(`Saved: ${file}\n`)
})

it('the maximum price is a limit of the job too: its media may have become longer since the estimate', async () => {
  const { bodies } = await serve({ matches: [] }, 'talk.srt')
  await runCommand(addWorkCommands, ['words', media, '--max-price', '0.10'])
  const request = { endpoint: 'audio/find-words', media_url: media }
  expect(bodies).toMatchObject([request, { ...request, max_price_usd: 0.1 }])
})

it('a batch takes the settings of its chain, and saves what each of its runs made', async () => {
  const { bodies } = await serve({}, 'talk-tight.mp4')
  const folder = await emptyFolder()
  const options = ['--preset', 'tight', '--max-price', '0.10', '-o', folder]
  const { lines } = await runCommand(addBatchCommands, ['batch', 'remove-dead-space', media, media, ...options])
  expect(bodies).toEqual([
    {
      ...{ workflow_id: 'remove-dead-space', media_urls: [media, media], max_price_usd: 0.1, cap_usd: 0.2 },
      settings: { 'timeline/suggest-ranges': { preset: 'tight' } },
    },
  ])
  const saved = ['talk-tight.mp4', 'talk-tight-2.mp4'].map((name) => path.join(folder, name))
  expect(lines).toBe(saved.map((file, index) => `talk.mp4\tcompleted\trun_${index + 1}\t${file}\n`).join(''))
})

it('a clip has the format of the file that is to be saved, and another ending is refused before anything is run', async () => {
  const { calls, bodies } = await serve({}, 'talk.wav')
  const folder = await emptyFolder()
  const cut = (...words: string[]) => runCommand(addWorkCommands, ['cut', media, ...words])
  expect((await cut('-o', path.join(folder, 'a.foo'))).error).toMatchObject({
    message: expect.stringContaining('a clip cannot be foo. Choose one of mp4, mov'),
  })
  expect(calls).toEqual([])
  await mkdir(path.join(folder, 'of.clips'))
  const outputs = ['a.WAV', 'of.clips', 'none']
  for (const output of outputs) await cut('-o', path.join(folder, output))
  expect(await readdir(path.join(folder, 'of.clips'))).toEqual(['talk.wav'])
  await cut('-o', path.join(folder, 'b.wav'), '--format', 'mp3')
  expect(bodies.map((body) => z.looseObject({ settings: z.unknown() }).parse(body).settings)).toEqual([
    { format: 'wav' },
    {},
    {},
    { format: 'mp3' },
  ])
})

it('a folder and an empty file are refused with what to do', async () => {
  const { calls } = await serve({}, 'talk.wav')
  const folder = await emptyFolder()
  const empty = path.join(folder, 'empty.wav')
  await writeFile(empty, '')
  const messages = []
  for (const given of [folder, empty]) messages.push((await runCommand(addWorkCommands, ['cut', given])).error)
  expect(messages).toMatchObject([
    { message: `${folder} is a folder. Give a file, or use "batch" or "watch" for several.` },
    { message: `${empty} is empty. Give a file with sound or picture.` },
  ])
  expect(calls).toEqual([])
})
