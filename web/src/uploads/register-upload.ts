import { api, resultOf } from '../api/client.ts'
import { type Register, sendFile } from './send-file.ts'

/** Opens an upload of the signed-in account. */
export const registerUpload: Register = async (file, signal) => {
  // Browsers take a type that is not of media from some names, such as from .ts.
  const type = /^(audio|video|image)\//.test(file.type) ? { content_type: file.type } : {}
  const body = { filename: file.name, bytes: file.size, resumable: true, ...type }
  return (await resultOf(api.POST('/v1/uploads/presign', { body, signal }))).upload
}

/** Sends a small file while its form waits. Resolves with the id of its upload. */
export async function sendSmallFile(file: File): Promise<string> {
  let id = ''
  await sendFile(file, {
    register: registerUpload,
    session: undefined,
    onSession: (session) => {
      id = session.id
    },
    onProgress: () => {},
    signal: new AbortController().signal,
  })
  return id
}
