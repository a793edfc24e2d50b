import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { api } from '../api/client.ts'
import { sessionQuery } from '../api/queries.ts'
import { createKeptUploads } from './kept-uploads.ts'
import { createUploadStore, type UploadStore } from './upload-store.ts'

const Context = createContext<UploadStore | undefined>(undefined)

/** Keeps what is sent while its children change. */
export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient()
  const [store] = useState(() => {
    const readAgain = () => void queryClient.invalidateQueries({ queryKey: ['uploads'] })
    const userId = queryClient.getQueryData(sessionQuery.queryKey)?.user.id ?? ''
    return createUploadStore({
      kept: createKeptUploads(localStorage, userId),
      onSent: readAgain,
      // One that stays is deleted with its session, after a week.
      discard: (id) =>
        void api.DELETE('/v1/uploads/{upload_id}', { params: { path: { upload_id: id } } }).then(readAgain, readAgain),
    })
  })
  return <Context value={store}>{children}</Context>
}

export function useUploads() {
  const store = useContext(Context)
  if (!store) throw new Error('useUploads needs an UploadsProvider')
  return { store, ...useSyncExternalStore(store.subscribe, store.read) }
}
