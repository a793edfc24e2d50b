import { describeExport } from '../../src/exports/export-document.ts'

const entries = [
  { start: 1.001, end: 3.5, label: 'one & <two>' },
  { start: 12, end: 61.25, label: '=sum()' },
  { start: 75.5, end: 119.9, label: 'été "x"' },
]

const sound = { codec: 'aac', sampleRate: 48_000, channels: 2, isDefault: true }
const picture = { codec: 'h264', width: 1280, height: 720, hasVariableFrameRate: false }
const common = { durationSeconds: 120, bytes: 1, audio: [sound] }

export function exportOf(frameRate: number, timecode?: string) {
  const media = { ...common, format: 'mp4' as const, timecode, video: { ...picture, frameRate } }
  return describeExport({ mediaName: "it's a talk.mp4", entries, media, rate: undefined })
}

/** Two minutes at 25 frames a second that begin at hour one. */
export const filmExport = exportOf(25, '01:00:00:00')

export const soundMedia = { ...common, format: 'wav' as const, video: null }

export const soundExport = describeExport({
  mediaName: 'talk.wav',
  entries,
  media: soundMedia,
  rate: undefined,
})
