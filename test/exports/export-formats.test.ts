import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editRates } from '../../src/core/edit-rate.ts'
import { exportNounsOf } from '../../src/endpoints/catalog.ts'
import { cutFileOf, inCutFile } from '../../src/exports/cut-file.ts'
import { describeExport, type ExportPurpose, editsOf, mediaFrames } from '../../src/exports/export-document.ts'
import { exportEntries } from '../../src/exports/export-entries.ts'
import { exportFormatNames, exportFormats } from '../../src/exports/export-formats.ts'
import { markersOf } from '../../src/exports/markers.ts'
import { describeMulticam } from '../../src/exports/multicam.ts'
import { exportOf, filmExport, folded, soundExport, soundMedia, written } from './documents.ts'

describe('an export', () => {
  it.each(exportFormatNames)('as %s is shown like this', (name) => {
    expect(folded(written(name, filmExport))).toMatchSnapshot()
  })

  it('at 29.97 counts from the timecode of the media, with dropped numbers only if it has them', () => {
    expect(written('edl', exportOf(29.97, '01:00:59;28'))).toMatch(
      /FCM: DROP FRAME\n\n001 {2}AX {7}AA\/V {2}C {8}01:01:01;00 01:01:03;15 01:00:00;00 01:00:02;15/,
    )
    expect(written('edl', exportOf(29.97, '01:00:59:28'))).toMatch(/NON-DROP FRAME\n\n.* 01:01:00:28 /)
  })

  it.each([
    ['30', '01:00:00:00'],
    ['29.97', '00:59:56:12'],
  ] as const)('of sound counts from the time of day of its recorder, at %s', (name, first) => {
    const rate = editRates[name]
    const media = { ...soundMedia, secondsSinceMidnight: 3600 }
    const document = describeExport({ mediaName: 'a.wav', entries: [{ start: 0, end: 1, label: 'a' }], media, rate })
    expect(written('edl', document)).toContain(` C        ${first} `)
  })

  describe('of a picture that begins late', () => {
    const late = (timecode: string | undefined, what: ExportPurpose, ...starts: number[]) => {
      const entries = starts.map((start) => ({ start, end: start + 1, label: 'a', kind: 'word' }))
      return exportOf(25, timecode, { entries, what, video: { startSeconds: 0.52 } })
    }

    it.each([
      ['edl', ' C        01:00:02:00 '],
      ['fcpxml', ' start="3602s" '],
      ['xmeml', '<in>50</in>'],
      ['otio', '"value": 90050'],
    ] as const)('counts from its first frame, whose timecode it states, as %s', (name, position) => {
      expect(written(name, late('01:00:00:00', 'cuts', 2.52))).toContain(position)
      expect(written(name, late('01:00:00:00', 'markers', 2.52))).toContain(position)
    })

    it('has no frame before the first, and none after the last', () => {
      expect(editsOf(late('01:00:00:00', 'cuts', -0.6, 0.2, 119.6))).toMatchObject([
        { sourceStart: 0, sourceEnd: 17 },
        { sourceStart: 2977, sourceEnd: 2987 },
      ])
      expect(markersOf(late('01:00:00:00', 'markers', -0.6, 0.2, 119.6))).toMatchObject([
        { frame: 0, frames: 1 },
        { frame: 0, frames: 17 },
        { frame: 2977, frames: 10 },
      ])
    })

    it('counts from the start of the media without a timecode', () => {
      expect(editsOf(late(undefined, 'cuts', 2.52))).toMatchObject([{ sourceStart: 63, sourceEnd: 88 }])
    })

    it('is an angle that begins with its first frame', () => {
      const film = (startSeconds: number) => {
        const video = { codec: 'h264', width: 64, height: 36, hasVariableFrameRate: false, frameRate: 25, startSeconds }
        const media = { ...soundMedia, format: 'mp4' as const, timecode: '01:00:00:00', video }
        return { mediaName: 'a.mp4', media, offsetSeconds: 0, driftPpm: 0 }
      }
      const { angles } = describeMulticam([film(0), film(0.52)], {
        ...{ rate: undefined, mediaPath: undefined, recordStart: undefined },
      })
      expect(angles.map(({ startFrame, frames }) => [startFrame, frames])).toEqual([
        [0, 3000],
        [13, 2987],
      ])
    })
  })

  it('as fcpxml has times that are whole frames, at 29.97', () => {
    const times = written('fcpxml', exportOf(29.97)).matchAll(/(?:start|offset|uration)="([^"]+)s"/g)
    const wrong = [...times].filter(([, time = '']) => {
      const [value = 0, parts = 1] = time.split('/').map(Number)
      return ((value / parts) * 30_000) % 1001 > 1e-6 && ((value / parts) * 30_000) % 1001 < 1001 - 1e-6
    })
    expect(wrong).toEqual([])
  })

  it.each([
    [64, 45, '<pixelaspectratio>PAL-601</pixelaspectratio><anamorphic>TRUE</anamorphic>'],
    [16, 15, '<pixelaspectratio>PAL-601</pixelaspectratio><anamorphic>FALSE</anamorphic>'],
    [8, 9, '<pixelaspectratio>NTSC-601</pixelaspectratio><anamorphic>FALSE</anamorphic>'],
    [32, 27, '<pixelaspectratio>NTSC-601</pixelaspectratio><anamorphic>TRUE</anamorphic>'],
    [4, 3, '<pixelaspectratio>HD-(1440x1080)</pixelaspectratio><anamorphic>FALSE</anamorphic>'],
    [2, 1, '<height>720</height><fielddominance>'],
  ])('of a picture with pixels of %i:%i has them, in the file and on the timeline', (across, down, shape) => {
    const document = exportOf(25, undefined, { video: { pixelAspect: { across, down } } })
    expect(written('fcpxml', document)).toContain(` paspH="${across}" paspV="${down}"/>`)
    expect(written('xmeml', document).replaceAll(/\n\s*/g, '').split(shape)).toHaveLength(3)
  })

  it.each(['upper', 'lower'] as const)('of an interlaced picture says that the %s field is first', (firstField) => {
    const document = exportOf(25, undefined, { video: { firstField } })
    expect(written('fcpxml', document)).toContain(` fieldOrder="${firstField} first" `)
    expect(written('xmeml', document).split(`<fielddominance>${firstField}<`)).toHaveLength(3)
  })

  it('as ffmpeg has the frames of the EDL, where the times of an entry are rounded', () => {
    const entries = [{ start: 0.067, end: 0.2, label: 'four frames' }]
    const document = exportOf(30_000 / 1001, undefined, { entries })
    expect(written('edl', document)).toMatch(/ 00:00:00[:;]02 00:00:00[:;]06 /)
    const [, start, end] = /\[0:v\]trim=start=([\d.]+):end=([\d.]+)/.exec(written('ffmpeg', document)) ?? []
    const frames = Array.from({ length: 10 }, (_, frame) => frame).filter((frame) => {
      const seconds = (frame * 1001) / 30_000
      return seconds >= Number(start) && seconds < Number(end)
    })
    expect(frames).toEqual([2, 3, 4, 5])
  })

  it('as ffmpeg is a command of one file name each, whatever the name', () => {
    const command = written('ffmpeg', { ...soundExport, mediaName: `-a'; rm "$HOME".wav` })
    expect(command).toMatch(/^ffmpeg -i '\.\/-a'\\''; rm "\$HOME"\.wav' /)
  })

  it.each([
    ['talk', filmExport, 'talk-cut.mp4'],
    ['Talk v1.2', soundExport, 'Talk v1.2-cut.wav'],
    ['TALK.MOV', filmExport, 'TALK-cut.MOV'],
    [
      'media',
      describeExport({ mediaName: '', entries: soundExport.entries, media: undefined, rate: undefined }),
      'media-cut.m4a',
    ],
  ])('as ffmpeg writes a file whose name has a format: %s', (mediaName, document, output) => {
    expect(written('ffmpeg', { ...document, mediaName })).toMatch(new RegExp(` '\\./${output}'\n$`))
  })

  it('as ffmpeg is refused where no shell would start the command', () => {
    const document = (count: number) => {
      const entries = Array.from({ length: count }, (_, index) => ({ start: index, end: index + 0.5, label: 'a' }))
      return { ...filmExport, entries }
    }
    const [, graph = ''] = /'(\[0:v\].*?)'/.exec(written('ffmpeg', document(700))) ?? []
    expect(graph.length).toBeGreaterThan(100_000)
    expect(graph.length).toBeLessThan(128 * 1024)
    expect(() => written('ffmpeg', document(1000))).toThrow('1000 entries. Use as=otio, fcpxml or xmeml, or cut')
  })

  it('as an EDL has at most 999 events', () => {
    const entries = Array.from({ length: 1000 }, (_, index) => ({ start: index, end: index + 0.5, label: 'a' }))
    expect(() => written('edl', { ...filmExport, mediaSeconds: 2000, entries })).toThrow('at most 999 edits')
    expect(written('otio', { ...filmExport, entries })).toContain('"Clip.1"')
  })

  it('for editors has at most 2,000 edits', () => {
    const entries = Array.from({ length: 2001 }, (_, index) => ({ start: index, end: index + 0.5, label: 'a' }))
    for (const name of ['fcpxml', 'xmeml', 'otio'] as const) {
      expect(() => written(name, { ...filmExport, mediaSeconds: 3000, entries })).toThrow('at most 2000 edits')
    }
    expect(written('csv', { ...filmExport, entries }).split('\r\n')).toHaveLength(2003)
  })

  describe('of media with several audio tracks', () => {
    const track = { codec: 'aac', sampleRate: 48_000, channels: 2, isDefault: false }
    const audio = [
      { ...track, channels: 1 },
      { ...track, isDefault: true },
      { ...track, channels: 6 },
    ]
    const searchedIn = (format: 'ffmpeg' | 'fcpxml' | 'xmeml', searched?: 'default' | 'all' | number) =>
      written(format, exportOf(25, undefined, { audio, ...(searched === undefined ? {} : { searched }) }))

    it.each([
      [undefined, ['1'], ['2', '3']],
      ['default', ['1'], ['2', '3']],
      [0, ['0'], ['1']],
      [2, ['2'], ['4', '5', '6', '7', '8', '9']],
      ['all', ['0', '1', '2'], ['1', '2', '3', '4', '5', '6', '7', '8', '9']],
    ] as const)('has those that were searched: %s', (searched, tracks, channels) => {
      const found = (text: string, pattern: RegExp) => [...new Set(Array.from(text.matchAll(pattern), ([, of]) => of))]
      const command = searchedIn('ffmpeg', searched)
      expect(found(command, /\[0:a:(\d)\]atrim/g)).toEqual(tracks)
      expect(found(command, /-map '\[a(\d)\]'/g)).toEqual(tracks)
      expect(command).toContain(`concat=n=3:v=1:a=${tracks.length}[v]`)
      const xmeml = searchedIn('xmeml', searched).replaceAll(/\n\s*/g, '')
      expect(found(xmeml, /<sourcetrack><mediatype>audio<\/mediatype><trackindex>(\d+)</g)).toEqual(channels)
      expect(found(xmeml, /<channelcount>(\d)</g)).toEqual(['1', '2', '6'])
    })

    it.each([
      [8, []],
      [
        9,
        [expect.stringMatching(/^An audio track has at most 8 channels in xmeml: 1 channel of the media is left out/)],
      ],
      [16, [expect.stringMatching(/: 8 channels of the media are left out. Use as=fcpxml or otio\.$/)]],
    ])('of %i channels of a track, warns of those that xmeml leaves out', (channels, warnings) => {
      const ofTracks = (searched: number) =>
        exportOf(25, undefined, { audio: [{ ...track, channels }, track], searched })
      expect(exportFormats.xmeml.warn(ofTracks(0))).toEqual(warnings)
      expect(exportFormats.xmeml.warn(ofTracks(1))).toEqual([])
    })

    it('plays no other track in Final Cut Pro', () => {
      const [clip = ''] = /<asset-clip .*?<\/asset-clip>/s.exec(searchedIn('fcpxml', 2)) ?? []
      expect(Array.from(clip.matchAll(/srcCh="([^"]+)"[^/]*?(active="0")?\/>/g), ([, ...found]) => found)).toEqual([
        ['1', 'active="0"'],
        ['2, 3', 'active="0"'],
        ['4, 5, 6, 7, 8, 9', undefined],
      ])
      expect(searchedIn('fcpxml')).toContain(' audioSources="3" audioChannels="9" ')
      expect(searchedIn('fcpxml', 'all')).not.toContain('audio-channel-source')
    })
  })

  it.each(['fcpxml', 'xmeml'] as const)('as %s keeps the words of several lines apart', (name) => {
    const document = { ...filmExport, entries: [{ start: 0, end: 1, label: 'one\ntwo\r\n\tthree' }] }
    expect(written(name, document)).toContain('one two three')
  })

  it('as edl has whole characters in its title', () => {
    expect(written('edl', { ...filmExport, title: `a${'🎬'.repeat(80)}` })).toMatch(/^TITLE: a🎬{69}\n/u)
  })

  it.each(['=1+1', ' =1+1', '\n=1+1', '\u200b=1+1', '＝1+1', '@a'])('as csv is no formula for %j', (label) => {
    const [, row] = written('csv', { ...filmExport, entries: [{ start: 0, end: 1, label }] }).split('\r\n')
    expect(row).toMatch(/^0\.000,1\.000,1\.000,"'\s*[=＝@]/)
  })

  it('prefers a list that the format names', async () => {
    const segment = { start: 0, end: 2 }
    const result = { segments: [segment], transcript: { sentences: [{ ...segment, text: 'Hello there.' }] } }
    const found = { result, nouns: exportNounsOf('audio/find-words') }
    expect(await exportEntries(found, undefined, 'sentences')).toMatchObject([{ ...segment, label: 'Hello there.' }])
    expect(await exportEntries(found)).toMatchObject([{ ...segment, label: 'segment 1' }])
  })

  it('as chapters begins at 0:00, and no chapter is shorter than ten seconds', () => {
    const label = 'a'
    const entries = [5, 12, 14, 30, 115].map((start) => ({ start, end: start + 1, label }))
    expect(written('chapters', { ...filmExport, entries })).toBe('0:00 a\n0:12 a\n0:30 a\n')
    expect(written('chapters', { ...filmExport, entries: entries.slice(3) })).toBe('0:00 Start\n0:30 a\n')
  })

  it('as chapters warns of fewer than YouTube shows, and of entries that have no line', () => {
    const warningsOf = (...starts: number[]) =>
      exportFormats.chapters.warn({
        ...filmExport,
        entries: starts.map((start) => ({ start, end: start + 1, label: 'a' })),
      })
    expect(warningsOf(0, 20, 40)).toEqual([])
    expect(warningsOf(20, 40)).toEqual([])
    expect(warningsOf(0, 20)).toEqual(['YouTube shows chapters if there are at least 3: this list has 2.'])
    expect(warningsOf(0, 20, 40, 45, 115)).toEqual([
      'A chapter has at least 10 seconds: 2 entries of the list have no line.',
    ])
    expect(warningsOf(5, 9)).toEqual([
      'YouTube shows chapters if there are at least 3: this list has 1.',
      'A chapter has at least 10 seconds: 1 entry of the list has no line.',
    ])
  })

  it('as chapters counts those that have no name', async () => {
    const ranges = [0, 3, 20, 40].map((start) => ({ start, end: start + 2 }))
    const chapters = async (result: Record<string, unknown>) =>
      written('chapters', {
        ...filmExport,
        entries: await exportEntries({ result, nouns: { ranges: 'range', chunks: 'chunk' } }),
      })
    expect(await chapters({ ranges })).toBe('0:00 Part 1\n0:20 Part 2\n0:40 Part 3\n')
    expect(await chapters({ ranges: ranges.slice(2) })).toBe('0:00 Start\n0:20 Part 1\n0:40 Part 2\n')
    const chunks = ranges.map((range, index) => ({ ...range, ...(index === 2 ? { title: 'Rockets' } : {}) }))
    expect(await chapters({ chunks })).toBe('0:00 Part 1\n0:20 Rockets\n0:40 Part 2\n')
  })

  it.each([
    ['6.0 s of picture with 6.3 s of sound', 25, 6.3, 157],
    ['a millisecond less than a frame', 25, 6.039, 150],
    ['31 frames, in milliseconds', 29.97, 1.034, 31],
    ['less than a frame', 25, 0.03, 1],
  ])('of %s has no frame after its end', (_, frameRate, durationSeconds, frames) => {
    const entries = [
      { start: 0, end: durationSeconds, label: 'all' },
      { start: durationSeconds - 0.001, end: durationSeconds + 1, label: 'after' },
    ]
    const document = exportOf(frameRate, undefined, { durationSeconds, entries })
    expect(mediaFrames(document)).toBe(frames)
    expect(editsOf(document).map(({ sourceEnd }) => sourceEnd)).toEqual([frames])
  })

  it('has edits that follow one another, each within half a frame of its time', () => {
    const times = fc.array(
      fc.tuple(fc.double({ min: 0, max: 9e4, noNaN: true }), fc.double({ min: 0, max: 60, noNaN: true })),
    )
    fc.assert(
      fc.property(times, (given) => {
        const entries = given.map(([start, length]) => ({ start, end: start + length, label: '' }))
        let before = 0
        for (const edit of editsOf({ ...filmExport, mediaSeconds: 1e5, entries })) {
          expect(edit.recordStart).toBe(before)
          expect(edit.recordEnd - edit.recordStart).toBe(edit.sourceEnd - edit.sourceStart)
          before = edit.recordEnd
        }
      }),
    )
  })
})

