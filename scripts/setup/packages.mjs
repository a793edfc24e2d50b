import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { lock } from './lock.mjs'

/** Plain JavaScript, because it runs before packages are installed. Runs `npm ci` if node_modules differs from the lock file. */
export async function installPackages(root, say) {
  if (isInstalled(root)) return
  const release = await lock(path.join(root, '.tools', 'setup.lock'), (holder) => {
    say(`waiting for the set-up of process ${holder}`)
  })
  try {
    if (isInstalled(root)) return
    say('installing the packages of package-lock.json with npm ci')
    await npmCi(root)
  } finally {
    release()
  }
}

/** npm writes node_modules/.package-lock.json last, so it is missing after an interrupted install. */
function isInstalled(root) {
  const installed = packagesOf(path.join(root, 'node_modules', '.package-lock.json'))
  if (!installed) return false
  return Object.entries(packagesOf(path.join(root, 'package-lock.json')) ?? {}).every(
    ([folder, { version, optional, devOptional }]) =>
      folder === '' || optional || devOptional || installed[folder]?.version === version,
  )
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** npm sets its own path in the environment of its scripts. */
export function npmCommand(args) {
  const npm = process.env.npm_execpath
  return npm?.endsWith('npm-cli.js') ? [process.execPath, npm, ...args] : ['npm', ...args]
}

function npmCi(root) {
  const [file, ...rest] = npmCommand(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  // Standard output is for the command's result.
  const child = spawn(file, rest, { cwd: root, stdio: ['ignore', 2, 2], detached: true })
  const endChild = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
  process.once('exit', endChild)
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`npm cannot be run: ${error.message}`)))
    child.once('close', (code, signal) => {
      process.off('exit', endChild)
      if (code === 0) resolve()
      else reject(new Error(`npm ci ended with ${signal ?? `code ${code}`}: see above`))
    })
  })
}
