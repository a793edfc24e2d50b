import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'

/** Answers requests without a route: 405 (OPTIONS: 204) with Allow for a known path, otherwise 404. Does not read the body. */
export function handleUnmatchedRoutes(app: FastifyInstance): void {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set(['OPTIONS']) }
    for (const one of [method].flat()) route.methods.add(one)
    routes.set(url, route)
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const [path = ''] = request.url.split('?', 1)
    const route = [...routes.values()].find(({ pattern }) => pattern.test(path))
    if (!route) throw new ServiceError('not_found')
    reply.header('allow', [...route.methods].sort().join(', '))
    if (request.method !== 'OPTIONS') throw new ServiceError('method_not_allowed')
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
