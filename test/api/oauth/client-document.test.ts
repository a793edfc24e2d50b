import { createServer, type RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { clientDocumentReader, createClientLookup } from '../../../api/oauth/clients.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(answer: RequestListener): Promise<URL> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close().closeAllConnections())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return new URL(`http://127.0.0.1:${address.port}/client.json`)
}

const good = { client_id: 'https://agent.example/client.json', redirect_uris: ['https://agent.example/cb'] }
const read = (url: URL, allowHosts = ['127.0.0.1']) => clientDocumentReader({ allowHosts })(url)

describe('the metadata document of a client', () => {
  it('is read', async () => {
    const url = await serve((_request, response) => response.end(JSON.stringify({ ...good, more: 1 })))
    expect(await read(url)).toEqual(good)
  })

  it('is not read from an address of this network', async () => {
    let asked = 0
    const url = await serve((_request, response) => {
      asked += 1
      response.end()
    })
    await expect(read(url, [])).rejects.toMatchObject({ code: 'invalid_request' })
    expect(asked).toBe(0)
  })

  it.each<[string, RequestListener]>([
    ['a redirect', (_, response) => response.writeHead(302, { location: '/other' }).end()],
    ['an error', (_, response) => response.writeHead(500).end(JSON.stringify(good))],
    ['a large file', (_, response) => response.end(JSON.stringify({ ...good, padding: 'a'.repeat(20_000) }))],
    ['another text', (_, response) => response.end('<html>')],
    ['no redirect addresses', (_, response) => response.end(JSON.stringify({ client_id: good.client_id }))],
  ])('is refused if the server sends %s', async (_what, answer) => {
    await expect(read(await serve(answer))).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('the lookup of clients', () => {
  const client = {
    id: good.client_id,
    name: 'Agent',
    redirectUris: ['https://agent.example/cb', 'https://agent.example/old'],
  }

  it('reads a document once for many requests, and only that of an approved client', async () => {
    const read: string[] = []
    const find = createClientLookup({ OAUTH_CLIENTS: [client] }, async (url) => {
      read.push(url.href)
      return good
    })
    const found = await Promise.all([find(client.id), find(client.id)])
    expect(found.map(({ redirectUris }) => redirectUris)).toEqual([good.redirect_uris, good.redirect_uris])
    await expect(find('https://evil.example/client.json')).rejects.toMatchObject({ oauthCode: 'invalid_client' })
    expect(read).toEqual([client.id])
  })

  it('refuses a document that names another client', async () => {
    const find = createClientLookup({ OAUTH_CLIENTS: [client] }, async () => ({
      ...good,
      client_id: 'https://other.example/a',
    }))
    await expect(find(client.id)).rejects.toMatchObject({ oauthCode: 'invalid_client' })
  })
})
