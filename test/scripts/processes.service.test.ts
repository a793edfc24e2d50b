import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createSupervisor, type RunningProcess, StoppedError, type Supervisor } from '../../scripts/stack/processes.ts'
import { runToEnd } from '../../scripts/stack/run-to-end.ts'

const idle = 'setInterval(() => {}, 1000)'
const root = path.join(import.meta.dirname, '..', '..')

test('processes stop from the highest layer to the lowest, one layer after the other', async () => {
  const supervisor = createSupervisor(temporaryFolder())
  const gone: string[] = []
  for (const [name, layer] of [
    ['postgres', 0],
    ['api', 3],
    ['worker', 2],
  ] as const) {
    const started = supervisor.start({ name, layer, command: node(`process.send(1); ${idle}`), ipc: true })
    void started.ended.then(() => gone.push(name))
    await untilMessage(supervisor, started)
  }

  await supervisor.stopAll()

  expect(gone).toEqual(['api', 'worker', 'postgres'])
})

test('a process that ignores the signal is killed with its group when its time is over', async () => {
  const supervisor = createSupervisor(temporaryFolder())
  const stubborn = `process.on('SIGTERM', () => {});
    const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(idle)}]);
    process.send(child.pid); ${idle}`
  const started = supervisor.start({ name: 'stubborn', command: node(stubborn), ipc: true, stopSeconds: 0.2 })
  const grandchild = await untilMessage(supervisor, started)

  await supervisor.stopAll()

  expect(await started.ended).toBe('was ended by SIGKILL')
  await expect.poll(() => isRunning(grandchild)).toBe(false)
})

test('a stop that takes longer than a second says what it waits for, and for how long at most', async () => {
  const said: string[] = []
  const supervisor = createSupervisor(temporaryFolder(), { say: (message) => said.push(message) })
  const busy = (name: string) => {
    const command = node(`process.on('SIGTERM', () => {}); process.send(process.pid); ${idle}`)
    return supervisor.start({ name, command, ipc: true, stopSeconds: 2, whileStopping: 'finishes its work' })
  }
  await untilMessage(supervisor, busy('worker'))
  const quick = supervisor.start({ name: 'api', command: node(`process.send(1); ${idle}`), ipc: true })
  await untilMessage(supervisor, quick)

  await supervisor.stopAll()

  expect(said).toEqual(['waiting for worker, which finishes its work: at most 2 s'])
})

test('a process that dies after it was ready is a crash, reported with the end of its log', async () => {
  const supervisor = createSupervisor(temporaryFolder())
  const started = supervisor.start({
    name: 'worker',
    command: node(`process.once('message', () => { console.log('out of memory'); process.exit(3) }); process.send(1)`),
    ipc: true,
  })
  await untilMessage(supervisor, started)
  started.child.send('die')

  expect(await supervisor.crashed).toBe('out of memory\n\nworker ended with code 3.')
  await supervisor.stopAll()
})

test('a crash ends the stack with the log folder and what to do next', async () => {
  const folder = temporaryFolder()
  const script = `import { withSupervisor } from './scripts/stack/supervised.ts'
    const how = await withSupervisor(${JSON.stringify(folder)}, () => {}, async (supervisor) => {
      const started = supervisor.start({ name: 'api', command: [process.execPath, '-e', 'console.log("full"); setTimeout(() => process.exit(3), 50)'] })
      await supervisor.untilReady(started, () => true, { seconds: 10 })
      return new Promise(() => {})
    }).catch((error) => error.message)
    console.log(how)
    process.exit()`
  const output = await runToEnd([process.execPath, '--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
  })

  expect(output).toContain('full\n\napi ended with code 3. All other processes are stopped too.')
  expect(output).toContain(`the whole logs are in ${path.join(folder, 'logs')}. Run the same command to start again.`)
})

test('a failed start reports the reason and shows the log', async () => {
  const supervisor = createSupervisor(temporaryFolder())
  const broken = supervisor.start({ name: 'api', command: node('console.log("PORT: not a port"); process.exit(1)') })
  await expect(supervisor.untilReady(broken, () => false, { seconds: 10 })).rejects.toThrow(
    'PORT: not a port\n\napi ended with code 1 while starting.',
  )
  const missing = supervisor.start({ name: 'temporal', command: ['/nowhere/temporal'] })
  await expect(supervisor.untilReady(missing, () => false, { seconds: 10 })).rejects.toThrow(
    /could not be started: .*ENOENT/,
  )
  await supervisor.stopAll()
  expect(() => supervisor.start({ name: 'late', command: node('') })).toThrow(StoppedError)
})

