import type { LiveEndpoint } from './define-endpoint.ts'

/** The declared example as the body of `POST /v1/jobs`. */
export function exampleOf({ id, example, readsMedia }: LiveEndpoint) {
  const settings = { ...example.settings }
  const media = readsMedia ? { media_url: 'https://media.example/interview.mp4' } : {}
  return { endpoint: id, ...media, ...example, settings }
}
