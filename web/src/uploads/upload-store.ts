import { sendFile } from './send-file.ts'

/** A file that this page sends, or has sent. */
export interface SentFile {
  /** Of the page's own list. */
  readonly key: number
  readonly file: File
  readonly uploadId: string | undefined
  readonly sentBytes: number
  readonly state: 'sending' | 'sent' | 'failed'
  readonly error: unknown
}

export interface UploadStore {
  readonly subscribe: (onChange: () => void) => () => void
  readonly list: () => readonly SentFile[]
  /** Resolves with the id of the upload, before its bytes are sent. */
  readonly send: (file: File) => Promise<string>
  readonly remove: (key: number) => void
  /** The file of an upload that this page sent: it plays without a download. */
  readonly fileOf: (uploadId: string) => SentFile | undefined
}

/** Sends files one after another while a person moves between pages. */
export function createUploadStore(onSent: () => void): UploadStore {
  let list: readonly SentFile[] = []
  let lastKey = 0
  let turn: Promise<unknown> = Promise.resolve()
  const listeners = new Set<() => void>()
  const controllers = new Map<number, AbortController>()

  const replace = (next: readonly SentFile[]) => {
    list = next
    for (const listener of listeners) listener()
  }
  const change = (key: number, fields: Partial<SentFile>) =>
    replace(list.map((each) => (each.key === key ? { ...each, ...fields } : each)))

  const send = (file: File) =>
    new Promise<string>((resolve, reject) => {
      lastKey += 1
      const key = lastKey
      const controller = new AbortController()
      controllers.set(key, controller)
      replace([...list, { key, file, uploadId: undefined, sentBytes: 0, state: 'sending', error: undefined }])
      const start = () =>
        sendFile(file, {
          onRegistered: ({ id }) => {
            change(key, { uploadId: id })
            resolve(id)
          },
          onProgress: (sentBytes) => change(key, { sentBytes }),
          signal: controller.signal,
        })
      turn = turn.then(start).then(
        () => {
          change(key, { state: 'sent', sentBytes: file.size })
          onSent()
        },
        (cause: unknown) => {
          change(key, { state: 'failed', error: cause })
          reject(new Error('the upload failed', { cause }))
        },
      )
    })

  return {
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    list: () => list,
    send,
    remove: (key) => {
      controllers.get(key)?.abort()
      controllers.delete(key)
      replace(list.filter((each) => each.key !== key))
    },
    fileOf: (uploadId) => list.find((each) => each.uploadId === uploadId),
  }
}
