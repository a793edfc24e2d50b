import { detectEnergyEndpoint } from './audio-detect-energy/declaration.ts'
import { detectSilenceEndpoint } from './audio-detect-silence/declaration.ts'
import { type Endpoint, type LiveEndpoint, previewEndpoint } from './define-endpoint.ts'
import { mergeEndpoint } from './timeline-merge/declaration.ts'
import { suggestRangesEndpoint } from './timeline-suggest-ranges/declaration.ts'
import { clipNearEndpoint } from './video-clip-near/declaration.ts'
import { clipWindowEndpoint } from './video-clip-window/declaration.ts'

/** Every endpoint, in the order in which catalogs and documents show them. */
export const endpoints: readonly Endpoint[] = [
  clipWindowEndpoint,
  clipNearEndpoint,
  detectSilenceEndpoint,
  detectEnergyEndpoint,
  previewEndpoint('audio/detect-laughter', {
    summary: 'Find laughter, with a confidence for each segment.',
    goals: [[['laugh', 'giggl', 'chuckl']]],
    alternative: 'use audio/detect-energy: laughter is loud, so take the segments with the highest score',
  }),
  previewEndpoint('audio/find-words', {
    summary: 'Find where given words are spoken.',
    goals: [[['word', 'phrase', 'say', 'said', 'spoken', 'mention']]],
  }),
  previewEndpoint('audio/semantic-chunks', {
    summary: 'Split speech into chunks by topic.',
    goals: [[['topic', 'chapter', 'subject']]],
  }),
  previewEndpoint('video/best-frames', {
    summary: 'Pick sharp, well exposed frames.',
    goals: [[['frame', 'still', 'screenshot', 'photo']]],
  }),
  previewEndpoint('video/thumbnail-score', {
    summary: 'Score frames as thumbnails.',
    goals: [
      [
        ['rate', 'score', 'rank'],
        ['frame', 'thumbnail'],
      ],
    ],
  }),
  previewEndpoint('video/text-frames', {
    summary: 'Find frames that show text, and read it.',
    goals: [
      [['ocr']],
      [
        ['text', 'read', 'title', 'word'],
        ['screen', 'slide', 'picture', 'frame', 'on-screen', 'in the video'],
      ],
    ],
  }),
  suggestRangesEndpoint,
  mergeEndpoint,
]

export const liveEndpoints: readonly LiveEndpoint[] = endpoints.filter((endpoint) => endpoint.stage === 'live')

export function findEndpoint(id: string): Endpoint | undefined {
  return endpoints.find((endpoint) => endpoint.id === id)
}

export function liveEndpoint(id: string): LiveEndpoint {
  const endpoint = liveEndpoints.find((candidate) => candidate.id === id)
  if (!endpoint) throw new TypeError(`${id} is not a live endpoint`)
  return endpoint
}

/** The declared example as the body of `POST /v1/jobs`. */
export function exampleOf({ id, example, readsMedia }: LiveEndpoint) {
  const settings = { ...example.settings }
  const media = readsMedia ? { media_url: 'https://media.example/interview.mp4' } : {}
  return { endpoint: id, ...media, ...example, settings }
}
