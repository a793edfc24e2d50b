import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/core/errors.ts'
import { parseMediaUrl } from '../../src/jobs/resolve-media.ts'

describe('parseMediaUrl', () => {
  it.each(['https://example.com/a.mp4', 'http://example.com:8080/a?b=c', 'HTTPS://EXAMPLE.COM', 'http://127.0.0.1/a'])(
    'takes %s',
    (text) => {
      expect(parseMediaUrl(text).href).toBe(new URL(text).href)
    },
  )

  it.each([
    ['', 'not a URL'],
    ['example.com/a.mp4', 'not a URL'],
    ['/a.mp4', 'not a URL'],
    ['http://', 'not a URL'],
    ['http://[fe80::1%25eth0]/', 'not a URL'],
    ['ftp://example.com/a.mp4', 'http:// or https://'],
    ['file:///etc/passwd', 'http:// or https://'],
    ['data:video/mp4;base64,AAAA', 'http:// or https://'],
    ['javascript:alert(1)', 'http:// or https://'],
    ['concat:http://a|http://b', 'http:// or https://'],
    ['https://user@example.com/', 'user name or password'],
    ['https://:secret@example.com/', 'user name or password'],
    [`https://example.com/${'a'.repeat(2048)}`, 'longer than 2048'],
  ])('refuses %s', (text, reason) => {
    expect(() => parseMediaUrl(text)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(reason) }),
    )
  })

  it('refuses any other text with invalid_request, without repeating it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl().map((url) => url.replace('://', '://u:p@')),
        ),
        (text) => {
          try {
            parseMediaUrl(text)
          } catch (error) {
            expect(error).toBeInstanceOf(ServiceError)
            expect(error).toMatchObject({ code: 'invalid_request' })
            if (text.length > 12) expect(String(error)).not.toContain(text)
            return
          }
          expect(text).toMatch(/^\s*https?:/i)
        },
      ),
    )
  })
})
