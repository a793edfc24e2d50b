import { describe, expect, it } from 'vitest'
import { detectSilenceEndpoint } from '../../src/endpoints/audio-detect-silence/declaration.ts'
import type { MediaEndpoint } from '../../src/endpoints/define-endpoint.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { textFramesEndpoint } from '../../src/endpoints/video-text-frames/declaration.ts'
import { fixture } from '../fixtures/make.ts'
import { models } from '../setup/models.ts'
import { runEndpoint } from './run-endpoint.ts'

const ranges = [
  { start: 0.5, end: 1.5 },
  { start: 3, end: 4 },
]

const copied = { ranges, mode: 'copy' }

describe('media with tags of 48 kB and 3,000 chapters', () => {
  it.each<[string, MediaEndpoint, object]>([
    ['is searched for silence', detectSilenceEndpoint, {}],
    ['is cut and joined', clipWindowEndpoint, { ranges }],
    ['is joined at another loudness', clipWindowEndpoint, { ranges, loudness: -16 }],
    ['is cropped around faces', clipWindowEndpoint, { ranges, aspect: '9:16' }],
    ['is copied', clipWindowEndpoint, copied],
    ['is cut without encoding what can be copied', clipWindowEndpoint, { ranges, mode: 'smart' }],
    ...(models.has('read-text')
      ? [['is searched for text', textFramesEndpoint, {}] as [string, MediaEndpoint, object]]
      : []),
  ])('%s', async (_, endpoint, settings) => {
    const { files, result } = await runEndpoint(endpoint, {
      file: await fixture('long-tags.mkv'),
      start: 0,
      settings,
      models,
      mayWarn: true,
    })
    if (endpoint === detectSilenceEndpoint)
      expect(result['segments']).toContainEqual({ start: 3, end: 3.5, duration: 0.5 })
    if (endpoint === clipWindowEndpoint)
      expect(files[0]).toMatchObject({ durationSeconds: expect.closeTo(settings === copied ? 4 : 2, -0.5) })
  })
})
