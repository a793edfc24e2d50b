import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { addAccountCommands } from '../../clients/typescript/src/cli/account-commands.ts'
import { runCommand, serveCommands } from './commands.ts'

const span = { start: 0, end: 1 }

/** A service with one job, whose export is `rows`. */
const serve = (endpoint: string, result: object) =>
  serveCommands((call) =>
    call.endsWith('/export') ? [200, 'rows\n'] : [200, { job: { id: 'job_1', endpoint, result } }],
  )
const exported = (...words: readonly string[]) => runCommand(addAccountCommands, ['export', 'job_1', ...words])

it('an export says which list it has, and how to get the silences in place of the sound between them', async () => {
  await serve('audio/detect-silence', { segments: [span], silences: [span] })
  const note = 'Each entry is a sound, of the list segments. For another list: --list silences.\n'
  expect(await exported('--as', 'csv')).toEqual({ lines: 'rows\n', notes: note, error: undefined })
  const folder = await mkdtemp(path.join(tmpdir(), 'export-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'silences.csv')
  expect(await exported('--as', 'csv', '-o', file)).toEqual({ lines: `${file}\n`, notes: note, error: undefined })
  expect(await readFile(file, 'utf8')).toBe('rows\n')
})

it.each([
  ['a list that was asked for', 'audio/detect-silence', { segments: [span], silences: [span] }, ['--list', 'silences']],
  ['the only list with entries', 'audio/detect-silence', { segments: [], silences: [span] }, []],
  ['lists of the same', 'audio/semantic-chunks', { segments: [span], chunks: [span] }, []],
])('an export says nothing of %s', async (_, endpoint, result, options) => {
  await serve(endpoint, result)
  expect(await exported('--as', 'csv', ...options)).toEqual({ lines: 'rows\n', notes: '', error: undefined })
})

it('an export names the lists of a transcript', async () => {
  await serve('audio/find-words', { matches: [], segments: [], transcript: { sentences: [span], words: [span] } })
  expect((await exported('--as', 'csv')).notes).toBe(
    'Each entry is a sentence, of the list sentences. For another list: --list words.\n',
  )
})

it('an export says what its program will not show', async () => {
  await serveCommands((call) =>
    call.endsWith('/export')
      ? [200, '0:00 Start\n', { 'x-export-warning': 'This list has 1.' }]
      : [200, { job: { id: 'job_1', endpoint: 'audio/semantic-chunks', result: { segments: [span] } } }],
  )
  expect(await exported('--as', 'chapters')).toEqual({
    ...{ lines: '0:00 Start\n', notes: 'Warning: This list has 1.\n', error: undefined },
  })
})

it('an export replaces no file unless it is forced', async () => {
  await serve('audio/detect-silence', { segments: [span] })
  const folder = await mkdtemp(path.join(tmpdir(), 'export-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'edited.csv')
  await writeFile(file, 'mine')
  expect((await exported('--as', 'csv', '-o', file)).error).toMatchObject({
    message: expect.stringContaining('--force'),
  })
  expect(await readFile(file, 'utf8')).toBe('mine')
  await exported('--as', 'csv', '-o', file, '--force')
  expect(await readFile(file, 'utf8')).toBe('rows\n')
})

it('help says which editors read which format, and what the rate is when it is left out', async () => {
  const { lines } = await exported('--help')
  expect(lines).toMatch(/^ {2}xmeml +Premiere Pro, DaVinci Resolve$/m)
  expect(lines.replaceAll(/\s+/g, ' ')).toContain('When left out, that of the picture')
})
