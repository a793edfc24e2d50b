import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compiledServices } from '../../scripts/stack/compiled-services.ts'
import { choosePort } from '../../scripts/stack/ports.ts'
import { readStackFile } from '../../scripts/stack/stack-file.ts'
import { untilFound } from '../until-found.ts'

const root = path.join(import.meta.dirname, '..', '..')
const dataDir = mkdtempSync(path.join(tmpdir(), 'start test '))
const starts: ChildProcess[] = []
let key = ''

afterAll(() => {
  for (const child of starts) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

test('key prints one new key and nothing more, without a running stack', async () => {
  const { code, output } = await ended(run('key'))
  key = output.trim()

  expect(code).toBe(0)
  expect(output).toMatch(/^mt_live_[a-zA-Z0-9]{24}_[a-zA-Z0-9]{43}\n$/)
  expect(existsSync(path.join(dataDir, 'stack.lock'))).toBe(false)
})

test('start runs the whole stack on existing data, and one Ctrl-C stops every part in order', async () => {
  const start = run('start')
  const end = ended(start)
  const up = untilFound(() => readStackFile(dataDir, start.pid ?? 0))
  const stack = await Promise.race([up, end.then(({ messages }) => Promise.reject(new Error(messages)))])

  const health = await fetch(`${stack.apiUrl}/health`)
  expect(await health.json()).toMatchObject({ ok: true, jobs: { workers: { count: 1 } } })
  expect((await fetch(`${stack.apiUrl}/mcp`)).status).toBe(200)
  const jobs = await fetch(`${stack.apiUrl}/v1/jobs`, { headers: { authorization: `Bearer ${key}` } })
  expect(jobs.status).toBe(200)
  expect((await fetch(`${stack.temporalUiUrl}/namespaces/default/workflows`)).status).toBe(200)

  const [another, second] = await Promise.all([ended(run('key')), ended(run('start'))])
  expect(another.output).toMatch(/^mt_live_\w+\n$/)
  expect(another.output.trim()).not.toBe(key)
  expect(second.code).toBe(1)
  expect(second.messages).toMatch(
    new RegExp(`^The stack of .* runs at ${stack.apiUrl} \\(process ${start.pid}\\): stop it .*\n$`),
  )

  // One Ctrl-C through npm: the terminal sends it, and npm forwards it.
  start.kill('SIGINT')
  start.kill('SIGINT')
  const { code, output } = await end
  expect(code).toBe(0)
  expect(output).toContain(`${stack.apiUrl}/mcp\n`)
  for (const url of [stack.apiUrl, stack.temporalUiUrl, `http://${stack.temporalAddress}`, stack.databaseUrl]) {
    expect(await isFree(Number(new URL(url ?? '').port)), url).toBe(true)
  }
  expect(readFileSync(path.join(dataDir, 'logs', 'worker.log'), 'utf8')).toContain('worker stopped')
  expect(existsSync(path.join(dataDir, 'stack.json'))).toBe(false)
  expect(existsSync(path.join(dataDir, 'stack.lock'))).toBe(false)
})

test.skipIf(process.platform !== 'linux')(
  'a worker that ends is started again, and Ctrl-C ends one that no longer responds within its time',
  async () => {
    const graceSeconds = 1
    const start = run('start', { SHUTDOWN_GRACE_SECONDS: `${graceSeconds}` })
    const end = ended(start)
    await Promise.race([untilFound(() => readStackFile(dataDir, start.pid ?? 0)), end])
    const first = await untilFound(workerId)
    process.kill(first, 'SIGKILL')
    const second = await untilFound(() => {
      const found = workerId()
      return found !== undefined && found !== first && workerLog().includes('worker ready') ? found : undefined
    })

    process.kill(second, 'SIGSTOP')
    const began = performance.now()
    start.kill('SIGINT')
    const { code, messages } = await end
    expect(code).toBe(0)
    expect(messages).toContain('worker was ended by SIGKILL. It is started again')
    // The worker's time, and that of the others, which end quickly.
    expect((performance.now() - began) / 1000).toBeLessThan(graceSeconds + 15 + 30)
    expect(workerId()).toBeUndefined()
  },
)

test('services are compiled once for the same sources', async () => {
  const build = await compiledServices(root, () => {})
  const said: string[] = []
  expect(await compiledServices(root, (message) => said.push(message))).toBe(build)
  expect(said).toEqual([])
  for (const file of ['api/server.js', 'activities/worker.js', 'workflow-bundle.js', 'src/media/tools/launcher.pl'])
    expect(existsSync(path.join(build, file)), file).toBe(true)
})

test('a start that fails half way leaves no process', async () => {
  const { code, messages } = await ended(run('start', { BASE_URL: 'not a url' }))

  expect(code).toBe(1)
  expect(messages).toMatch(/BASE_URL.*\n\n(api|worker) ended with code 1 while starting\./s)
  expect(existsSync(path.join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
  expect(existsSync(path.join(dataDir, 'stack.lock'))).toBe(false)
})

const workerLog = () => readFileSync(path.join(dataDir, 'logs', 'worker.log'), 'utf8')

/** The process id of the worker of this data folder. */
function workerId(): number | undefined {
  const isWorker = (pid: string) => {
    try {
      const [command, environment] = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'))
      return command?.includes('activities/worker.js') && environment?.split('\0').includes(`DATA_DIR=${dataDir}`)
    } catch {
      // It has ended.
      return false
    }
  }
  const found = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isWorker(name))
  return found === undefined ? undefined : Number(found)
}

/** Without BASE_URL and NODE_ENV, which vitest sets for pages. */
function run(command: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'run.mjs'), command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, BASE_URL: undefined, NODE_ENV: undefined, DATA_DIR: dataDir, ...env },
  })
  starts.push(child)
  return child
}

function ended(child: ChildProcess): Promise<{ code: number | null; output: string; messages: string }> {
  let output = ''
  let messages = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (messages += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output, messages })))
}

async function isFree(port: number): Promise<boolean> {
  return (await choosePort({ variable: 'ANY', preferred: port }, {})) === port
}
