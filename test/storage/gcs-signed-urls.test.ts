import { createHash, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { outputNames } from '../../src/core/file-names.ts'
import { openGcsStorage } from '../../src/storage/gcs/gcs-storage.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const credentials = {
  client_email: 'signer@project.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
const storage = openGcsStorage({ bucket: 'media-bucket', credentials })

interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

const upload = async (): Promise<SignedRequest> => {
  const signed = await storage.presignPut({
    key: 'uploads/upl_1/media.mp4',
    contentType: 'video/mp4',
    maxBytes: 5_000_000,
    expiresInSeconds: 900,
  })
  return { method: 'PUT', url: new URL(signed.url), headers: signed.headers }
}
const download = async (
  contentType = 'video/mp4',
  fileName = 'Kürbis "1".mp4',
  asAttachment = false,
): Promise<SignedRequest> => {
  const file = { key: 'outputs/a/b.mp4', contentType, fileName }
  const { url } = await storage.presignGet({ ...file, expiresInSeconds: 3600, asAttachment })
  return { method: 'GET', url: new URL(url), headers: {} }
}

describe('a signed upload URL', () => {
  it('has bucket, key, expiry and the headers that GCS requires', async () => {
    const { url, headers } = await upload()
    expect(`${url.origin}${url.pathname}`).toBe('https://storage.googleapis.com/media-bucket/uploads/upl_1/media.mp4')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      'X-Goog-Algorithm': 'GOOG4-RSA-SHA256',
      'X-Goog-Credential': expect.stringMatching(/^signer@project\.iam\.gserviceaccount\.com\/\d{8}\/auto\/storage\//),
      'X-Goog-Expires': '900',
      'X-Goog-SignedHeaders': 'content-type;host;x-goog-content-length-range;x-goog-if-generation-match',
    })
    expect(headers).toEqual({
      'content-type': 'video/mp4',
      'x-goog-if-generation-match': '0',
      'x-goog-content-length-range': '0,5000000',
    })
  })

  it('is signed for exactly one request', async () => {
    const signed = await upload()
    expect(isSigned(signed)).toBe(true)
    const { headers } = signed
    for (const [name, value] of [
      ['content-type', 'text/html'],
      ['x-goog-if-generation-match', '7'],
      ['x-goog-content-length-range', '0,5000001'],
    ] as const) {
      expect(isSigned({ ...signed, headers: { ...headers, [name]: value } })).toBe(false)
      expect(isSigned({ ...signed, headers: without(headers, name) })).toBe(false)
    }
    expect(isSigned({ ...signed, method: 'GET' })).toBe(false)
    expect(isSigned({ ...signed, url: changed(signed.url, (url) => (url.pathname += 'x')) })).toBe(false)
    expect(isSigned({ ...signed, url: changed(signed.url, (url) => (url.hostname = 'example.com')) })).toBe(false)
    for (const [name, value] of [
      ['X-Goog-Expires', '90000'],
      ['X-Goog-SignedHeaders', 'content-type;host'],
      ['uploadType', 'resumable'],
    ] as const) {
      expect(isSigned({ ...signed, url: changed(signed.url, (url) => url.searchParams.set(name, value)) })).toBe(false)
    }
  })
})

