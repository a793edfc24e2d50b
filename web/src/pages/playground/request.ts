import * as z from 'zod/mini'

const schema = z.looseObject({
  type: z.optional(z.string()),
  enum: z.optional(z.array(z.string())),
  default: z.optional(z.unknown()),
  description: z.optional(z.string()),
})

/** What the page reads of an endpoint of the catalog. One that does not run yet has no settings. */
const offered = z.looseObject({
  id: z.string(),
  summary: z.string(),
  needs: z.object({ media: z.boolean() }),
  settings: z.looseObject({ properties: z.optional(z.record(z.string(), schema)) }),
})

export type Offered = z.output<typeof offered>
export type SettingSchema = z.output<typeof schema>

export function offeredEndpoints(catalog: readonly unknown[]): Offered[] {
  return catalog.flatMap((endpoint) => {
    const { data } = offered.safeParse(endpoint)
    return data ? [data] : []
  })
}

export interface JobRequest {
  readonly endpoint: string
  readonly media_url?: string
  readonly start?: number | string
  readonly end?: number | string
  readonly settings?: Readonly<Record<string, unknown>>
}

/** The request of a filled form. What is left empty is left out, so that the service's own defaults hold. */
export function requestOf({ id, needs, settings }: Offered, form: FormData): JobRequest {
  const sent = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const url = sent('url') || sent('upload')
  const given = Object.entries(settings.properties ?? {}).flatMap(([name, property]) => {
    const text = sent(`settings.${name}`)
    return text === '' ? [] : [[name, settingOf(text, property)] as const]
  })
  return {
    endpoint: id,
    ...(needs.media && url ? { media_url: url } : {}),
    ...(sent('start') ? { start: timeOf(sent('start')) } : {}),
    ...(sent('end') ? { end: timeOf(sent('end')) } : {}),
    ...(given.length > 0 ? { settings: Object.fromEntries(given) } : {}),
  }
}

/** Seconds are a number. Other forms, such as 1:30, the service reads, or refuses with the forms that it takes. */
function timeOf(text: string): number | string {
  const seconds = Number(text)
  return Number.isFinite(seconds) ? seconds : text
}

/** A text stays a text where the setting is one. Others are JSON, such as a number or a list, and what is not JSON is a text, such as auto. */
function settingOf(text: string, { type }: SettingSchema): unknown {
  if (type === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
