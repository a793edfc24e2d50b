/** Whether PostgreSQL keeps all texts of a JSON document: it takes no NUL, and no half of a surrogate pair. */
export function isStorable(document: unknown): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(document))
}

export const notStorable = 'a text holds a NUL character, or half of a surrogate pair. Leave it out.'
