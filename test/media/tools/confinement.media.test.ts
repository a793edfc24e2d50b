import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openConfinement } from '../../../src/media/tools/confinement.ts'
import { type Launcher, startLauncher } from '../../../src/media/tools/launcher.ts'
import type { ToolStart } from '../../../src/media/tools/spawn.ts'
import type { ToolLimits } from '../../../src/media/tools/tool-limits.ts'

const perl = (code: string, limits: Partial<ToolLimits> = {}): ToolStart => ({
  program: '/usr/bin/perl',
  args: ['-e', code],
  limits: { memoryBytes: 2 ** 27, cpuSeconds: 10, fileBytes: 0, ...limits },
  reach: { read: [], write: [], connect: [] },
})
const readsPasswords = perl('print open(my $f, "<", "/etc/passwd") ? "open" : "refused"')
const isLinux = process.platform === 'linux'

describe.skipIf(!isLinux)('a launcher that was killed', () => {
  it('is started again each time, and confines later tools', async () => {
    const levels: string[] = []
    const confinement = await openConfinement({ onLevel: (level) => levels.push(level) })
    const level = confinement.level()
    for (const times of [1, 2, 3]) {
      const waiting = confinement.start(perl('sleep 600'))
      process.kill(parentOf(await waiting.pid), 'SIGKILL')
      expect(await waiting.exit).toMatchObject({ signal: 'SIGKILL', reason: 'launcher' })
      await expect.poll(() => levels).toHaveLength(2 * times)
    }
    expect(levels).toEqual(['down', level, 'down', level, 'down', level])
    expect(await text(confinement.start(readsPasswords).stdout)).toBe('refused')
    await confinement.close()
    expect(levels).toHaveLength(6)
  })

  it('is tried again where it could not be started, and no tool runs outside it meanwhile', async () => {
    let starts = 0
    const launched: Launcher[] = []
    const launch = async () => {
      starts += 1
      if (starts === 2) throw new Error('spawn ENOMEM')
      if (starts === 3) return undefined
      const launcher = await startLauncher()
      if (launcher) launched.push(launcher)
      return launcher
    }
    const levels: string[] = []
    const onLevel = (level: string, error?: unknown) => levels.push(error instanceof Error ? error.message : level)
    const confinement = await openConfinement({ launch, onLevel })
    await launched[0]?.close()
    await expect.poll(() => confinement.level()).toBe('down')
    expect(await confinement.start(readsPasswords).exit).toMatchObject({ reason: 'launcher' })
    await expect.poll(() => confinement.level()).toMatch(/^landlock/)
    expect(starts).toBe(4)
    expect(levels).toEqual(['down', 'spawn ENOMEM', expect.stringMatching(/^landlock/)])
    expect(await text(confinement.start(readsPasswords).stdout)).toBe('refused')
    await confinement.close()
  })
})

describe('without the launcher', () => {
  const launch = async () => undefined
  const onLevel = () => {}

  it.skipIf(!isLinux)('prlimit bounds memory, CPU time and files', async () => {
    const { level, start } = await openConfinement({ launch, onLevel })
    expect(level()).toBe('prlimit')
    expect(await start(perl('1 while 1', { cpuSeconds: 1 })).exit).toMatchObject({ signal: 'SIGKILL' })
    expect((await start(perl('my $n = 4e8; my $x = "x" x $n')).exit).code).not.toBe(0)
    const write = 'open my $f, "+>", undef; $| = 1; print $f "x" x 1e6 for 1 .. 9; close $f'
    expect(await start(perl(write, { fileBytes: 1_000_000 })).exit).toMatchObject({ signal: 'SIGXFSZ' })
  })

  it('tools run with no limits where there is no prlimit either', async () => {
    const { level, start } = await openConfinement({ launch, onLevel, prlimit: '/nonexistent/prlimit' })
    expect(level()).toBe('none')
    expect(await start({ ...readsPasswords, program: process.execPath, args: ['-e', ''] }).exit).toMatchObject({
      code: 0,
    })
  })
})

function parentOf(pid: number | undefined): number {
  const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(parent)
}
