/** What people say while they think, as transcripts write it; two of the letters that are drawn out. */
export const fillers: readonly string[] = ['um', 'umm', 'uh', 'uhh', 'uhm', 'er', 'erm', 'hm', 'hmm', 'mm', 'mhm']

/** Whether these small letters are of a filler, however long it is drawn out, or of "ah", which as a word can be meant. */
export function isFillerSound(letters: string): boolean {
  return sounds.has(shortest(letters))
}

function shortest(letters: string): string {
  return letters.replaceAll(/(.)\1+/gu, '$1')
}

const sounds: ReadonlySet<string> = new Set([...fillers, 'ah'].map(shortest))
