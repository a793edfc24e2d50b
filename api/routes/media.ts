import { ServiceError } from '../../src/core/errors.ts'
import type { App } from '../context.ts'

/** `GET /v1/media/{upload_id}`: a media_url names an upload in job requests and serves nothing. */
export function mediaRoute(app: App): void {
  app.route({
    method: 'GET',
    url: '/v1/media/:upload_id',
    schema: { hide: true },
    handler: async () => {
      throw new ServiceError(
        'not_found',
        'A media_url has a meaning only as the media_url of a job of its own account.',
      )
    },
  })
}
