import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Plain JavaScript, because the set-up takes a lock before packages are installed. lock.d.mts has the types. */
export function tryLock(file) {
  const mine = `${process.pid} ${startOf(process.pid)}`
  const draft = `${file}.${process.pid}`
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(draft, mine)
  try {
    for (;;) {
      try {
        // A link appears complete or not at all.
        linkSync(draft, file)
        return { release: () => read(file) === mine && rmSync(file, { force: true }) }
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      const held = read(file)
      if (held === undefined) continue
      const pid = Number.parseInt(held, 10)
      if (isHeld(held, pid)) return { holder: pid }
      takeAway(file, held)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

export async function lock(file, onWait) {
  for (let told = false; ; told = true) {
    const taken = tryLock(file)
    if (taken.release) return taken.release
    if (!told) onWait(taken.holder)
    await sleep(100)
  }
}

/** Removes the dead holder's lock; puts it back if another process has replaced it meanwhile. */
function takeAway(file, dead) {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
    if (read(aside) !== dead) linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function isHeld(held, pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error.code !== 'EPERM') return false
  }
  return held === `${pid} ${startOf(pid)}`
}

/** The start time of a process, which distinguishes it from a later one with the same id. Empty without /proc. */
function startOf(pid) {
  return read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')[19] ?? ''
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
