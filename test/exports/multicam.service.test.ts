import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { editRates } from '../../src/core/edit-rate.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { exportFormats } from '../../src/exports/export-formats.ts'
import { describeMulticam, lengthOf, type SyncedRecording } from '../../src/exports/multicam.ts'
import { required } from '../setup/required.ts'
import { soundMedia } from './documents.ts'

const packages = process.env['TEST_TIMELINE_READERS']

const filmOf = (frameRate: number, durationSeconds: number, timecode?: string): MediaInfo => ({
  ...soundMedia,
  ...{ format: 'mp4', durationSeconds, timecode },
  video: { codec: 'h264', width: 1280, height: 720, hasVariableFrameRate: false, frameRate },
})
const recording = (mediaName: string, media: MediaInfo, offsetSeconds: number, driftPpm = 0): SyncedRecording => ({
  ...{ mediaName, media, offsetSeconds, driftPpm },
})

/** The second camera began 10 s before the first, and the recorder, whose clock is slow, 2 s after it. */
const multicam = describeMulticam(
  [
    recording('wide & low.mp4', filmOf(25, 3600, '10:00:00:00'), 0),
    recording('close.mp4', filmOf(50, 1800), -10),
    recording('recorder.wav', { ...soundMedia, durationSeconds: 3600 }, 2, 50),
  ],
  { rate: undefined, mediaPath: '/film/', recordStart: undefined },
)
const written = (name: 'otio' | 'fcpxml') => [...exportFormats[name].writeAngles(multicam)].join('')

it('angles begin where their sound agrees, in the middle of a recording whose clock drifts', () => {
  expect(multicam.rate).toBe(editRates['25'])
  // 2 s after the first, which begins at 10 s, and half of the drift of an hour: 0.09 s.
  expect(multicam.angles.map(({ startFrame }) => startFrame)).toEqual([250, 0, 302])
  expect(lengthOf(multicam)).toBe(302 + 90_000)
})

it('FCPXML has a multicam clip that plays the picture and the sound of the first', () => {
  const text = written('fcpxml')
  expect(text).toContain('<mc-angle name="wide &amp; low.mp4" angleID="angle-1">')
  expect(text).toContain('<gap name="Gap" offset="0s" start="0s" duration="10s"/>')
  expect(text).toContain('<mc-source angleID="angle-1" srcEnable="all"/>')
  expect(text.match(/<mc-source/g)).toHaveLength(1)
  expect(text).toContain('src="file://localhost/film/recorder.wav"')
  expect(text).toContain('offset="302/25s" start="0s" duration="3600s" audioRole="dialogue"')
})

const place = z.array(z.tuple([z.string(), z.string(), z.number(), z.number(), z.number()]))
const program = `
import json, sys
import opentimelineio as otio
found = otio.adapters.read_from_file(sys.argv[1])
timeline = found if isinstance(found, otio.schema.Timeline) else next(found.find_children(descended_from_type=otio.schema.Timeline))
places = []
for track in timeline.tracks:
    for clip in track.find_clips():
        at, source = clip.range_in_parent(), clip.source_range
        places.append([track.name, track.kind, at.start_time.value, source.start_time.value, source.duration.value])
print(json.dumps(places))`

describe.skipIf(!packages)('a multicam timeline, read by OpenTimelineIO', () => {
  it('has each recording on tracks of its own, at its place', () => {
    const file = path.join(mkdtempSync(path.join(required('TEST_FOLDER'), 'multicam-')), 'multicam.otio')
    writeFileSync(file, written('otio'))
    const env = { PATH: process.env['PATH'], PYTHONPATH: packages, PYTHONUTF8: '1' }
    const read = place.parse(JSON.parse(execFileSync('python3', ['-c', program, file], { env }).toString()))
    expect(read).toEqual([
      ['wide & low.mp4', 'Video', 250, 900_000, 90_000],
      ['wide & low.mp4', 'Audio', 250, 900_000, 90_000],
      ['close.mp4', 'Video', 0, 0, 90_000],
      ['close.mp4', 'Audio', 0, 0, 90_000],
      ['recorder.wav', 'Audio', 302, 0, 90_000],
    ])
  })
})
