import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import type { Command } from './main.ts'
import { freePort } from './stack/ports.ts'
import { withSupervisor } from './stack/supervised.ts'
import { startTemporal } from './stack/temporal.ts'

/** Plays the paths of the workflows on its own dev server, and stores the histories that are new in this version. */
export const historiesCommand: Command = async ({ root, args, usage, env, say, findTools }) => {
  const [action, ...options] = args
  if (action !== 'record') throw new Error(usage)
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
  const { temporalPath } = await findTools()
  const folder = mkdtempSync(path.join(tmpdir(), 'media-timeline-histories-'))
  return withSupervisor(folder, say, async (supervisor) => {
    supervisor.removeAtEnd(folder)
    const server = await startTemporal(supervisor, { temporalPath, port: await freePort(), uiPort: await freePort() })
    say('recording; a path with ten attempts takes three minutes')
    const recorder = supervisor.start({
      name: 'record',
      command: [process.execPath, '--import', 'tsx', path.join('test', 'replay', 'record.ts'), version, ...options],
      cwd: root,
      env: { ...env, TEMPORAL_ADDRESS: server.address },
      show: true,
    })
    return (await recorder.ended) === 'ended with code 0' ? 0 : 1
  })
}
