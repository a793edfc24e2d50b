import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type EditRate, editRates, frameOfTimecode, timecodeOf } from '../../src/core/edit-rate.ts'
import { exportFormats } from '../../src/exports/export-formats.ts'
import { required } from '../setup/required.ts'
import { exportOf, filmExport, soundExport, written } from './documents.ts'
import { pictures } from './pictures.ts'

const packages = process.env['TEST_TIMELINE_READERS']
const script = path.join(import.meta.dirname, 'readers', 'read.py')
const formats = ['edl', 'xmeml', 'fcpxml', 'otio', 'vtt', 'srt'] as const

/** What OpenTimelineIO, pycmx and webvtt-py find in the exports of a document. */
function readBack(document: typeof filmExport, { frames, seconds }: EditRate): z.output<typeof found> {
  const folder = mkdtempSync(path.join(required('TEST_FOLDER'), 'exports-'))
  const files = formats.map((name) => {
    const { extension } = exportFormats[name]
    const file = path.join(folder, `export.${extension}`)
    writeFileSync(file, written(name, document))
    return file
  })
  const env = { PATH: process.env['PATH'], PYTHONPATH: packages, PYTHONUTF8: '1' }
  return found.parse(
    JSON.parse(execFileSync('python3', [script, String(frames / seconds), ...files], { env }).toString()),
  )
}

const tracks = z.record(z.string(), z.array(z.tuple([z.string(), z.number(), z.number()])))
const rows = z.array(z.array(z.string()))
const marker = z.tuple([z.string(), z.string().nullable(), z.number(), z.number()])
const markers = z.record(z.string(), z.array(marker))
const found = z.object({
  markers,
  exact: z.array(z.array(z.number())),
  resolve: rows,
  edl: tracks,
  xml: tracks,
  fcpxml: tracks,
  otio: tracks,
  pycmx: rows,
  vtt: rows,
  srt: rows,
})

/** Frames and lengths: the first, and some around the minutes and the hours whose numbers drop-frame counting leaves out. */
const markedFrames: readonly (readonly [frame: number, frames: number])[] = [
  [0, 0],
  [1799, 2],
  [17_982, 1],
  [107_893, 300],
]

describe.skipIf(!packages)('exports, read by programs of others', () => {
  it('have the same frames in every format, from the timecode of the film', () => {
    const read = readBack(filmExport, editRates['25'])
    const clips = [
      ['one & <two>', 90_025, 62],
      ['=sum()', 90_300, 1232],
      ['été "x"', 91_887, 1110],
    ]
    expect(read.otio).toEqual({ Video: clips, Audio: clips })
    expect(read.xml).toEqual({ Video: clips, Audio: clips })
    // The reader makes one track of clips that have both.
    expect(read.fcpxml).toEqual({ Video: clips })
    // The clips of an EDL have the name of the file.
    const named = clips.map(([, ...frames]) => [filmExport.mediaName, ...frames])
    expect(read.edl).toEqual({ Video: named, Audio: named })
    expect(read.pycmx[1]).toEqual(['01:00:12:00', '01:01:01:07', '01:00:02:12', '01:00:51:19'])
  })

  it('of sound alone have no picture', () => {
    const read = readBack(soundExport, editRates['30'])
    expect(Object.keys(read.otio)).toEqual(['Audio'])
    expect(Object.keys(read.xml)).toEqual(['Audio'])
    expect(read.otio['Audio']?.[0]).toEqual(['one & <two>', 30, 75])
  })

  it.each(pictures)('as cuts have the same frames in four formats: $name', ({ rate: fps, video, timecode, first }) => {
    const rate = editRates[fps]
    const cut = markedFrames.map(([frame, frames]) => [frame, Math.max(1, frames)] as const)
    const entries = cut.map(([frame, frames]) => ({
      start: (frame * rate.seconds) / rate.frames,
      end: ((frame + frames) * rate.seconds) / rate.frames,
      label: 'cut',
    }))
    const document = exportOf(video.frameRate, timecode, { entries, video, durationSeconds: 7300, rate: fps })
    const read = readBack(document, rate)
    const expected = cut.map(([frame, frames]) => [first + frame, frames])
    const framesOf = (clips: z.output<typeof tracks>[string] = []) => clips.map(([, ...frames]) => frames)
    expect(framesOf(read.otio['Video'])).toEqual(expected)
    expect(read.exact).toEqual(expected)
    expect(framesOf(read.xml['Video'])).toEqual(expected)
    const at = (frame: number) => timecodeOf(frame, rate, document.isDropFrame)
    expect(read.pycmx.map(([start, end]) => [start, end])).toEqual(
      cut.map(([frame, frames]) => [at(first + frame), at(first + frame + frames)]),
    )
  })

  it.each(pictures)(
    'as markers are on the right frame in four formats: $name',
    ({ rate: fps, video, timecode, first }) => {
      const rate = editRates[fps]
      const entries = markedFrames.map(([frame, frames], index) => ({
        start: (frame * rate.seconds) / rate.frames,
        end: ((frame + frames) * rate.seconds) / rate.frames,
        label: `mark ${index + 1}`,
        kind: index % 2 === 0 ? 'silence' : 'laugh',
      }))
      const document = exportOf(video.frameRate, timecode, {
        ...{ entries, video, what: 'markers', durationSeconds: 7300, rate: fps },
      })
      const read = readBack(document, rate)
      const expected = markedFrames.map(([frame, frames], index) => [`mark ${index + 1}`, frame, Math.max(1, frames)])
      const places = (marks: z.output<typeof markers>[string] = []) => marks.map(([name, , ...at]) => [name, ...at])
      expect(places(read.markers['otio'])).toEqual(expected)
      expect(read.markers['otio']?.map(([, colour]) => colour)).toEqual(['BLUE', 'YELLOW', 'BLUE', 'YELLOW'])
      expect(places(read.markers['fcpxml'])).toEqual(expected)
      // A marker of one frame has no range in xmeml.
      expect(places(read.markers['xml'])).toEqual(
        expected.map(([name, frame, frames]) => [name, frame, frames === 1 ? 0 : frames]),
      )
      const { isDropFrame } = document
      const record = frameOfTimecode(isDropFrame ? '01:00:00;00' : '01:00:00:00', rate)?.frame ?? 0
      const at = (from: number, frame: number) => timecodeOf(from + frame, rate, isDropFrame)
      expect(document.firstFrame).toBe(first)
      expect(read.pycmx).toEqual(
        markedFrames.map(([frame]) => [
          at(first, frame),
          at(first, frame + 1),
          at(record, frame),
          at(record, frame + 1),
        ]),
      )
      expect(read.resolve[0]).toEqual(['silence |C:ResolveColorBlue |M:mark 1 |D:1'])
    },
  )

  it('as captions have the text and the times', () => {
    const { vtt, srt } = readBack(filmExport, editRates['25'])
    expect(vtt[1]).toEqual(['00:00:12.000', '00:01:01.250', '=sum()'])
    expect(srt[0]).toEqual(['00:00:01.001', '00:00:03.500', 'one & ‹two›'])
  })
})