describe('the entries of a result', () => {
  const nouns = { segments: 'segment' }
  const one = [{ start: 1, end: 2 }]

  it('are those that people cut by, or those of the list that is named', async () => {
    const result = { silences: [{ start: 0, end: 1 }], segments: one, media_seconds: 3 }
    const found = { result, nouns: exportNounsOf('audio/detect-silence') }
    expect(await exportEntries(found)).toMatchObject([{ start: 1, end: 2, label: 'sound 1' }])
    expect(await exportEntries(found, 'silences')).toMatchObject([{ start: 0, end: 1, label: 'pause 1' }])
    const laughs = { result: { segments: [...one, { start: 3, end: 4, kind: 'giggle' }] }, nouns }
    expect(await exportEntries(laughs)).toMatchObject([{ label: 'segment 1' }, { label: 'giggle 2' }])
  })

  it('have the text of words and topics', async () => {
    const result = { matches: [], transcript: { words: [{ text: 'hi', start: 1, end: 2 }] } }
    const found = { result, nouns: exportNounsOf('audio/find-words') }
    expect(await exportEntries(found)).toEqual(await exportEntries(found, 'words'))
    expect(await exportEntries(found, 'words')).toEqual([{ start: 1, end: 2, label: 'hi', kind: 'word' }])
  })

  it.each([
    [{ output_url: 'x' }, undefined, 'has no times'],
    [{ segments: one }, 'words', 'list: this result has no words. It has segments.'],
    [{ segments: [] }, undefined, 'no entry in segments'],
  ] as const)('of %j as %s are refused', async (result, list, message) => {
    await expect(exportEntries({ result, nouns }, list)).rejects.toThrow(message)
  })
})

