import { expect, it } from 'vitest'
import type { CaptionLook } from '../../src/core/captions.ts'
import { presentReceipt } from '../../src/endpoints/present-receipt.ts'
import type { ClipPicture } from '../../src/media/clip/clip-picture.ts'
import type { ClipReceipt } from '../../src/media/clip/clip-receipt.ts'

const window = { start: 0, end: 2 }
const receipt: ClipReceipt = {
  ...{ requested: window, stored: window, presented: window, mode: 'exact', fallbackReason: null, ranges: [] },
  ...{
    framesEncoded: 0,
    framesCopied: 0,
    plannedFrames: 0,
    missingFrames: 0,
    decodeErrors: 0,
    remarks: [],
    leftOut: [],
    driftSeconds: 0,
  },
  ...{ audioVideoOffsetSeconds: null, hasVariableFrameRate: false, videoCodec: null, audioCodec: 'aac' },
  ...{ loudness: null, picture: null, captions: null, substitutions: [], droppedStreams: [], losses: [] },
}

const warningsAt = (integratedLufs: number, truePeakDbtp: number) => {
  const loudness = { requestedLufs: -16, tracks: [{ integratedLufs, truePeakDbtp }] }
  return presentReceipt({ ...receipt, loudness }, { fetchedBytes: () => null }).warnings
}

it('sound that was brought to one format or turned over is said to be', () => {
  expect(
    presentReceipt({ ...receipt, remarks: ['changing', 'inverted'] }, { fetchedBytes: () => null }).warnings,
  ).toEqual([
    expect.stringMatching(/^The sound changes its channels or its sample rate /),
    expect.stringMatching(/^Channels of the sound cancel each other /),
  ])
})

it('frames that the media lists and no decoder gave are counted, also where nothing is damaged', () => {
  const warnings = (decodeErrors: number, missingFrames: number) =>
    presentReceipt({ ...receipt, decodeErrors, plannedFrames: 75, missingFrames }, { fetchedBytes: () => null })
      .warnings
  expect(warnings(0, 0)).toEqual([])
  expect(warnings(0, 30)).toEqual(['The clip lacks frames that the media lists. 45 of 75 frames were decoded.'])
  expect(warnings(2, 0)).toEqual([expect.stringMatching(/^The media is damaged .* can be missing or wrong\.$/)])
  expect(warnings(2, 30)).toEqual([expect.stringMatching(/^The media is damaged .* 45 of 75 frames were decoded\.$/)])
})

it('a loudness that was not reached is named, with the one that was asked for', () => {
  expect(warningsAt(-16.4, -1)).toEqual([])
  expect(warningsAt(-18.04, -1)).toEqual([expect.stringMatching(/^The loudness is -18 LUFS instead of -16: /)])
  expect(warningsAt(-16, -0.42)).toEqual([
    expect.stringMatching(/^The true peak is -0\.4 dBTP instead of at most -1: /),
  ])
})

it('what a clip loses of the media is a warning', () => {
  const losses = ['transparency -> black', 'subtitle (ass)']
  expect(presentReceipt({ ...receipt, losses }, { fetchedBytes: () => null }).warnings).toEqual([
    'The clip does not keep all that the media has: transparency -> black, subtitle (ass).',
  ])
})

it('captions in the middle are said to cover the faces that a crop follows', () => {
  const warnings = (position: 'middle' | 'bottom', follows: 'faces' | 'motion') => {
    const look: CaptionLook = { style: 'large', position, colour: '#ffffff', highlightColour: '#ffd400' }
    const captions = { look, outside: 0, cues: [{ ...window, text: 'said' }] }
    const request = { aspect: '9:16', fit: 'crop', heightPixels: null } as const
    const stretches = [{ ...window, follows: [follows], cutsText: false }]
    const size = { width: 1080, height: 1920 }
    const picture: ClipPicture = { ...size, request, fit: 'crop', follows, stretches, part: size }
    return presentReceipt({ ...receipt, captions, picture }, { fetchedBytes: () => null }).warnings
  }
  expect(warnings('middle', 'faces')).toEqual([expect.stringMatching(/^Captions in the middle cover faces/)])
  expect([...warnings('bottom', 'faces'), ...warnings('middle', 'motion')]).toEqual([])
})
