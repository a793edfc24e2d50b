import { existsSync, readdirSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import type { PieceStore } from '../../../src/media/obtain-piece.ts'

/** A store of pieces in a folder, and the names of those that were restored. */
export function storeIn(folder: string) {
  const restored: string[] = []
  const pathOf = (name: string) => path.join(folder, name)
  const errorCounts = new Map<string, number>()
  const store: PieceStore = {
    restore: async (name, file) => {
      if (!existsSync(pathOf(name))) return undefined
      restored.push(name)
      await copyFile(pathOf(name), file)
      return { decodeErrors: errorCounts.get(name) ?? 0 }
    },
    save: async (name, { file, decodeErrors }) => {
      errorCounts.set(name, decodeErrors)
      await copyFile(file, pathOf(name))
    },
  }
  return {
    store,
    restored,
    pathOf,
    names: () => readdirSync(folder).toSorted(),
    lose: (name: string) => rmSync(pathOf(name)),
  }
}