describe('times in a file that was cut', () => {
  const span = { start: 10, end: 14 }
  const cut = (result: object) => cutFileOf({ id: 'job_1', result, fileName: 'talk-clip.mp4' })

  it('of one window begin with it', () => {
    const file = cut({ media_seconds: 120, receipt: { presented: span }, receipts: [{}] })
    const { entries, mediaName, title, mediaSeconds } = inCutFile(filmExport, file)
    expect(entries).toEqual([{ start: 2, end: 4, label: '=sum()' }])
    expect([mediaName, title, mediaSeconds]).toEqual(['talk-clip.mp4', 'talk-clip', 4])
  })

  it.each([
    ['01:00:00:00', 0, '01:00:12:00'],
    ['01:00:00:00', 0.021, '01:00:11:24'],
    [undefined, 0, '00:00:01:24'],
  ])(
    'of media that begins at %s, and its picture after %s s, have the timecode of the file',
    (timecode, startSeconds, shown) => {
      const file = cut({ media_seconds: 120, receipt: { presented: { start: 10.021, end: 14 } } })
      const document = inCutFile(exportOf(25, timecode, { what: 'markers', video: { startSeconds } }), file)
      const [, ...rows] = written('csv', document).trim().split('\r\n')
      expect(rows.map((row) => row.split(',').at(-1))).toEqual([shown])
    },
  )

  it.each([
    [{ media_seconds: 120, segments: [span] }, 'job_1 cut no file'],
    [{ media_seconds: 120, receipt: { presented: span }, receipts: [{}, {}] }, 'job_1 made 2 files'],
  ])('of %j are refused', (result, message) => {
    expect(() => cut(result)).toThrow(message)
  })

  it('are refused if it shows none of them', () => {
    const file = cut({ media_seconds: 120, receipt: { presented: { start: 4, end: 9 } } })
    expect(() => inCutFile(filmExport, file)).toThrow('nothing of this list is in the file')
  })
})
