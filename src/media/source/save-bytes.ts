import { open } from 'node:fs/promises'
import { onDisk } from '../../core/disk-errors.ts'

/** Writes the bytes to a new file. Errors of the source pass unchanged; those of the disk are a retryable `server_error`. */
export async function saveBytes(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const file = await onDisk(() => open(path, 'w'))
  try {
    for await (const chunk of bytes) await onDisk(() => file.writeFile(chunk))
  } finally {
    await file.close()
  }
}
