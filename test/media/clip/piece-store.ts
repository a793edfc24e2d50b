import { existsSync, readdirSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import type { PieceStore } from '../../../src/media/pieces/obtain-piece.ts'

/** A store of pieces in a folder, and the names of those that were restored. */
export function storeIn(folder: string) {
  const restored: string[] = []
  const pathOf = (name: string) => path.join(folder, name)
  const store: PieceStore = {
    restore: async (name, file) => {
      if (!existsSync(pathOf(name))) return false
      restored.push(name)
      await copyFile(pathOf(name), file)
      return true
    },
    save: (name, file) => copyFile(file, pathOf(name)),
  }
  return {
    store,
    restored,
    pathOf,
    names: () => readdirSync(folder).toSorted(),
    lose: (name: string) => rmSync(pathOf(name)),
  }
}
