import { expect, it } from 'vitest'
import { readEtag } from '../../../src/media/source/connect-url.ts'
import { never } from '../measure.ts'
import { redirectTo, serveHttp } from './source-server.ts'

const access = { allowHosts: ['127.0.0.1'] }
const etagOf = (port: number, signal = never) => readEtag(new URL(`http://127.0.0.1:${port}/a`), access, signal)

it('is what the server names, by HEAD and through redirects', async () => {
  const port = await serveHttp((request, response) => {
    response.writeHead(request.method === 'HEAD' ? 200 : 500, { etag: '"v1"' }).end()
  })
  expect(await etagOf(port)).toBe('"v1"')
  expect(await etagOf(await serveHttp(redirectTo(`http://127.0.0.1:${port}/b`)))).toBe('"v1"')
})

it('is none where it is weak or missing, where HEAD is refused, where a redirect is blocked, and where nobody answers', async () => {
  const answers = [{ etag: 'W/"v1"' }, {}].map((headers) =>
    serveHttp((_request, response) => void response.writeHead(200, headers).end()),
  )
  const refused = serveHttp((_request, response) => void response.writeHead(405, { etag: '"v1"' }).end())
  const blocked = serveHttp(redirectTo('http://10.0.0.1/'))
  for (const port of [...answers, refused, blocked]) expect(await etagOf(await port)).toBeUndefined()
  expect(await etagOf(1)).toBeUndefined()
})

it('throws the reason of an abort', async () => {
  await expect(etagOf(1, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})
