import { parse } from 'content-disposition'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { servedFile } from '../../src/core/served-file.ts'

it.each([
  ['clip.mp4', 'inline; filename=clip.mp4'],
  ['my "clip".mp4', 'inline; filename="my \\"clip\\".mp4"'],
  ['Größe.mp4', `inline; filename=Gro_e.mp4; filename*=UTF-8''Gr%C3%B6%C3%9Fe.mp4`],
  ['Talk – 1.wav', `inline; filename="Talk - 1.wav"; filename*=UTF-8''Talk%20%E2%80%93%201.wav`],
  ['a\r\nb: c.mp4', 'inline; filename="a__b: c.mp4"'],
  ['\ud800.mp4', `inline; filename=_.mp4; filename*=UTF-8''%EF%BF%BD.mp4`],
])('names %j in one header', (name, expected) => {
  expect(servedFile('video/mp4', name)).toEqual({ contentType: 'video/mp4', contentDisposition: expected })
})

it('other files download without a type', () => {
  expect(servedFile('text/html', 'page.html')).toEqual({
    contentType: 'application/octet-stream',
    contentDisposition: 'attachment; filename=page.html',
  })
})

it('is one ASCII header value for any name, and preserves the name except for control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
      const { contentDisposition } = servedFile('video/mp4', name)
      expect(contentDisposition).toMatch(/^[ -~]*$/)
      expect(parse(contentDisposition).parameters['filename']).toBe(name.replace(/\p{Cc}/gu, '_'))
    }),
  )
})
