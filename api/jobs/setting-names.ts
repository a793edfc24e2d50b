import { endpoints } from '../../src/endpoints/catalog.ts'

/**
 * The settings of all endpoints. Such a name is never taken for a misspelt one: callers may send the same settings to several
 * endpoints.
 */
export const settingNames: ReadonlySet<string> = new Set(
  endpoints.flatMap(({ settings }) => Object.keys(settings.shape)),
)
