import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readEvents, type StoredEvent, writeEvents } from './stored-history.ts'

// One folder for each release whose runs may still be open, with the paths that are new or decide otherwise since the one before.

const folder = path.join(import.meta.dirname, 'histories')

/** Every stored history as `<release>/<path>`, releases in order. */
export function listHistories(): string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const files = entries.filter((entry) => entry.endsWith('.json'))
  return files
    .map((file) => file.replace(/\.json$/, ''))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

export function readHistory(name: string): StoredEvent[] {
  return readEvents(readFileSync(fileOf(name), 'utf8'))
}

/** The latest recording of a path, as `<release>/<path>`. */
export function latestHistory(pathName: string): string | undefined {
  return listHistories().findLast((name) => path.basename(name) === pathName)
}

export function writeHistory(name: string, events: readonly StoredEvent[]): void {
  mkdirSync(path.dirname(fileOf(name)), { recursive: true })
  writeFileSync(fileOf(name), writeEvents(events))
}

function fileOf(name: string): string {
  return path.join(folder, `${name}.json`)
}
