import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openGcsStorage } from '../../src/storage/gcs/gcs-storage.ts'

it('a session is opened for the size, the type and the page of an upload, once for a key, at the public address', async () => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    response.writeHead(200, { location: `http://${request.headers.host}/upload/session?upload_id=1` }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const apiEndpoint = `http://127.0.0.1:${port}`
  const storage = openGcsStorage({ bucket: 'media', apiEndpoint, publicEndpoint: 'https://storage.example' })

  const { url, expiresAt } = await storage.presignSession({
    ...{ key: 'uploads/upl_1/media.mp4', contentType: 'video/mp4', maxBytes: 1234, expiresInSeconds: 60 },
    origin: 'https://app.example',
  })
  expect(url).toBe('https://storage.example/upload/session?upload_id=1')
  expect(Math.round((expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(7)
  const [opened] = requests
  const { searchParams } = new URL(opened?.url ?? '', apiEndpoint)
  expect(Object.fromEntries(searchParams)).toEqual({
    ...{ uploadType: 'resumable', name: 'uploads/upl_1/media.mp4', ifGenerationMatch: '0' },
  })
  expect(opened?.headers).toMatchObject({
    origin: 'https://app.example',
    'x-upload-content-length': '1234',
    'x-upload-content-type': 'video/mp4',
  })
})