describe('a signed output URL', () => {
  it('serves the object with its type and name', async () => {
    const signed = await download()
    expect(isSigned(signed)).toBe(true)
    expect(signed.url.searchParams.get('X-Goog-Expires')).toBe('3600')
    expect(signed.url.searchParams.get('response-content-type')).toBe('video/mp4')
    expect(signed.url.searchParams.get('response-content-disposition')).toBe(
      `inline; filename="Kurbis \\"1\\".mp4"; filename*=UTF-8''K%C3%BCrbis%20%221%22.mp4`,
    )
  })

  it('saves the file where an attachment is asked for', async () => {
    const signed = await download('video/mp4', 'talk-clip.mp4', true)
    expect(isSigned(signed)).toBe(true)
    expect(signed.url.searchParams.get('response-content-type')).toBe('video/mp4')
    expect(signed.url.searchParams.get('response-content-disposition')).toBe('attachment; filename=talk-clip.mp4')
  })

  it('serves files that browsers could run as a download without a type', async () => {
    const { url } = await download('text/html', 'page.html')
    expect(url.searchParams.get('response-content-type')).toBe('application/octet-stream')
    expect(url.searchParams.get('response-content-disposition')).toMatch(/^attachment; /)
  })

  it('cannot be changed to serve it differently', async () => {
    const signed = await download()
    const url = changed(signed.url, ({ searchParams }) => searchParams.set('response-content-type', 'text/html'))
    expect(isSigned({ ...signed, url })).toBe(false)
  })

  it('stays below the maximum length of a media_url', async () => {
    for (const character of ['ü', '東', '🎙', ' ', '"', '%']) {
      const [name] = outputNames([{ fileName: 'clip.mp4' }], { source: `a${character.repeat(200)}b.mp4` })
      expect((await download('video/mp4', name, true)).url.href.length).toBeLessThan(2048)
    }
  })
})

it('signed URLs start with the public endpoint, and are recognised there', async () => {
  const emulated = openGcsStorage({
    bucket: 'media-bucket',
    apiEndpoint: 'http://gcs:4443',
    publicEndpoint: 'http://localhost:4443',
  })
  const { url } = await emulated.presignGet({
    key: 'outputs/a/b.mp4',
    contentType: 'video/mp4',
    fileName: 'b.mp4',
    expiresInSeconds: 60,
  })
  expect(url).toMatch('http://localhost:4443/media-bucket/outputs/a/b.mp4?')
  expect(emulated.objectOf(new URL(url))).toEqual({ key: 'outputs/a/b.mp4', status: 'valid' })
})

it.each([
  'https://storage.googleapis.com/other-bucket/outputs/a/b.mp4?X-Goog-Signature=1',
  'https://storage.googleapis.com/media-bucket-2/outputs/a/b.mp4',
  'https://storage.googleapis.com/media-bucket',
  'https://media-bucket.example.com/outputs/a/b.mp4',
])('%s is no object of ours', (url) => {
  expect(storage.objectOf(new URL(url))).toBeUndefined()
})

it.each(['X-Goog-Date', 'X-Goog-Expires', 'X-Goog-Signature'])('a URL without %s is an altered one', async (name) => {
  const { url } = await download()
  url.searchParams.delete(name)
  expect(storage.objectOf(url)).toEqual({ key: 'outputs/a/b.mp4', status: 'altered' })
})

it.each(['/media-bucket/../x', '/media-bucket/a//b', '/media-bucket/a%2Fb', '/media-bucket/'])(
  'a URL with the path %s names nothing that can be asked for',
  async (path) => {
    const url = new URL(path, (await download()).url)
    expect(storage.objectOf(url)?.status).not.toBe('valid')
  },
)

/** As GCS checks it: https://cloud.google.com/storage/docs/authentication/canonical-requests */
function isSigned({ method, url, headers }: SignedRequest): boolean {
  const query = new Map(url.searchParams)
  const signature = Buffer.from(query.get('X-Goog-Signature') ?? '', 'hex')
  query.delete('X-Goog-Signature')
  const sent: Readonly<Record<string, string>> = { ...headers, host: url.hostname }
  const signedHeaders = query.get('X-Goog-SignedHeaders') ?? ''
  const request = [
    method,
    url.pathname,
    [...query]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${sent[name] ?? ''}`),
    '',
    signedHeaders,
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const scope = query.get('X-Goog-Credential')?.split('/').slice(1).join('/')
  const hash = createHash('sha256').update(request).digest('hex')
  const text = ['GOOG4-RSA-SHA256', query.get('X-Goog-Date'), scope, hash].join('\n')
  return verify('RSA-SHA256', Buffer.from(text), publicKey, signature)
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function changed(url: URL, change: (url: URL) => unknown): URL {
  const copy = new URL(url)
  change(copy)
  return copy
}

function without(headers: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name))
}
