import { describe, expect, it } from 'vitest'
import { pathUnder } from '../../src/core/urls.ts'

describe('pathUnder', () => {
  const bases = ['https://api.example.com', 'https://other.example.com/media']

  it.each([
    ['https://api.example.com/v1/media/x?a=b', '/v1/media/x'],
    ['HTTPS://API.EXAMPLE.COM:443/v1', '/v1'],
    ['https://api.example.com/', '/'],
    ['https://other.example.com/media/v1', '/v1'],
    ['https://other.example.com/v1', undefined],
    ['https://other.example.com/mediation/v1', undefined],
    ['http://api.example.com/v1', undefined],
    ['https://api.example.com.evil.test/v1', undefined],
    ['https://evil.test/https://api.example.com/v1', undefined],
  ])('%s is at %s', (url, path) => {
    expect(pathUnder(bases, new URL(url))).toBe(path)
  })
})
