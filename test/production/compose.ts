import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

export const root = path.join(import.meta.dirname, '..', '..')

const scalar = z.union([z.string(), z.number()]).transform(String)
const condition = z.enum(['service_healthy', 'service_completed_successfully'])

const service = z.object({
  image: z.string(),
  build: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  restart: z.string(),
  environment: z.record(z.string(), scalar).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  configs: z.array(z.object({ source: z.string() })).default([]),
  stop_grace_period: z.string().optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition })).default({}),
  profiles: z.array(z.string()).default([]),
})

const project = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
  configs: z.record(z.string(), z.object({ content: z.string() })),
})

/** docker-compose.yml as YAML, with anchors and merges resolved and variables as written. */
export function composeDocument(): unknown {
  return parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true })
}

/** docker-compose.yml as Compose reads it with these variables. */
export function composeProject(variables: Readonly<Record<string, string>>): z.output<typeof project> {
  return project.parse(interpolated(composeDocument(), variables))
}

/** Interpolates all variables, see https://docs.docker.com/reference/compose-file/interpolation */
function interpolated(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolate(value, variables)
  if (Array.isArray(value)) return value.map((item) => interpolated(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolated(item, variables)]))
}

/** `$$`, and `${NAME:-default}` or `${NAME:?message}`, whose default contains at most one more of them. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  const reference = /\$\$|\$\{(?<name>\w+):(?<operator>[-?])(?<rest>(?:[^${}]|\$\{[^{}]*\})*)\}/g
  return text.replaceAll(reference, (match, ...groups) => {
    if (match === '$$') return '$'
    const { name, operator, rest } = z.record(z.string(), z.string()).parse(groups.at(-1))
    const value = variables[name ?? '']
    if (value) return value
    if (operator === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`)
    return interpolate(rest ?? '', variables)
  })
}

/** Seconds of a duration such as `1m` or `15s`. */
export function seconds(duration: string | undefined): number {
  const [, count, unit] = /^(\d+)([sm])$/.exec(duration ?? '') ?? []
  if (!count) throw new Error(`${duration} is no duration of seconds or minutes`)
  return Number(count) * (unit === 'm' ? 60 : 1)
}
