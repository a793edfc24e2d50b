import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import { nearestRequest, requestsBelow } from './nearest-path.ts'

/** Answers requests without a route: 405 (OPTIONS: 204) with Allow for a known path, otherwise 404, with the requests that were probably meant. Does not read the body. */
export function handleUnmatchedRoutes(app: FastifyInstance): void {
  const routes = new Map<string, { readonly url: string; readonly pattern: RegExp; readonly methods: Set<string> }>()
  const known = () => [...routes.values()].filter(({ url }) => url.startsWith('/v1/'))

  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { url, pattern: patternOf(url), methods: new Set(['OPTIONS']) }
    for (const one of [method].flat()) route.methods.add(one)
    routes.set(url, route)
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const [path = ''] = request.url.split('?', 1)
    const route = [...routes.values()].find(({ pattern }) => pattern.test(path))
    if (!route) {
      const nearest = nearestRequest(request.method, path, known())
      throw new ServiceError('not_found', nearest && `Nothing exists at this path. Did you mean ${nearest}?`)
    }
    const allowed = [...route.methods].sort()
    reply.header('allow', allowed.join(', '))
    if (request.method !== 'OPTIONS') {
      const methods = allowed.filter((method) => method !== 'OPTIONS').join(', ')
      const below = requestsBelow(path, known()).map((each) => ` See also ${each}.`)
      throw new ServiceError(
        'method_not_allowed',
        `This path does not support ${request.method}. It supports ${methods}.${below.join('')}`,
      )
    }
    return reply.code(204).send()
  })
}

function patternOf(url: string): RegExp {
  return new RegExp(
    `^${url
      .replaceAll('.', '\\.')
      .replaceAll(/:[^/]+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  )
}
