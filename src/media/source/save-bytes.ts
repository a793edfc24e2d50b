import { open } from 'node:fs/promises'
import { onDisk } from '../../core/disk-errors.ts'

/** Writes the bytes to a new file and returns how many they are. Errors of the source pass unchanged; those of the disk are a retryable `server_error`. */
export async function saveBytes(path: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  const file = await onDisk(() => open(path, 'w'))
  try {
    let length = 0
    for await (const chunk of bytes) {
      await onDisk(() => file.writeFile(chunk))
      length += chunk.length
    }
    return length
  } finally {
    await file.close()
  }
}
