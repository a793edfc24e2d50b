import { isIP } from 'node:net'
import { describe, expect, it } from 'vitest'
import { resolveTarget } from '../../src/net/resolve-target.ts'

const answering =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: isIP(address) }))
const neverAsked = async () => {
  throw new Error('the name was resolved')
}
const blocked = expect.objectContaining({ code: 'media_blocked', retryable: false })
const blockedMessage =
  'The media URL points to an address that is not allowed. Use a public http(s) URL on port 80 or 443, without a password, or upload the file.'

describe('a literal address', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://0/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://169.254.169.254/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
    'http://10.255.255.255/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://255.255.255.255/',
    'http://224.0.0.1/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
  ])('is refused in the spelling %s', async (url) => {
    await expect(resolveTarget(new URL(url), [], neverAsked)).rejects.toEqual(blocked)
  })

  it('is used as it is where it is public', async () => {
    expect(await resolveTarget(new URL('http://8.8.8.8/'), [], neverAsked)).toEqual([{ address: '8.8.8.8', family: 4 }])
    expect(await resolveTarget(new URL('https://[2606:4700::1111]/'), [], neverAsked)).toEqual([
      { address: '2606:4700::1111', family: 6 },
    ])
  })
})

describe('a name', () => {
  it('gives all its addresses where all are public', async () => {
    const addresses = await resolveTarget(
      new URL('https://example.com/'),
      [],
      answering('93.184.215.14', '2606:4700::1111'),
    )
    expect(addresses).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
  })

  it.each([
    [['127.0.0.1']],
    [['93.184.215.14', '10.0.0.1']],
    [['10.0.0.1', '93.184.215.14']],
    [['93.184.215.14', '::1']],
    [['::ffff:127.0.0.1']],
    [['fe80::1%eth0']],
  ])('is refused at %j', async (addresses) => {
    await expect(resolveTarget(new URL('https://example.com/'), [], answering(...addresses))).rejects.toEqual(blocked)
  })

  it.each([
    'http://localhost/',
    'http://LOCALHOST./',
    'http://localhost../',
    'http://a.localhost../',
    'http://metadata.google.internal.../',
    'http://a.localhost/',
    'http://printer.local/',
    'http://db.internal/',
    'http://router.home.arpa/',
    'http://postgres/',
  ])('is refused unasked where it is local: %s', async (url) => {
    await expect(resolveTarget(new URL(url), [], neverAsked)).rejects.toEqual(blocked)
  })

  it('that has no address does not exist', async () => {
    await expect(resolveTarget(new URL('https://example.com/'), [], answering())).rejects.toMatchObject({
      code: 'ENOTFOUND',
    })
  })

  it('with thousands of addresses is connected to at eight of each family, and refused if any of all is not public', async () => {
    const four = Array.from({ length: 2_000 }, (_, index) => `93.184.${index >> 8}.${index & 255}`)
    const six = Array.from({ length: 2_000 }, (_, index) => `2606:2800:220:1::${index.toString(16)}`)
    const url = new URL('https://many.example/')
    const addresses = await resolveTarget(url, [], answering(...four, ...six))
    expect(addresses.map(({ address }) => address)).toEqual([...four.slice(0, 8), ...six.slice(0, 8)])
    await expect(resolveTarget(url, [], answering(...four, '10.0.0.1'))).rejects.toEqual(blocked)
  })
})

describe('a URL', () => {
  it.each([
    'http://example.com:22/',
    'http://example.com:8080/',
    'https://example.com:8443/',
    'http://8.8.8.8:25/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    'https://user@example.com/',
  ])('is refused for what it says: %s', async (url) => {
    await expect(resolveTarget(new URL(url), [], neverAsked)).rejects.toEqual(blocked)
  })

  it.each(['http://example.com:80/', 'https://example.com:443/', 'http://example.com:443/', 'https://example.com:80/'])(
    'may name a web port: %s',
    async (url) => {
      expect(await resolveTarget(new URL(url), [], answering('8.8.8.8'))).toHaveLength(1)
    },
  )

  it('is refused with one text, whatever is behind it; the log learns the reason', async () => {
    const refusals = await Promise.all(
      ['http://127.0.0.1/', 'http://10.1.2.3/', 'http://localhost/', 'http://example.com:22/'].map((url) =>
        resolveTarget(new URL(url), [], neverAsked).catch((error: unknown) => error),
      ),
    )
    for (const refusal of refusals) expect(refusal).toMatchObject({ message: blockedMessage })
    expect(refusals[1]).toMatchObject({ cause: { message: expect.stringContaining('10.1.2.3') } })
  })
})

describe('hosts that the set-up opens', () => {
  const local = answering('127.0.0.1')

  it.each([
    ['localhost', 'http://localhost:9000/'],
    ['localhost:9000', 'http://localhost:9000/'],
    ['LocalHost:9000', 'http://localhost.:9000/'],
    ['media.test:80', 'http://media.test/'],
    ['media.test:443', 'https://media.test/'],
    ['127.0.0.1', 'http://127.0.0.1:9000/'],
    ['127.0.0.1:9000', 'http://2130706433:9000/'],
    ['::1', 'http://[::1]:9000/'],
    ['[::1]:9000', 'http://[::1]:9000/'],
  ])('%s opens %s', async (entry, url) => {
    expect(await resolveTarget(new URL(url), ['other.test', entry], local)).toHaveLength(1)
  })

  it.each([
    ['localhost:9000', 'http://localhost:9001/'],
    ['localhost:9000', 'http://127.0.0.1:9000/'],
    ['127.0.0.1', 'http://127.0.0.2/'],
    ['media.test', 'http://a.media.test/'],
    ['media.test', 'http://media.test.evil.example/'],
    ['media.test:443', 'http://media.test/'],
    ['', 'http://localhost/'],
    ['*', 'http://localhost/'],
    ['.test', 'http://media.test/'],
  ])('%j does not open %s', async (entry, url) => {
    await expect(resolveTarget(new URL(url), [entry], local)).rejects.toEqual(blocked)
  })

  it('does not open credentials or other schemes', async () => {
    await expect(resolveTarget(new URL('http://a:b@localhost/'), ['localhost'], local)).rejects.toEqual(blocked)
    await expect(resolveTarget(new URL('ftp://localhost/'), ['localhost'], local)).rejects.toEqual(blocked)
  })
})
