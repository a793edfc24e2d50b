import { ofMediaSeconds } from '../../../src/goals/goal-times.ts'
import { placeholders } from './placeholders.ts'
import { type PlannedCall, uploadCall, waitCall } from './tool-calls.ts'

// The calls that others need before them.

export const lengthCall: PlannedCall = {
  tool: 'svc.check_job_readiness',
  arguments: { endpoint: 'video/clip-window', media_url: '<media_url>', start: 0 },
  note: 'Reads the media and returns its length: media_seconds of estimate. Spends nothing.',
}

const transcriber = 'audio/find-words'

const transcribeCalls: readonly PlannedCall[] = [
  {
    tool: 'svc.create_job',
    arguments: { endpoint: transcriber, media_url: '<media_url>', idempotency_key: '<another one>' },
    note: `Transcribes the media, and is charged. Its id is ${placeholders.transcriptJob} below.`,
  },
  waitCall(placeholders.transcriptJob),
]

/** The calls, before them those that their arguments need: the length of the media, and the transcript of their captions. */
export function withFirstCalls(calls: readonly PlannedCall[]): readonly PlannedCall[] {
  const given = JSON.stringify(calls.map((call) => call.arguments))
  const transcribes = calls.some((call) => call.tool === 'svc.create_job' && call.arguments['endpoint'] === transcriber)
  const first = given.includes('media_seconds>') || given.includes(`"${ofMediaSeconds}`) ? [lengthCall] : []
  const uploads = calls.filter((call) => call === uploadCall)
  const others = calls.filter((call) => call !== uploadCall)
  const captioned = others.findIndex((call) => JSON.stringify(call.arguments).includes(placeholders.transcriptJob))
  // What is found first decides whether there is a clip to caption.
  const steps = captioned < 0 || transcribes ? others : others.toSpliced(captioned, 0, ...transcribeCalls)
  return [...uploads, ...first, ...steps]
}
