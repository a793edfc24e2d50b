import { expect, it } from 'vitest'
import { isDecodeError } from '../../../src/media/tools/ffmpeg.ts'

it.each([
  '[h264 @ 0x7f3af8560c00] Invalid NAL unit size (8253 > 2329).',
  '[h264 @ 0x55d0c8a0] error while decoding MB 12 7, bytestream -5',
  '[aac @ 0x55d0c8a0] Input buffer exhausted before END element found',
  '[in#0/mov,mp4,m4a,3gp,3g2,mj2 @ 0x7f3af8b39840] stream 1, offset 0x631a4: partial file',
  'Error while decoding stream #0:0: Invalid data found when processing input',
])('%s: the media is damaged', (line) => {
  expect(isDecodeError(line)).toBe(true)
})

it.each([
  '[h264 @ 0x7f611e490040] mmco: unref short failure',
  '[h264 @ 0x7f611e490040] co located POCs unavailable',
  '[h264 @ 0x7f611e490040] Missing reference picture, default is 65530',
  '[hevc @ 0x7f611e490040] Could not find ref with POC 12',
  '[hevc @ 0x5585a3af7300] Unexpected extra rep formats',
  '[mov,mp4,m4a,3gp,3g2,mj2 @ 0x7f611e490040] Drop frame is only allowed with multiples of 30000/1001 FPS',
  '[s16le @ 0x7ff8ac6cc580] Application provided invalid, non monotonically increasing dts to muxer in stream 0: 9 >= 8',
  '    Last message repeated 3 times',
  '',
])('%j: it need not be', (line) => {
  expect(isDecodeError(line)).toBe(false)
})
