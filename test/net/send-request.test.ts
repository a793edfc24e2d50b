import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { sendRequest } from '../../src/net/send-request.ts'
import { redirectTo, serveHttp } from '../media/source/source-server.ts'

const access = { allowHosts: ['127.0.0.1'] }

describe('sendRequest', () => {
  it('hands a redirect on as it is', async () => {
    const port = await serveHttp(redirectTo('/there'))
    const response = await sendRequest(new URL(`http://127.0.0.1:${port}/`), access, {}, new AbortController().signal)
    expect([response.status, response.headers.location]).toEqual([302, '/there'])
    response.close()
  })

  it('sends the headers that it is given', async () => {
    const port = await serveHttp((request, response) => void response.end(request.headers.range))
    const url = new URL(`http://127.0.0.1:${port}/`)
    const { body } = await sendRequest(url, access, { range: 'bytes=1-2' }, new AbortController().signal)
    expect(await text(body)).toBe('bytes=1-2')
  })

  it('keeps an abort that comes while nobody reads for the one who reads later', async () => {
    const abort = new AbortController()
    const closed = vi.fn()
    const port = await serveHttp((_request, response) => void response.once('close', closed).write('x'))
    const { body } = await sendRequest(new URL(`http://127.0.0.1:${port}/`), access, {}, abort.signal)
    const reason = new Error('canceled')
    abort.abort(reason)
    await expect.poll(() => closed).toHaveBeenCalled()
    await expect(text(body)).rejects.toBe(reason)
  })

  it('closes the connection of a body that is not wanted', async () => {
    const closed = vi.fn()
    const port = await serveHttp((_request, response) => void response.once('close', closed).write('x'))
    const url = new URL(`http://127.0.0.1:${port}/`)
    const { close } = await sendRequest(url, access, {}, new AbortController().signal)
    close()
    await expect.poll(() => closed).toHaveBeenCalled()
  })
})
