import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { jsonOf } from '../api/client.ts'
import { Failure, Problem } from '../components/failure.tsx'
import { bytesInWords, minuteOf } from '../components/format.ts'
import { ProductMark } from '../layout/product-mark.tsx'
import { FileDrop } from './file-drop.tsx'
import { createKeptUploads } from './kept-uploads.ts'
import type { Register } from './send-file.ts'
import { UploadStoreProvider, useUploads } from './upload-context.ts'
import { UploadControls } from './upload-controls.tsx'
import { createUploadStore } from './upload-store.ts'

const wantedBody = z.object({
  upload: z.object({ name: z.string(), max_bytes: z.number(), expires_at: z.string() }),
})
const sessionBody = z.object({
  upload: z.object({ upload_url: z.string(), upload_headers: z.record(z.string(), z.string()) }),
})

type Wanted = z.output<typeof wantedBody>['upload']

/** The page of a link on which somebody sends the one file that a program or an assistant asked for. */
export function UploadPage({ token }: { readonly token: string }) {
  const [store] = useState(() =>
    createUploadStore({
      kept: createKeptUploads(localStorage, `link ${token}`),
      register: registerBy(token),
      onSent: () => {},
      // Another file takes its place, or none does.
      discard: () => {},
    }),
  )
  const [wanted, setWanted] = useState<Wanted>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    document.title = 'Upload a file · Media Timeline'
    const read = async () => wantedBody.parse(await jsonOf(fetch(`/u/${token}.json`, { credentials: 'omit' }))).upload
    read().then(setWanted, setError)
  }, [token])
  return (
    <UploadStoreProvider value={store}>
      <div className="mx-auto flex min-h-dvh w-full max-w-xl flex-col gap-8 px-4 py-8 text-sm sm:py-16">
        <header>
          <ProductMark />
        </header>
        <main className="flex flex-col gap-5 rounded-xl border border-line bg-surface p-5 sm:p-8">
          <h1 className="text-xl/7 font-semibold">Upload a file</h1>
          <Failure error={error} />
          {wanted && <Sending wanted={wanted} />}
          {!wanted && !error && <p role="status">Loading…</p>}
        </main>
      </div>
    </UploadStoreProvider>
  )
}

function registerBy(token: string): Register {
  return async ({ size }, signal) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ bytes: size })
    const sent = fetch(`/u/${token}/session`, { method: 'POST', credentials: 'omit', headers, body, signal })
    // The page has no use for the id and the media_url.
    return { id: '', media_url: '', ...sessionBody.parse(await jsonOf(sent)).upload }
  }
}

function Sending({ wanted: { name, max_bytes: maxBytes, expires_at: expiresAt } }: { readonly wanted: Wanted }) {
  const { store, files, unfinished } = useUploads()
  const [problem, setProblem] = useState<string>()
  const [sent] = files
  const take = ([file]: readonly File[]) => {
    if (!file) return
    if (file.size === 0 || file.size > maxBytes) {
      const limit = file.size === 0 ? 'is empty' : `has ${bytesInWords(file.size)}, more than ${bytesInWords(maxBytes)}`
      setProblem(`${file.name} ${limit}. Choose another file.`)
      return
    }
    setProblem(undefined)
    // A failure stands beside the file.
    store.send(file).catch(() => {})
  }
  if (sent?.state === 'sent')
    return (
      <p role="status">
        <strong>{sent.file.name}</strong> has arrived. You can close this page.
      </p>
    )
  return (
    <>
      <p>
        A program or an assistant that somebody uses asks for <strong className="break-words">{name}</strong>, of at
        most {bytesInWords(maxBytes)}. Send it only if you got this link from somebody you trust. It takes one file,
        until {minuteOf(expiresAt)}.
      </p>
      {problem && <Problem>{problem}</Problem>}
      {sent ? (
        <div className="flex flex-col gap-2">
          <p className="truncate font-medium">{sent.file.name}</p>
          <UploadControls sent={sent} />
        </div>
      ) : (
        <FileDrop
          onFiles={take}
          accept="audio/*,video/*,image/*,.mkv,.mka,.amr,.opus"
          drop="Drop the file here."
          label="The file"
        >
          {unfinished[0]
            ? `Choose ${unfinished[0].name} again to go on with its upload.`
            : 'It goes to the account that asks.'}
        </FileDrop>
      )}
    </>
  )
}
