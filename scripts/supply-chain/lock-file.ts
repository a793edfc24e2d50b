import { readFileSync } from 'node:fs'
import { z } from 'zod'

const lockedPackage = z.object({
  version: z.string(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  /** It is inside another package, whose hash covers it. */
  inBundle: z.boolean().optional(),
  optional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
})

export interface LockedPackage extends z.output<typeof lockedPackage> {
  readonly name: string
}

const lockFile = z.object({ packages: z.record(z.string(), z.unknown()) })

/** Every package of a package-lock.json, for all platforms, without the project itself. */
export function readLockFile(file: string): LockedPackage[] {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  return Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, about]) => ({ ...lockedPackage.parse(about), name: folder.replace(/^.*node_modules\//, '') }))
}
