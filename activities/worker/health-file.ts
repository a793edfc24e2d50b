import { rmSync, writeFileSync } from 'node:fs'

const everyMilliseconds = 10_000

/**
 * Touches a file regularly, so that a container's health check sees that the worker's event loop runs. Continues while Temporal
 * is unavailable, because a restart would not help, and pauses while no tool can be started. The file contains how ffmpeg is
 * confined. Returns a function that stops this and deletes the file.
 */
export function startHealthFile(file: string | undefined, confinement: () => string): () => void {
  if (file === undefined) return () => {}
  const touch = () => {
    const level = confinement()
    if (level === 'down') return
    try {
      writeFileSync(file, `confinement: ${level}\n`)
    } catch {
      // A failed touch shows in the file's age.
    }
  }
  touch()
  const timer = setInterval(touch, everyMilliseconds)
  return () => {
    clearInterval(timer)
    rmSync(file, { force: true })
  }
}
