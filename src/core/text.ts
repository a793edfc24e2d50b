/** Whether PostgreSQL can store every text of a JSON document: it accepts no NUL and no half of a surrogate pair. */
export function isPostgresText(json: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(json)
}

export const notPostgresText = 'a text contains a NUL character, or half of a surrogate pair. Remove it.'

/** Escapes text for the content and the quoted attributes of HTML and SVG. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
