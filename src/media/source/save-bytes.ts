import { open } from 'node:fs/promises'
import { onDisk } from '../../core/disk-errors.ts'

/**
 * Writes the bytes to a new file and returns their number. Errors of the source pass unchanged; errors of the disk become a
 * retryable `server_error`.
 */
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
