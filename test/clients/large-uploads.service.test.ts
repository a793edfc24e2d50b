import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const packages = process.env['TEST_PYTHON_CLIENT'] ?? ''
const megabyte = 2 ** 20
const fileBytes = 512 * megabyte

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'large-uploads-'))
  file = path.join(folder, 'talk.mp4')
  await writeFile(file, '')
  await truncate(file, fileBytes)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Takes parts of an upload as the storage does, and keeps none. */
const storage = createServer((request, response) => void takePart(request, response))

async function takePart(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { length } = await buffer(request)
  const [, start = '0', total] = /bytes (\d+)-\d+\/(\d+)/.exec(String(request.headers['content-range'])) ?? []
  const end = Number(start) + length
  if (request.method === 'PUT') response.writeHead(end === Number(total) ? 200 : 308, { range: `bytes=0-${end - 1}` })
  else response.setHeader('content-type', 'application/json')
  const upload = { id: 'upl_1', upload_url: `http://${request.headers.host}/put`, upload_headers: {} }
  response.end(request.method === 'PUT' ? '' : JSON.stringify({ upload }))
}
beforeAll(() => once(storage.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => storage.close())

const growth = `
def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()`
const scripts = {
  'without await': `
client = MediaTimeline("key", base_url=url)
client.uploads.upload(file)`,
  'with await': `
async def main() -> None:
    async with AsyncMediaTimeline("key", base_url=url) as client:
        await client.uploads.upload(file)
asyncio.run(main())`,
}

it.skipIf(!packages).each(Object.entries(scripts))(
  'the Python client sends a large file part by part, %s: its memory has a few parts at a time',
  async (_, script) => {
    const address = storage.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
    const head = `import asyncio, resource\nfrom media_timeline import AsyncMediaTimeline, MediaTimeline`
    const names = `url, file = ${JSON.stringify(url)}, ${JSON.stringify(file)}`
    const code = [head, names, growth, script, 'print(peak() - before)'].join('\n')
    const PYTHONPATH = [path.resolve('clients', 'python', 'src'), packages].join(path.delimiter)
    const env = { PATH: process.env['PATH'], PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' }
    const { stdout } = await promisify(execFile)('python3', ['-c', code], { env })
    expect(Number(stdout)).toBeLessThan(80 * megabyte)
  },
  60_000,
)
