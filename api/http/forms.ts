import { escapeMarkup } from '../../src/core/text.ts'
import type { App } from './context.ts'
import type { ErrorBody } from './errors.ts'

/** Reads forms of at most `maxBytes` as bodies of `app`, by default as an object of their fields. */
export function readForms(
  app: App,
  maxBytes: number,
  parse: (text: string) => unknown = (text) => Object.fromEntries(new URLSearchParams(text)),
): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    async (_request: unknown, body: string) => parse(body),
  )
}

/** A field of a form that its reader does not see, as markup. */
export function hiddenField(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeMarkup(value)}">`
}

/** What a page says of an error, as markup. */
export function alertOf({ message, request_id }: ErrorBody): string {
  return `<p role="alert">${escapeMarkup(message)}<br>Request id: <code>${request_id}</code></p>`
}
