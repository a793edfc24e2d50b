import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { addWatchCommand } from '../../clients/typescript/src/cli/watch-command.ts'
import { type Answer, runCommand, serveCommands } from './commands.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'watch-'))
  await mkdir(path.join(folder, 'watched'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const refusal = (status: number, code: string): Answer => [
  status,
  { error: { code, message: `It is ${code}. Raise max_price_usd.` } },
]
const begun: Answer = [202, { run: { id: 'run_1', status: 'queued' } }]
/** The watch ends with it. */
const suspended = refusal(403, 'account_suspended')

const sent = z.object({ filename: z.string().optional(), media_url: z.string().optional() })

/**
 * A service whose starts of runs have these answers in turn, and whose run finds nothing. Returns the names of what was uploaded, and
 * the media that runs were to read.
 */
async function serve(...starts: readonly Answer[]) {
  const uploads: string[] = []
  const media: string[] = []
  const url = await serveCommands((call, body) => {
    if (call === 'POST /v1/uploads/presign') {
      const { filename = '' } = sent.parse(JSON.parse(body))
      if (filename === 'large.wav') return refusal(413, 'payload_too_large')
      uploads.push(filename)
      return [200, { upload: { id: `upl_${uploads.length}`, upload_url: `${url}/put`, upload_headers: {} } }]
    }
    const [, id] = /^GET \/v1\/uploads\/(\w+)$/.exec(call) ?? []
    if (id !== undefined) return [200, { upload: { id, media_url: `https://media.example/${id}` } }]
    if (call.startsWith('POST /v1/workflows/')) {
      media.push(sent.parse(JSON.parse(body)).media_url ?? '')
      return starts[media.length - 1] ?? suspended
    }
    if (call === 'GET /file') return [200, 'made']
    if (call === 'GET /v1/workflow-runs/run_1') return [200, { run: { id: 'run_1', status: 'failed', ...ends } }]
    return [200, { runs: known }]
  })
  const known: object[] = []
  const ends: Record<string, unknown> = { error: { code: 'nothing_found', message: 'Nothing was cut.' } }
  vi.stubEnv('XDG_STATE_HOME', path.join(folder, 'state'))
  return { uploads, media, known, ends, url }
}

/** A file that has not changed for a while, the later the newer. */
async function put(name: string, later = 0): Promise<void> {
  const file = path.join(folder, 'watched', name)
  await writeFile(file, 'sound')
  const seconds = Date.now() / 1000 - 60 + later
  await utimes(file, seconds, seconds)
}

/** Watches until a refusal ends it, and returns what it said. */
async function watch(options: readonly string[], onNote?: (note: string) => void) {
  const usual = ['--run', 'remove-dead-space', '--max-price', '0.10']
  const words = ['watch', path.join(folder, 'watched'), ...usual, ...options]
  const { error, ...said } = await runCommand(addWatchCommand, words, onNote)
  expect(error).toMatchObject({ code: expect.any(String), status: expect.any(Number) })
  return said
}

it('a run that was refused starts again without another upload, and one that finds nothing has not failed', async () => {
  const { uploads, media } = await serve(refusal(402, 'spend_cap_reached'), begun, suspended)
  await put('a.wav')
  expect((await watch(['--existing'])).notes).toContain('start the same command again')
  await put('b.wav', 1)
  const { lines, notes } = await watch([])
  expect(lines).toBe('a.wav\tnothing found\tNothing was cut.\n')
  expect(notes).toContain('a.wav: run_1 has begun.')
  expect(uploads).toEqual(['a.wav', 'b.wav'])
  expect(media).toEqual(['upl_1', 'upl_1', 'upl_2'].map((id) => `https://media.example/${id}`))
})

it('a file that costs too much holds up no other, and is tried again by the next start', async () => {
  const { uploads, media } = await serve(refusal(402, 'price_limit_reached'), suspended, suspended)
  await put('a.wav')
  await put('b.wav', 1)
  const { lines } = await watch(['--existing', '--max-price', '0.01'])
  expect(lines).toBe('a.wav\trefused\tIt is price_limit_reached. Raise --max-price.\n')
  await watch(['--max-price', '1'])
  expect(uploads).toEqual(['a.wav', 'b.wav'])
  expect(media).toEqual(['upl_1', 'upl_2', 'upl_1'].map((id) => `https://media.example/${id}`))
})

it('a file whose upload was deleted meanwhile is uploaded again', async () => {
  const { uploads } = await serve(refusal(402, 'spend_cap_reached'), refusal(404, 'not_found'), suspended)
  await put('a.wav')
  await watch(['--existing'])
  await watch([])
  expect(uploads).toEqual(['a.wav', 'a.wav'])
})

it('files that were there before are left alone, which it says, until --existing takes them', async () => {
  const { uploads } = await serve(suspended)
  await put('a.wav')
  const { notes } = await watch([], (note) => {
    if (note.startsWith('Waiting')) void put('b.wav', 1)
  })
  expect(notes).toContain('left alone: 1. With --existing')
  expect(uploads).toEqual(['b.wav'])
  await watch(['--existing'])
  expect(uploads).toEqual(['b.wav', 'a.wav'])
})

it('a file that is larger than the service takes is refused, and holds up no other', async () => {
  const { uploads } = await serve(suspended)
  await put('large.wav')
  await put('b.wav', 1)
  expect((await watch(['--existing'])).lines).toBe('large.wav\trefused\tIt is payload_too_large. Raise --max-price.\n')
  expect(uploads).toEqual(['b.wav'])
})

it('a run that its limit ended is started again with a higher limit by the next start', async () => {
  const { media, known, ends } = await serve(begun, suspended, suspended, suspended)
  ends['error'] = { code: 'price_limit_reached', message: 'It can cost more than max_price_usd.' }
  await put('a.wav')
  await put('b.wav', 1)
  expect((await watch(['--existing'])).lines).toBe('a.wav\tfailed\tIt can cost more than --max-price.\n')
  known.push({ id: 'run_1', status: 'failed', error: ends['error'], price_limit_usd: 0.1 })
  await rm(path.join(folder, 'watched', 'b.wav'))
  expect((await watch(['--max-price', '0.2'])).lines).toBe('')
  expect(media).toEqual(['upl_1', 'upl_2', 'upl_1'].map((id) => `https://media.example/${id}`))
})

it('a file that is gone before its turn holds up no other', async () => {
  const { uploads } = await serve(begun, suspended)
  for (const [later, name] of ['a.wav', 'b.wav', 'c.wav'].entries()) await put(name, later)
  const { notes } = await watch(['--existing'], (note) => {
    if (note.includes('run_1 has begun')) rmSync(path.join(folder, 'watched', 'b.wav'))
  })
  expect(notes).toContain('b.wav is there no more.')
  expect(uploads).toEqual(['a.wav', 'c.wav'])
})

it('what it makes replaces no file, and leaves the parts of others alone', async () => {
  const { ends, url } = await serve(begun, suspended)
  delete ends['error']
  Object.assign(ends, { status: 'completed', result: { outputs: [{ name: 'a.mp4', url: `${url}/file` }] } })
  await put('a.wav')
  await put('b.wav', 1)
  const place = path.join(folder, 'made', 'a.wav')
  await mkdir(place, { recursive: true })
  for (const name of ['a.mp4', 'a.mp4.part', 'a-2.mp4.part']) await writeFile(path.join(place, name), 'mine')
  await watch(['--existing', '-o', path.join(folder, 'made')])
  const names = ['a-2.mp4', 'a-2.mp4.part', 'a.mp4', 'a.mp4.part']
  expect((await readdir(place)).toSorted()).toEqual(names)
  const read = names.map((name) => readFile(path.join(place, name), 'utf8'))
  expect(await Promise.all(read)).toEqual(['made', 'mine', 'mine', 'mine'])
})

it('a wrong key is refused before anything is watched', async () => {
  await serveCommands(() => refusal(401, 'invalid_api_key'))
  expect((await watch([])).notes).toBe('')
})
