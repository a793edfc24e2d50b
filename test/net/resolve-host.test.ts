import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDnsResolver, resolverFor, resolveWithSystem } from '../../src/net/resolve-target.ts'

const [typeA, typeAAAA] = [1, 28]
const [noError, serverFailure, noSuchName] = [0, 2, 3]
const ipv4 = Buffer.from([93, 184, 215, 14])
const ipv6 = Buffer.from('26064700000000000000000000001111', 'hex')

interface DnsAnswer {
  readonly code: number
  readonly address?: Buffer
}

/** A DNS server on loopback; it answers nothing where `answer` returns nothing. */
async function serveDns(answer: (type: number) => DnsAnswer | undefined) {
  const socket = createSocket('udp4')
  const queries: Buffer[] = []
  socket.on('message', (query, { port, address }) => {
    queries.push(query)
    const questionEnd = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(questionEnd - 4)
    const given = answer(type)
    if (given) socket.send(reply(query.subarray(0, questionEnd), type, given), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { queries, resolve: createDnsResolver([`127.0.0.1:${socket.address().port}`]) }
}

/** RFC 1035, 4: the header and the question of the query, and a record that points to the question's name. */
function reply(asked: Buffer, type: number, { code, address }: DnsAnswer): Buffer {
  const header = Buffer.from(asked.subarray(0, 12))
  header.writeUInt16BE(0x8180 + code, 2)
  header.writeUInt16BE(address ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  const question = asked.subarray(12)
  if (!address) return Buffer.concat([header, question])
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length])
  return Buffer.concat([header, question, record, address])
}

const never = new AbortController().signal

describe('DNS', () => {
  it.each([
    [
      'both kinds of addresses',
      { [typeA]: { code: noError, address: ipv4 }, [typeAAAA]: { code: noError, address: ipv6 } },
    ],
    ['IPv4 alone', { [typeA]: { code: noError, address: ipv4 }, [typeAAAA]: { code: noError } }],
    ['IPv6 alone', { [typeA]: { code: noError }, [typeAAAA]: { code: noError, address: ipv6 } }],
    ['IPv4, and fails for IPv6', { [typeA]: { code: noError, address: ipv4 }, [typeAAAA]: { code: serverFailure } }],
  ])('finds %s', async (_what, answers: Readonly<Record<number, DnsAnswer>>) => {
    const { resolve } = await serveDns((type) => answers[type])
    const expected = [
      ...(answers[typeA]?.address ? [{ address: '93.184.215.14', family: 4 }] : []),
      ...(answers[typeAAAA]?.address ? [{ address: '2606:4700::1111', family: 6 }] : []),
    ]
    expect(await resolve('media.test', never)).toEqual(expected)
  })

  it.each([
    ['ENOTFOUND', 'does not exist', noSuchName, noSuchName],
    ['ENODATA', 'has no address', noError, noError],
    ['ESERVFAIL', 'has no IPv4 address, and cannot be asked for another', noError, serverFailure],
  ])('rejects with %s if the name %s', async (code, _what, ofA, ofAAAA) => {
    const { resolve } = await serveDns((type) => ({ code: type === typeA ? ofA : ofAAAA }))
    await expect(resolve('media.test', never)).rejects.toMatchObject({ code })
  })

  it('finds a name while the servers of many others do not answer', async () => {
    const silent = await serveDns(() => undefined)
    const aborts = Array.from({ length: 32 }, () => new AbortController())
    const waiting = aborts.map(({ signal }, index) => silent.resolve(`a${index}.test`, signal))
    const refusals = waiting.map((one) => expect(one).rejects.toMatchObject({ code: 'ECANCELLED' }))
    await expect.poll(() => silent.queries.length).toBeGreaterThanOrEqual(64)
    const { resolve } = await serveDns((type) =>
      type === typeA ? { code: noError, address: ipv4 } : { code: noError },
    )
    expect(await resolve('media.test', never)).toHaveLength(1)
    // The threads of the process are free, too.
    expect(await resolveWithSystem('localhost', never)).not.toEqual([])

    for (const abort of aborts) abort.abort()
    await Promise.all(refusals)
  })
})

it('asks the system, with /etc/hosts, for names that the operator allowed alone', () => {
  const resolverOf = (url: string) => resolverFor(new URL(url), ['localhost', 'nas.example:8000'])
  expect(resolverOf('http://localhost:3000/')).toBe(resolveWithSystem)
  expect(resolverOf('http://nas.example:8000/')).toBe(resolveWithSystem)
  expect(resolverOf('http://nas.example/')).not.toBe(resolveWithSystem)
  expect(resolverOf('https://media.example/')).not.toBe(resolveWithSystem)
})
