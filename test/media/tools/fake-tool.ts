import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

interface FakeEnd {
  readonly to?: 'stdout' | 'stderr'
  /** An exit code, or the shell's last command. */
  readonly exit?: number | string
}

/** A program that prints a text, whatever it is asked. Deleted after the test. */
export function fakeTool(name: string, printed: string, { to = 'stdout', exit = 0 }: FakeEnd = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'fake tool '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, name)
  const end = typeof exit === 'number' ? `exit ${exit}` : exit
  writeFileSync(file, `#!/bin/sh\necho '${printed}' ${to === 'stderr' ? '>&2' : ''}\n${end}\n`, { mode: 0o755 })
  return file
}

/** What a build of ffmpeg or ffprobe with every library prints first. */
export function versionText(name: string, version: string): string {
  const libraries = ['x264', 'x265', 'vpx', 'mp3lame', 'opus', 'zimg'].map((name) => `--enable-lib${name}`).join(' ')
  return `${name} version ${version} Copyright (c) 2000-2026 the FFmpeg developers\nconfiguration: ${libraries}`
}
