import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openConfinement } from '../../../src/media/tools/confinement.ts'
import type { ToolStart } from '../../../src/media/tools/spawn.ts'

const perl = (code: string): ToolStart => ({
  program: '/usr/bin/perl',
  args: ['-e', code],
  limits: { memoryBytes: 2 ** 27, cpuSeconds: 10, fileBytes: 0 },
  reach: { read: [], write: [], connect: [] },
})

it.skipIf(process.platform !== 'linux')(
  'a launcher that was killed is started again, and confines later tools',
  async () => {
    const restarts: (string | undefined)[] = []
    const confinement = await openConfinement((level) => restarts.push(level))
    const waiting = confinement.start(perl('sleep 600'))

    process.kill(parentOf(await waiting.pid), 'SIGKILL')

    expect(await waiting.exit).toMatchObject({ signal: 'SIGKILL', reason: 'launcher' })
    await expect.poll(() => restarts).toEqual([confinement.level])
    const later = confinement.start(perl('print open(my $f, "<", "/etc/passwd") ? "open" : "refused"'))
    expect(await text(later.stdout)).toBe('refused')
    await confinement.close()
    expect(restarts).toHaveLength(1)
  },
)

function parentOf(pid: number | undefined): number {
  const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(parent)
}
