import { z } from 'zod'
import {
  defineTimelineEndpoint,
  foundSegments,
  jobIdSetting,
  maxSoundSeconds,
  validateSegments,
} from '../define-timeline-endpoint.ts'

const maxRecordings = 8

/** When a talk of 40 seconds is heard by a recorder that began this much later. */
function talk(laterSeconds: number) {
  const [starts, lengths] = [
    [4, 7, 9.5, 15, 18.2, 22, 27, 29.4, 34, 38.1],
    [1.2, 2, 0.8, 2.6, 1.1, 3.1, 1.7, 0.9, 2.2, 1],
  ]
  return starts.map((start, index) => ({
    start: start - laterSeconds,
    end: start - laterSeconds + (lengths[index] ?? 1),
  }))
}

export const syncSettings = z
  .object({
    job_ids: z
      .array(jobIdSetting)
      .min(2)
      .max(maxRecordings)
      .optional()
      .describe(
        'Completed jobs that measured sound, such as audio/detect-silence: one for each recording of the same event. The clock of the first is the reference.',
      ),
    timelines: z
      .array(z.object({ segments: foundSegments, name: z.string().max(100).optional() }))
      .min(2)
      .max(maxRecordings)
      .optional()
      .describe('Instead of job_ids: when each recording has sound, as audio/detect-silence finds it. Less exact.'),
  })
  .meta({ oneOf: [{ required: ['job_ids'] }, { required: ['timelines'] }] })

/** How a recording lies on the clock of the reference. */
export const recording = z.object({
  job_id: z.string().optional(),
  name: z.string().optional().describe('Of the media, or of the timeline.'),
  synced: z.boolean().describe('false: the sound has too little in common with that of the reference.'),
  offset_seconds: z.number().optional().describe('When the media begins, on the clock of the reference.'),
  drift_ppm: z
    .number()
    .optional()
    .describe('Second t of the media is second offset_seconds + t × (1 + drift_ppm / 1,000,000) of the reference.'),
  residual_ms: z.number().optional().describe('How far compared windows typically are from that.'),
  confidence: z.number().describe('The share of the compared windows that agree, 0 to 1.'),
})

export const syncResult = z.object({
  recordings: z.array(recording).describe('In the order of job_ids; the first is the reference.'),
})

export const syncEndpoint = defineTimelineEndpoint({
  id: 'timeline/sync',
  title: 'Line up recordings',
  summary: 'Find how two to eight recordings of the same event lie on one clock, by their sound.',
  description:
    'Cameras and recorders of one event start at other times, and their clocks drift apart. This compares the sound that jobs measured, finds the offset and the drift of each recording to a few milliseconds, and says so if the sound has too little in common. Recordings have up to 4 hours each. Exported as otio or fcpxml, it is a multicam timeline; timeline/merge takes its recordings.',
  keywords: 'synchronize, synchronise, align, multicam, cameras, recorders, external microphone, drift, offset, clap',
  goals: ['sync two cameras', 'align the audio recorder with the video', 'multicam by sound'],
  settings: syncSettings,
  result: syncResult,
  exportNouns: {},
  example: {
    settings: {
      timelines: [
        { name: 'camera', segments: talk(0) },
        { name: 'recorder', segments: talk(2.5) },
      ],
    },
  },
  open: {
    settings: { job_ids: ['<earlier_job_id>', '<another_job_id>'] },
    placeholders: {
      '<earlier_job_id>': 'the id of a completed audio/detect-silence job on the recording whose clock counts',
      '<another_job_id>': 'the id of such a job on another recording of the same event',
    },
  },
  validate: ({ job_ids: jobIds, timelines }) => {
    if (!jobIds === !timelines)
      return 'Send settings.job_ids, a completed job of audio/detect-silence for each recording, or settings.timelines.'
    if (jobIds && new Set(jobIds).size < jobIds.length)
      return 'settings.job_ids has a job twice. Send each recording once.'
    const refusals = (timelines ?? []).map(({ segments }, at) =>
      validateSegments(segments, `settings.timelines[${at}].segments`),
    )
    const long = (timelines ?? []).findIndex(({ segments }) => segments.some(({ end }) => end > maxSoundSeconds))
    const tooLong = long < 0 ? undefined : `settings.timelines[${long}] is longer than ${maxSoundSeconds / 3600} hours.`
    return refusals.find((refusal) => refusal !== undefined) ?? tooLong
  },
  jobsToRead: ({ job_ids: jobIds = [] }) =>
    jobIds.map((jobId, index) => ({ setting: `job_ids[${index}]`, jobId, anyOf: ['segments'] })),
  run: async () => (await import('./run.ts')).runSync,
})
