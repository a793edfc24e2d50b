import type { KeptUpload, KeptUploads } from './kept-uploads.ts'
import { type Register, sendFile } from './send-file.ts'

/** A file that this page sends, or has sent. */
export interface SentFile {
  /** By which it is known again when it is chosen later. */
  readonly key: string
  readonly file: File
  readonly uploadId: string | undefined
  readonly sentBytes: number
  readonly state: 'sending' | 'paused' | 'sent' | 'failed'
  readonly error: unknown
}

interface Uploads {
  readonly files: readonly SentFile[]
  /** What earlier pages began to send. */
  readonly unfinished: readonly KeptUpload[]
}

export interface UploadStore {
  readonly subscribe: (onChange: () => void) => () => void
  readonly read: () => Uploads
  /** Resolves with the id of the upload, before its bytes are sent. A file whose upload is unfinished goes on. */
  readonly send: (file: File) => Promise<string>
  readonly pause: (key: string) => void
  readonly resume: (key: string) => void
  /** Ends an upload, and forgets it. */
  readonly remove: (key: string) => void
  /** The file of an upload that this page sent: it plays without a download. */
  readonly fileOf: (uploadId: string) => SentFile | undefined
}

interface Options {
  readonly kept: KeptUploads
  readonly register: Register
  readonly onSent: () => void
  /** Takes back an upload whose bytes will not arrive. */
  readonly discard: (uploadId: string) => void
}

/** Sends files one after another while a person moves between pages. */
export function createUploadStore({ kept, register, onSent, discard }: Options): UploadStore {
  let uploads: Uploads = { files: [], unfinished: kept.list() }
  let turn: Promise<unknown> = Promise.resolve()
  const listeners = new Set<() => void>()
  const running = new Map<string, AbortController>()

  const replace = (files: readonly SentFile[]) => {
    uploads = { files, unfinished: kept.list().filter(({ key }) => !files.some((file) => file.key === key)) }
    for (const listener of listeners) listener()
  }
  const find = (key: string) => uploads.files.find((each) => each.key === key)
  const change = (key: string, fields: Partial<SentFile>) =>
    replace(uploads.files.map((each) => (each.key === key ? { ...each, ...fields } : each)))

  const start = (key: string, onRegistered: (uploadId: string) => void, onFailed: (cause: unknown) => void) => {
    const controller = new AbortController()
    running.set(key, controller)
    const { signal } = controller
    const run = async () => {
      const file = find(key)?.file
      if (!file || signal.aborted) return
      let session = kept.find(file)
      await sendFile(file, {
        session,
        register,
        onSession: (opened) => {
          session = opened
          kept.keep(file, opened, 0)
          change(key, { uploadId: opened.id })
          onRegistered(opened.id)
        },
        onProgress: (sentBytes, isKept) => {
          if (isKept && session) kept.keep(file, session, sentBytes)
          change(key, { sentBytes })
        },
        signal,
      })
      kept.forget(key)
      change(key, { state: 'sent', sentBytes: file.size })
      onSent()
    }
    turn = turn.then(run).catch((cause: unknown) => {
      if (!signal.aborted) change(key, { state: 'failed', error: cause })
      onFailed(cause)
    })
  }
  const resume = (key: string) => {
    change(key, { state: 'sending', error: undefined })
    start(
      key,
      () => {},
      () => {},
    )
  }
  const pause = (key: string) => {
    running.get(key)?.abort()
    change(key, { state: 'paused' })
  }

  return {
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    read: () => uploads,
    send: (file) =>
      new Promise((resolve, reject) => {
        const key = kept.keyOf(file)
        running.get(key)?.abort()
        const others = uploads.files.filter((each) => each.key !== key)
        replace([...others, { key, file, uploadId: undefined, sentBytes: 0, state: 'sending', error: undefined }])
        start(key, resolve, (cause) => reject(new Error('the upload failed', { cause })))
      }),
    pause,
    resume,
    remove: (key) => {
      running.get(key)?.abort()
      const uploadId = find(key)?.uploadId ?? uploads.unfinished.find((each) => each.key === key)?.session.id
      kept.forget(key)
      replace(uploads.files.filter((each) => each.key !== key))
      if (uploadId) discard(uploadId)
    },
    fileOf: (uploadId) => uploads.files.find((each) => each.uploadId === uploadId),
  }
}
