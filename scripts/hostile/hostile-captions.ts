/** SubRip of a few seconds that is expensive to show: the turns take the kinds one after another. */
export function hostileCaptions(turn: number): string {
  const kinds = [nested, wordy, brief, busy]
  return (kinds[turn % kinds.length] ?? nested)().join('\n\n')
}

/** All within each other. */
function nested(): string[] {
  return Array.from({ length: 2_200 }, (_, index) => cue(index, 4_400 - index, 'nested '.repeat(8)))
}

/** A thousand short words of a letter that fonts lack in each, all shown simultaneously. */
function wordy(): string[] {
  return Array.from({ length: 80 }, (_, index) => cue(index * 10, 5_000, '\u0710 '.repeat(450)))
}

/** Shorter than a frame. */
function brief(): string[] {
  return Array.from({ length: 2_240 }, (_, index) => cue(index * 2, index * 2 + 1, `caption ${index}`))
}

/** As many as are accepted, as long as they may be. */
function busy(): string[] {
  return Array.from({ length: 40 }, (_, index) => cue(index * 120, index * 120 + 900, 'W '.repeat(499)))
}

function cue(startMilliseconds: number, endMilliseconds: number, text: string): string {
  return `${clock(startMilliseconds)} --> ${clock(endMilliseconds)}\n${text}`
}

function clock(milliseconds: number): string {
  return `00:00:${(milliseconds / 1000).toFixed(3).padStart(6, '0').replace('.', ',')}`
}
