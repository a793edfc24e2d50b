import { describe, expect, it } from 'vitest'
import { describeForeign } from '../../../src/media/inspect/sniff.ts'

describe('a refused file is named', () => {
  it.each([
    ['PK\x03\x04\x14', 'a ZIP file, not media'],
    ['%PDF-1.7', 'a PDF document, not media'],
    ['\x89PNG\r\n\x1a\n', 'a PNG picture, not media'],
    ['\xff\xd8\xff\xe0', 'a JPEG picture, not media'],
    ['\0\0\0\x18ftypheic', 'a HEIC picture, not media'],
    ['RIFF\0\0\0\0AVI LIST', 'an AVI video, which is not supported. Convert it to one of mp4, mov'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'a WebP picture, not media'],
    ['wvpk', 'a WavPack file, which is not supported'],
    ['FRM8\0\0', 'a DSD file, which is not supported'],
    ['MP+\x07', 'a Musepack file, which is not supported'],
    ['MPCKSH', 'a Musepack file, which is not supported'],
    [
      `G${'\0'.repeat(187)}G${'\0'.repeat(187)}G${'\0'.repeat(187)}`,
      'an MPEG transport stream, which is not supported',
    ],
    [`\0\0\0\0G${'\0'.repeat(191)}G${'\0'.repeat(191)}G${'\0'.repeat(187)}`, 'an MPEG transport stream'],
    ['\0\0\x01\xb3', 'an MPEG video without a container, which is not supported'],
    ['\0\0\0\x01\x67\x64', 'an H.264 video without a container'],
    ['\0\0\0\x01\x40\x01', 'an H.265 video without a container'],
    ['DKIF\0\0', 'an IVF video, which is not supported'],
    ['\x06\x0e\x2b\x34', 'an MXF file, which is not supported'],
    ['TTA1', 'a True Audio file (TTA), which is not supported'],
    ['\x0b\x77', 'an AC-3 stream without a container, which is not supported'],
    ['<!DOCTYPE html><p>Sign in', 'a web page or a document, not media'],
    ['#EXTM3U\n', 'a streaming playlist, not media'],
    ['\0\0\0\x18stypmsdh', 'a segment of a stream, without the part that describes its tracks'],
    ['\0\0\0\x60moof', 'Put its initialization segment in front of it'],
    ['\x1f\x43\xb6\x75\x01', 'a segment of a stream'],
    ['', 'The file is empty'],
    ['nothing known', 'no supported format, whatever its name says. Use one of mp4, mov'],
  ])('%j', (bytes, text) => {
    expect(describeForeign(Buffer.from(bytes, 'latin1'))).toContain(text)
  })
})
