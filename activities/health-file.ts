import { rm, writeFile } from 'node:fs/promises'

const everyMilliseconds = 10_000

/**
 * Keeps a file fresh, so that a container's health check sees a worker that runs and whose event loop turns: Temporal
 * out of reach is no reason to restart it. Gives what ends that and deletes the file.
 */
export async function keepHealthFile(file: string): Promise<() => Promise<void>> {
  const touch = () => writeFile(file, '')
  await touch()
  // A disk that is full for a moment shows in the file's age.
  const timer = setInterval(() => void touch().catch(() => {}), everyMilliseconds)
  return async () => {
    clearInterval(timer)
    await rm(file, { force: true })
  }
}
