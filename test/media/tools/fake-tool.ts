import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A program that prints a text, whatever it is asked. Deleted after the test. */
export function fakeTool(name: string, printed: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'fake tool '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, name)
  writeFileSync(file, `#!/bin/sh\necho '${printed}'\n`, { mode: 0o755 })
  return file
}

/** What a build of ffmpeg or ffprobe with every library prints first. */
export function versionText(name: string, version: string): string {
  const libraries = '--enable-libx264 --enable-libvpx --enable-libmp3lame --enable-libopus'
  return `${name} version ${version} Copyright (c) 2000-2026 the FFmpeg developers\nconfiguration: ${libraries}`
}
