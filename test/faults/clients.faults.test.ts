import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { MediaTimeline } from '../../clients/typescript/src/index.ts'
import { speech } from '../fixtures/make.ts'
import { isLongForm } from './cases.ts'
import { holdGates } from './gates.ts'
import { type FaultStack, startFaultStack, targets } from './stack.ts'
import { until } from './until.ts'

const python = process.env['TEST_PYTHON_CLIENT'] ?? ''
const megabytes = isLongForm ? 2048 : 48
const partBytes = 8 * 2 ** 20
/** Two of them are sent simultaneously, while other tests run. */
const uploadSeconds = isLongForm ? 900 : 120
/** When the API is killed. */
const halfBytes = (megabytes / 2) * 2 ** 20

/** Stops after half of the file until it is told to go on; then waits for a job. */
const script = `
import sys
from media_timeline import MediaTimeline
client = MediaTimeline()
def stop(sent, total):
    if sent == ${halfBytes}:
        print("stopped", flush=True)
        sys.stdin.readline()
upload = client.uploads.upload(sys.argv[1], on_bytes=stop)
print(upload["id"], flush=True)
job = client.jobs.wait(sys.stdin.readline().strip())
print(job["status"], flush=True)`

describe.skipIf(process.platform !== 'linux')('the client libraries', () => {
  let stack: FaultStack
  let folder: string
  let file: string
  beforeAll(async () => {
    stack = await startFaultStack()
    folder = await mkdtemp(path.join(tmpdir(), 'clients-'))
    file = path.join(folder, 'talk.mp4')
    const bytes = Buffer.alloc(2 ** 20)
    const handle = await open(file, 'w')
    // No two megabytes are the same: a part in the wrong place would show.
    for (let n = 0; n < megabytes; n += 1) await handle.write(bytes.fill(`${n} `))
    await handle.close()
  })
  afterAll(async () => {
    await stack.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function expectWhole(uploadId: string): Promise<void> {
    const { objectKey, bytes } = await stack.db.upload.findUniqueOrThrow({ where: { id: uploadId } })
    expect(bytes).toBe(BigInt(megabytes * 2 ** 20))
    // In local storage, an object is a folder with the file of its generation.
    const folder = path.join(stack.dataDir, 'objects', `${objectKey}~`)
    const [stored = ''] = (await readdir(folder)).filter((name) => name !== 'object.json')
    await promisify(execFile)('cmp', [file, path.join(folder, stored)])
  }

  const startPython = (token: string) => {
    const source = path.resolve('clients/python/src')
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: [source, python].join(path.delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const child = spawn('python3', ['-c', script, file], {
      env: { ...env, MEDIA_TIMELINE_URL: stack.apiUrl, MEDIA_TIMELINE_API_KEY: token },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const read = async () => String((await lines.next()).value)
    return { read, write: (line: string) => child.stdin.write(`${line}\n`), ended: once(child, 'exit') }
  }

  // A second try would go on with the uploads of the first.
  const limits = { retry: 0, timeout: 2 * uploadSeconds * 1000 }
  it('go on with an upload after the API was killed, and with a wait after everything was', limits, async () => {
    const { accountId, token } = await stack.newAccount()
    const client = new MediaTimeline({ apiKey: token, baseUrl: stack.apiUrl })
    const other = startPython(token)
    expect(await other.read()).toBe('stopped')

    let restarted: Promise<void> | undefined
    const sent: number[] = []
    const onProgress = (bytes: number) => {
      sent.push(bytes)
      if (bytes === halfBytes) restarted = stack.kill('api').then(() => stack.start('api'))
    }
    const uploading = client.uploads.upload(file, { onProgress })
    await until('the API is killed', () => restarted !== undefined, uploadSeconds)
    other.write('go on')
    const { id } = await uploading
    await restarted
    await expectWhole(id)
    // Nothing was sent again but the part during which it was killed.
    expect(sent.length).toBeLessThanOrEqual((megabytes * 2 ** 20) / partBytes + 1)
    await expectWhole(await other.read())

    const { media_url } = await client.uploads.upload(speech)
    const gates = await holdGates(stack.databaseUrl, [{ accountId, step: 'finish' }])
    const job = await client.jobs.create({ endpoint: 'audio/detect-silence', media_url })
    const waiting = client.jobs.wait(job.id)
    other.write(job.id)
    await until('the job stands at its end', gates.areReached, 60)
    await Promise.all(targets.map((target) => stack.kill(target)))
    await gates.release()
    await Promise.all([stack.start('postgres'), stack.start('temporal')])
    await Promise.all([stack.start('api'), stack.start('worker')])
    expect((await waiting).status).toBe('completed')
    expect(await other.read()).toBe('completed')
    await other.ended
  })
})
