import { expect, it } from 'vitest'
import { errorTable } from '../../src/core/errors.ts'
import { isMediaFormat, mediaFormats } from '../../src/core/media.ts'

it('accepts exactly the published file types, and the error for others lists them', () => {
  expect(mediaFormats).toEqual(['mp4', 'mov', 'webm', 'm4v', 'mp3', 'wav', 'm4a', 'aac', 'ogg'])
  expect(errorTable.unsupported_file_type.message).toContain(mediaFormats.join(', '))
})

it.each(['MP4', 'avi', 'toString', '__proto__', ''])('refuses %j', (name) => {
  expect(isMediaFormat(name)).toBe(false)
})
