import { BlockList } from 'node:net'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/net/target-policy.ts'

/** The IANA special-purpose registries, multicast and what is reserved, written down apart from the library's tables. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '168.63.129.16/32',
]
const special6 = [
  '::/3',
  '::1/128',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '4000::/2',
  '5f00::/16',
  '8000::/1',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

/** One list a family: a list with `::ffff:0:0/96` in it holds every IPv4 address. */
function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [address = '', bits] of subnets.map((subnet) => subnet.split('/')))
    list.addSubnet(address, Number(bits), family)
  return list
}
const refused = { ipv4: blockList(special4, 'ipv4'), ipv6: blockList(special6, 'ipv6') }

const byte = fc.nat(255)
const address4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'))
const address6 = fc.ipV6()
/** An address inside a subnet: its prefix, with any bits after it. */
const within = (subnet: string) => {
  const [network, bits] = ipaddr.parseCIDR(subnet)
  const bytes = network.toByteArray()
  return fc.array(byte, { minLength: bytes.length, maxLength: bytes.length }).map((random) => {
    const mixed = bytes.map((fixed, index) => {
      const mask = (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))) & 0xff
      return (fixed & mask) | ((random[index] ?? 0) & ~mask & 0xff)
    })
    return ipaddr.fromByteArray(mixed).toString()
  })
}

describe('isPublicAddress', () => {
  it.each([...special4, ...special6])('refuses everything in %s', (subnet) => {
    fc.assert(
      fc.property(within(subnet), (address) => !isPublicAddress(address)),
      { numRuns: 30 },
    )
  })

  it('agrees with the registries on any address', () => {
    fc.assert(
      fc.property(address4, (address) => isPublicAddress(address) !== refused.ipv4.check(address, 'ipv4')),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(within('2000::/3'), (address) => isPublicAddress(address) !== refused.ipv6.check(address, 'ipv6')),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(address6, (address) => isPublicAddress(address) !== refused.ipv6.check(address, 'ipv6')),
      { numRuns: 2000 },
    )
  })

  it('refuses every IPv6 form that carries an IPv4 address, whichever it is', () => {
    fc.assert(
      fc.property(address4, (address) => {
        const [high, low] = ipaddr.IPv4.parse(address)
          .toIPv4MappedAddress()
          .parts.slice(6)
          .map((part) => part.toString(16))
        const forms = [
          `::ffff:${address}`,
          `::${address}`,
          `::ffff:0:${address}`,
          `64:ff9b::${address}`,
          `64:ff9b:1::${address}`,
          `2002:${high}:${low}::1`,
          `2001:0:${high}:${low}::1`,
          `::ffff:${high}:${low}`,
        ]
        for (const form of forms) expect([form, isPublicAddress(form)]).toEqual([form, false])
      }),
    )
  })

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.215.14',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '2001:4860:4860::8888',
  ])('takes %s', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '01.1.1.1',
    '1.1.1.1.',
    ' 1.1.1.1',
    '2606:4700::1%eth0',
    'fe80::1%1',
    '[2606:4700::1]',
    '1.1.1.1/32',
  ])('refuses %j, which is no plain address', (text) => expect(isPublicAddress(text)).toBe(false))

  it('refuses any text that is no address', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPublicAddress(text)))
  })
})
