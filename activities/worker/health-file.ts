import { rmSync, writeFileSync } from 'node:fs'

const everyMilliseconds = 10_000

/**
 * Keeps a file fresh, so that a container's health check sees a worker whose event loop turns; Temporal out of reach
 * changes nothing, because a restart would not help. Gives what ends that and deletes the file.
 */
export function keepHealthFile(file: string | undefined): () => void {
  if (file === undefined) return () => {}
  const touch = () => {
    try {
      writeFileSync(file, '')
    } catch {
      // A disk that is full for a moment shows in the file's age.
    }
  }
  touch()
  const timer = setInterval(touch, everyMilliseconds)
  return () => {
    clearInterval(timer)
    rmSync(file, { force: true })
  }
}
