import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type EditRate, editRates } from '../../src/core/edit-rate.ts'
import { exportFormats } from '../../src/exports/export-formats.ts'
import { filmExport, soundExport, written } from './documents.ts'

const packages = process.env['TEST_TIMELINE_READERS']
const script = path.join(import.meta.dirname, 'readers', 'read.py')
const formats = ['edl', 'xmeml', 'fcpxml', 'otio', 'vtt', 'srt'] as const

/** What OpenTimelineIO, pycmx and webvtt-py find in the exports of a document. */
function readBack(document: typeof filmExport, { frames, seconds }: EditRate): z.output<typeof found> {
  const folder = mkdtempSync(path.join(tmpdir(), 'exports-'))
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
const found = z.object({ edl: tracks, xml: tracks, fcpxml: tracks, otio: tracks, pycmx: rows, vtt: rows, srt: rows })

describe.skipIf(!packages)('exports, read by programs of others', () => {
  it('have the same frames in every format, from the timecode of the film', () => {
    const read = readBack(filmExport, editRates['25'])
    const clips = [
      ['one & <two>', 90_025, 63],
      ['=sum()', 90_300, 1231],
      ['été "x"', 91_888, 1110],
    ]
    expect(read.otio).toEqual({ Video: clips, Audio: clips })
    expect(read.xml).toEqual({ Video: clips, Audio: clips })
    // The reader makes one track of clips that have both.
    expect(read.fcpxml).toEqual({ Video: clips })
    // The clips of an EDL have the name of the file.
    const named = clips.map(([, ...frames]) => [filmExport.mediaName, ...frames])
    expect(read.edl).toEqual({ Video: named, Audio: named })
    expect(read.pycmx[1]).toEqual(['01:00:12:00', '01:01:01:06', '01:00:02:13', '01:00:51:19'])
  })

  it('of sound alone have no picture', () => {
    const read = readBack(soundExport, editRates['30'])
    expect(Object.keys(read.otio)).toEqual(['Audio'])
    expect(Object.keys(read.xml)).toEqual(['Audio'])
    expect(read.otio['Audio']?.[0]).toEqual(['one & <two>', 30, 75])
  })

  it('as captions have the text and the times', () => {
    const { vtt, srt } = readBack(filmExport, editRates['25'])
    expect(vtt[1]).toEqual(['00:00:12.000', '00:01:01.250', '=sum()'])
    expect(srt[0]).toEqual(['00:00:01.001', '00:00:03.500', 'one & ‹two›'])
  })
})
