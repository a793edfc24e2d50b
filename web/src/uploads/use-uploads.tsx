import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../api/client.ts'
import { sessionQuery } from '../api/queries.ts'
import { createKeptUploads } from './kept-uploads.ts'
import { registerUpload } from './register-upload.ts'
import { UploadStoreProvider } from './upload-context.ts'
import { createUploadStore } from './upload-store.ts'

/** Keeps what is sent while its children change. */
export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient()
  const [store] = useState(() => {
    const readAgain = () => void queryClient.invalidateQueries({ queryKey: ['uploads'] })
    const userId = queryClient.getQueryData(sessionQuery.queryKey)?.user.id ?? ''
    return createUploadStore({
      kept: createKeptUploads(localStorage, userId),
      register: registerUpload,
      onSent: readAgain,
      // One that stays is deleted with its session, after a week.
      discard: (id) =>
        void api.DELETE('/v1/uploads/{upload_id}', { params: { path: { upload_id: id } } }).then(readAgain, readAgain),
    })
  })
  return <UploadStoreProvider value={store}>{children}</UploadStoreProvider>
}
