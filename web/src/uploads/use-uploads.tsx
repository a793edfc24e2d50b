import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { createUploadStore, type SentFile, type UploadStore } from './upload-store.ts'

const Context = createContext<UploadStore | undefined>(undefined)

/** Keeps what is sent while its children change. */
export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient()
  const [store] = useState(() => createUploadStore(() => void queryClient.invalidateQueries({ queryKey: ['uploads'] })))
  return <Context value={store}>{children}</Context>
}

export function useUploads(): { readonly store: UploadStore; readonly files: readonly SentFile[] } {
  const store = useContext(Context)
  if (!store) throw new Error('useUploads needs an UploadsProvider')
  return { store, files: useSyncExternalStore(store.subscribe, store.list) }
}