test('a slow start is waited for, and the process and its log are named meanwhile', async () => {
  const folder = temporaryFolder()
  const said: string[] = []
  const supervisor = createSupervisor(folder, { say: (message) => said.push(message), everySeconds: 0.05 })
  const slow = supervisor.start({ name: 'worker', command: node(idle) })

  await supervisor.untilReady(slow, () => said.length === 2)

  expect(said[0]).toBe(`still waiting for worker, which has been starting for 0 s: ${path.join(folder, 'worker.log')}`)
  await supervisor.stopAll()
})

test('the logs of the last five starts stay beside the present one', async () => {
  const folder = temporaryFolder()
  for (let start = 0; start < 8; start += 1) {
    const supervisor = createSupervisor(folder)
    await supervisor.start({ name: 'worker', command: node(`console.log('start ${start}')`) }).ended
    await supervisor.stopAll()
  }
  const logs = ['worker.log', ...[1, 2, 3, 4, 5].map((age) => `worker.previous-${age}.log`)]
  expect(readdirSync(folder).toSorted()).toEqual(logs.toSorted())
  expect(logs.map((name) => readFileSync(path.join(folder, name), 'utf8'))).toEqual(
    [7, 6, 5, 4, 3, 2].map((start) => `start ${start}\n`),
  )
})

test('a start that takes too long ends with the log and what to do next', async () => {
  const folder = temporaryFolder()
  const supervisor = createSupervisor(folder)
  const stuck = supervisor.start({ name: 'worker', command: node(idle) })

  await expect(supervisor.untilReady(stuck, () => false, { seconds: 0.05 })).rejects.toThrow(
    `${path.join(folder, 'worker.log')}. If they name no cause, the machine may be too busy: end other work, and run the same command again.`,
  )
  // Another start would otherwise be a second worker beside it.
  expect(await stuck.ended).toMatch(/SIGTERM/)
  await supervisor.stopAll()
})

test('when the supervisor is killed, its processes end and its folders are deleted', async () => {
  const folder = temporaryFolder()
  const doomed = path.join(folder, 'doomed')
  const script = `import { createSupervisor } from './scripts/stack/processes.ts'
    const supervisor = createSupervisor(${JSON.stringify(doomed)})
    supervisor.removeAtEnd(${JSON.stringify(doomed)})
    const { child } = supervisor.start({ name: 'idle', command: [process.execPath, '-e', ${JSON.stringify(idle)}] })
    console.log(child.pid)
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)`
  const output = await runToEnd([process.execPath, '--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
  }).catch(String)
  const pid = Number(/^\d+$/m.exec(output)?.[0])

  expect(output).toContain('SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
  await expect.poll(() => existsSync(doomed)).toBe(false)
})

function node(script: string): [string, ...string[]] {
  return [process.execPath, '-e', script]
}

/** The number that the process sends when it is ready. */
async function untilMessage(supervisor: Supervisor, started: RunningProcess): Promise<number> {
  let message: unknown
  started.child.once('message', (value) => {
    message = value
  })
  await supervisor.untilReady(started, () => message !== undefined, { seconds: 10 })
  return Number(message)
}

/** An uncollected zombie counts as ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync(`/proc/${pid}/status`) || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'processes test '))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test.skipIf(process.platform !== 'linux')('a process of low priority has all its threads at it', async () => {
  const supervisor = createSupervisor(temporaryFolder())
  const reportThreads = `const { readdirSync, readFileSync } = require('node:fs');
    const nicenessOf = (thread) => readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ').pop().split(' ')[16];
    process.send(readdirSync('/proc/self/task').map((thread) => Number(nicenessOf(thread)))); ${idle}`
  const started = supervisor.start({ name: 'worker', command: node(reportThreads), ipc: true, niceness: 3 })
  const threads = new Promise<unknown>((resolve) => started.child.once('message', resolve))
  const expected = Math.min(19, getPriority() + 3)
  expect(
    new Set(
      z
        .array(z.number())
        .min(2)
        .parse(await threads),
    ),
  ).toEqual(new Set([expected]))
  await supervisor.stopAll()
})
