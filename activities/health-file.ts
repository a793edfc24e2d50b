import { rm, writeFile } from 'node:fs/promises'

const everyMilliseconds = 10_000

/**
 * Keeps a file fresh until `stop`, which deletes it: a container's health check sees a worker whose event loop turns.
 * Temporal out of reach changes nothing, because a restart would not help.
 */
export function keepHealthFile(file: string | undefined): { stop(): Promise<void> } {
  if (file === undefined) return { stop: async () => {} }
  // A disk that is full for a moment shows in the file's age.
  const touch = () => writeFile(file, '').catch(() => {})
  let touching = touch()
  const timer = setInterval(() => {
    touching = touching.then(touch)
  }, everyMilliseconds)
  return {
    stop: async () => {
      clearInterval(timer)
      await touching
      await rm(file, { force: true })
    },
  }
}
