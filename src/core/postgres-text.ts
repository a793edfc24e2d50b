/** Whether PostgreSQL can store every text of a JSON document: it accepts no NUL and no half of a surrogate pair. */
export function isPostgresText(json: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(json)
}

export const notPostgresText = 'a text contains a NUL character, or half of a surrogate pair. Remove it.'
