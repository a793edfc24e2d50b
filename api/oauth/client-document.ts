import { ServiceError } from '../../src/core/errors.ts'
import { parseClientDocument, type ReadClientDocument } from '../../src/core/oauth-clients.ts'
import { type SourceAccess, sendRequest } from '../../src/media/source/send-request.ts'

const maxBytes = 16 * 1024
const maxMilliseconds = 5_000

/**
 * Reads the metadata document of an approved client (draft-ietf-oauth-client-id-metadata-document) with the guarded client that reads
 * media: only public addresses, pinned. Follows no redirect. Throws `invalid_request` for anything but a small JSON document.
 */
export function clientDocumentReader(access: SourceAccess): ReadClientDocument {
  return async (url) => {
    const signal = AbortSignal.timeout(maxMilliseconds)
    try {
      const { status, body, close } = await sendRequest(url, access, { accept: 'application/json' }, signal)
      try {
        if (status !== 200) throw new Error(`status ${status}`)
        return parseClientDocument(await readText(body))
      } finally {
        close()
      }
    } catch (cause) {
      throw new ServiceError(
        'invalid_request',
        'The metadata document of the client cannot be read. Try again later.',
        {
          cause,
        },
      )
    }
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}
