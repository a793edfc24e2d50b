import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSigner, type SignInput } from '../../src/storage/signing.ts'

const secret = 'a secret of the tests, 32 characters'
const signer = createSigner({ keyId: 'k1', secret })
const now = new Date('2026-06-09T12:00:00Z')

const input = fc.record<SignInput>({
  method: fc.constantFrom('GET', 'PUT'),
  path: fc.stringMatching(/^\/storage\/[a-zA-Z0-9._/-]{1,40}$/),
  expiresAt: fc.date({ min: new Date(now.getTime() + 2000), max: new Date('2100-01-01'), noInvalidDate: true }),
  contentType: fc.string(),
  maxBytes: fc.option(fc.maxSafeNat()),
  fileName: fc.option(fc.string({ unit: 'grapheme' })),
})

const verify = ({ method, path }: Pick<SignInput, 'method' | 'path'>, query: string, at = now) =>
  signer.verify(method, path, new URLSearchParams(query), at)

describe('createSigner', () => {
  it('returns the constraints that it signed', () => {
    fc.assert(
      fc.property(input, (signed) => {
        const { contentType, maxBytes, fileName } = signed
        const verification = verify(signed, signer.sign(signed).toString())
        expect(verification).toEqual({
          status: 'valid',
          asAttachment: false,
          constraints: { contentType, maxBytes, fileName },
        })
      }),
    )
  })

  it('lets a GET ask for an attachment with download=1, once and with no other value', () => {
    fc.assert(
      fc.property(input, fc.string(), (signed, other) => {
        const query = signer.sign(signed)
        const asked = verify(signed, `${query}&download=1`)
        if (signed.method === 'GET') expect(asked).toMatchObject({ status: 'valid', asAttachment: true })
        else expect(asked.status).toBe('altered')
        expect(verify(signed, `${query}&download=1&download=1`).status).toBe('altered')
        fc.pre(other !== '1')
        expect(verify(signed, `${query}&${new URLSearchParams({ download: other })}`).status).toBe('altered')
      }),
    )
  })

  it('refuses another method or path', () => {
    fc.assert(
      fc.property(input, fc.string({ minLength: 1 }), (signed, more) => {
        const query = signer.sign(signed).toString()
        expect(verify({ ...signed, method: signed.method === 'GET' ? 'PUT' : 'GET' }, query).status).toBe('altered')
        expect(verify({ ...signed, path: signed.path + more }, query).status).toBe('altered')
      }),
    )
  })

  it('refuses a changed, dropped, added or doubled parameter', () => {
    const names = ['key', 'expires', 'type', 'max_bytes', 'filename', 'signature', 'other']
    fc.assert(
      fc.property(
        input,
        fc.constantFrom(...names),
        fc.constantFrom('set', 'append', 'delete'),
        fc.string(),
        (signed, name, change, value) => {
          const query = signer.sign(signed)
          const changed = new URLSearchParams(query)
          if (change === 'set') changed.set(name, value)
          if (change === 'append') changed.append(name, value)
          if (change === 'delete') changed.delete(name)
          fc.pre(changed.toString() !== query.toString())
          expect(verify(signed, changed.toString()).status).toBe('altered')
        },
      ),
      { numRuns: 500 },
    )
  })

  it('refuses a signature with one changed character', () => {
    fc.assert(
      fc.property(input, fc.nat(42), fc.stringMatching(/^[\w=-]$/), (signed, at, character) => {
        const query = signer.sign(signed)
        const signature = query.get('signature') ?? ''
        fc.pre(signature[at] !== character)
        query.set('signature', signature.slice(0, at) + character + signature.slice(at + 1))
        expect(verify(signed, query.toString()).status).toBe('altered')
      }),
      { numRuns: 500 },
    )
  })

  it('expires at its second', () => {
    fc.assert(
      fc.property(input, (signed) => {
        const query = signer.sign(signed).toString()
        const expiry = Math.floor(signed.expiresAt.getTime() / 1000) * 1000
        expect(verify(signed, query, new Date(expiry - 1)).status).toBe('valid')
        expect(verify(signed, query, new Date(expiry)).status).toBe('expired')
      }),
    )
  })

  it('calls a changed URL altered even after its expiry', () => {
    const signed = {
      method: 'GET',
      path: '/storage/a',
      expiresAt: new Date(0),
      contentType: 'video/mp4',
      maxBytes: null,
      fileName: 'a',
    } as const
    expect(verify(signed, signer.sign(signed).toString()).status).toBe('expired')
    expect(verify({ ...signed, path: '/storage/b' }, signer.sign(signed).toString()).status).toBe('altered')
  })

  it('refuses signatures of another key or secret, and a query without a signature', () => {
    fc.assert(
      fc.property(input, (signed) => {
        const others = [createSigner({ keyId: 'k2', secret }), createSigner({ keyId: 'k1', secret: `${secret}!` })]
        for (const other of others) expect(verify(signed, other.sign(signed).toString()).status).toBe('altered')
        expect(verify(signed, '').status).toBe('altered')
      }),
    )
  })

  it('accepts the signatures of its other keys, and signs with the first', () => {
    const [old, next] = [
      { keyId: 'k1', secret },
      { keyId: 'k2', secret: `${secret}!` },
    ]
    fc.assert(
      fc.property(input, (signed) => {
        const query = createSigner(old).sign(signed).toString()
        const rotating = createSigner(next, old)
        expect(rotating.verify(signed.method, signed.path, new URLSearchParams(query), now).status).toBe('valid')
        expect(rotating.sign(signed).get('key')).toBe('k2')
        const swapped = query.replace('key=k1', 'key=k2')
        expect(rotating.verify(signed.method, signed.path, new URLSearchParams(swapped), now).status).toBe('altered')
      }),
    )
  })

  it('refuses a parameter that is sent twice with one value', () => {
    fc.assert(
      fc.property(input, (signed) => {
        const query = signer.sign(signed)
        for (const [name, value] of query) {
          expect(verify(signed, `${query}&${new URLSearchParams([[name, value]])}`).status).toBe('altered')
        }
      }),
    )
  })

  it('accepts a URL whose encoding a client changed without changing its meaning', () => {
    const signed = {
      method: 'GET',
      path: '/storage/a',
      expiresAt: new Date('2026-06-10'),
      contentType: 'video/mp4',
      maxBytes: null,
      fileName: 'my clip.mp4',
    } as const
    const query = signer.sign(signed).toString()
    expect(query).toContain('my+clip')
    expect(verify(signed, query.replace('my+clip', 'my%20clip')).status).toBe('valid')
  })
})
