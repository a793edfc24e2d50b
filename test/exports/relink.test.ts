import { describe, expect, it } from 'vitest'
import { mediaAddress, mediaPathPattern } from '../../src/exports/media-address.ts'
import { exportOf, filmExport, written } from './documents.ts'

describe('the path of the media', () => {
  it.each([
    ['/Volumes/Card 1/a&b.mov', 'file://localhost/Volumes/Card%201/a%26b.mov'],
    ['/Volumes/Card/', "file://localhost/Volumes/Card/it's%20a%20talk.mp4"],
    ['C:\\Film\\talk.mov', 'file://localhost/C%3A/Film/talk.mov'],
    ['D:\\Film\\', "file://localhost/D%3A/Film/it's%20a%20talk.mp4"],
    ['\\\\nas\\film\\talk.mov', 'file://nas/film/talk.mov'],
    ['https://media.example/a b.mov?x=1', 'https://media.example/a%20b.mov?x=1'],
  ])('%s is %s in every format that has one', (mediaPath, address) => {
    expect(mediaPath).toMatch(mediaPathPattern)
    const document = exportOf(25, '01:00:00:00', { mediaPath })
    expect(mediaAddress(document)).toBe(address)
    expect(written('fcpxml', document)).toContain(` src="${address.replaceAll('&', '&amp;')}"`)
    expect(written('xmeml', document)).toContain(`<pathurl>${address}</pathurl>`)
    expect(written('otio', document)).toContain(`"target_url": ${JSON.stringify(address)}`)
  })

  it('is as it was given in an EDL and in a command', () => {
    const document = exportOf(25, undefined, { mediaPath: "/Volumes/it's/" })
    expect(written('edl', document)).toContain("\n* SOURCE FILE: /Volumes/it's/it's a talk.mp4\n")
    expect(written('ffmpeg', document)).toMatch(
      /^ffmpeg -i '\/Volumes\/it'\\''s\/it'\\''s a talk\.mp4' .* '\.\/it'\\''s a talk-cut\.mp4'\n$/,
    )
  })

  it.each([
    ['https://cdn.example/films/', 'https://cdn.example/films/Take%20%232%2050%25.mp4'],
    ['file:///Volumes/Card 1/', 'file:///Volumes/Card 1/Take #2 50%.mp4'],
  ])('in %s has the name of the media, whatever its characters', (mediaPath, path) => {
    const document = { ...exportOf(25, undefined, { mediaPath }), mediaName: 'Take #2 50%.mp4' }
    expect(mediaAddress(document)).toBe(`${mediaPath.replace(' ', '%20')}Take%20%232%2050%25.mp4`)
    expect(written('ffmpeg', document)).toContain(`ffmpeg -i '${path}' `)
  })

  it.each(['talk.mov', '../talk.mov', 'javascript:alert(1)', '-i', '/a\nb', ''])('is not %j', (path) => {
    expect(path).not.toMatch(mediaPathPattern)
  })
})

it('the reel has its name in every format', () => {
  const document = exportOf(25, '01:00:00:00', { reel: 'A001_C02' })
  expect(written('edl', document)).toContain('\n001  A001_C02 AA/V  C        01:00:01:00 ')
  expect(written('fcpxml', document)).toContain('<md key="com.apple.proapps.studio.reel" value="A001_C02"/>')
  expect(written('xmeml', document).replaceAll(/\n\s*/g, '')).toContain('<reel><name>A001_C02</name></reel></timecode>')
  expect(written('otio', document)).toMatch(/"cmx_3600": \{\s+"reel": "A001_C02"/)
})

describe('the timecode with which the timeline begins', () => {
  it('is that of the caller in every format', () => {
    const document = exportOf(25, '10:00:00:00', { recordStart: '00:59:50:12' })
    expect(written('edl', document)).toMatch(/ C {8}10:00:01:00 10:00:03:12 00:59:50:12 00:59:52:24\n/)
    expect(written('fcpxml', document)).toMatch(
      /tcStart="89762\/25s".*<asset-clip [^>]* offset="89762\/25s" start="36001s"/s,
    )
    expect(written('xmeml', document)).toContain('<string>00:59:50:12</string>')
    expect(written('otio', document)).toMatch(/"global_start_time": \{[^}]*"value": 89762\s/)
  })

  it('counts as the media does, and without a timecode of the media as it is written', () => {
    const recordFrame = (timecode: string | undefined, recordStart: string) =>
      exportOf(29.97, timecode, { recordStart }).recordFrame
    expect(recordFrame('10:00:00;00', '01:00:00:00')).toBe(107_892)
    expect(recordFrame('10:00:00:00', '01:00:00;00')).toBe(108_000)
    expect(recordFrame(undefined, '01:00:00;00')).toBe(107_892)
    expect(recordFrame(undefined, '01:00:00:00')).toBe(108_000)
    expect(exportOf(29.97, undefined, { recordStart: '01:00:00;00' }).isDropFrame).toBe(true)
    expect(recordFrame('10:00:00;00', '00:01:00:00')).toBe(1800)
  })

  it('is refused if the rate has no such frame', () => {
    expect(() => exportOf(25, undefined, { recordStart: '01:00:00:25' })).toThrow('record_start: 01:00:00:25 has more')
  })

  it('is hour one in an EDL and 0 elsewhere without it', () => {
    expect(written('edl', filmExport)).toContain(' 01:00:00:00 01:00:02:12\n')
    expect(written('fcpxml', filmExport)).toContain(' tcStart="0s" ')
  })
})
