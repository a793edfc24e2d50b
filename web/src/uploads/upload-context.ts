import { createContext, useContext, useSyncExternalStore } from 'react'
import type { UploadStore } from './upload-store.ts'

const Context = createContext<UploadStore | undefined>(undefined)

export const UploadStoreProvider = Context

/** What the page sends, and the store that sends it. */
export function useUploads() {
  const store = useContext(Context)
  if (!store) throw new Error('useUploads needs an UploadStoreProvider')
  return { store, ...useSyncExternalStore(store.subscribe, store.read) }
}
