/**
 * Ends the processes that its parent leaves behind. The parent writes one JSON line per change:
 * `{ watch: { pid, signal, seconds, layer } }`, `{ forget: pid }`, `{ remove: folder }`. When the pipe closes, because the
 * parent has ended or was killed, the reaper stops all watched processes, the highest layer first, and deletes the folders.
 */
import { readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const watched = new Map()
const folders = []

for await (const line of createInterface({ input: process.stdin })) {
  const { watch, forget, remove } = JSON.parse(line)
  if (watch) watched.set(watch.pid, watch)
  if (forget) watched.delete(forget)
  if (remove) folders.push(remove)
}

for (const { pid, signal, seconds } of [...watched.values()].sort((a, b) => b.layer - a.layer)) {
  send(pid, signal)
  const deadline = Date.now() + seconds * 1000
  while (isRunning(pid) && Date.now() < deadline) await sleep(50)
  send(-pid, 'SIGKILL')
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

function send(pid, signal) {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

/** A zombie counts as ended: it remains if no process collects orphans. */
function isRunning(pid) {
  if (!send(pid, 0)) return false
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return process.platform !== 'linux'
  }
}
