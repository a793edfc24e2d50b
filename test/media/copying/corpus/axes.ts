// What the films of the corpus differ in.

const axes = {
  codec: ['h264', 'hevc'],
  rate: ['25', '30000/1001', '24000/1001', '60', 'variable'],
  groups: ['closed', 'open', 'b-pyramid', 'one-keyframe'],
  sound: ['aac', 'opus', 'mp3', 'pcm', 'none'],
  start: ['zero', 'negative', 'positive'],
  turn: ['upright', 'turned'],
} as const

type Axes = typeof axes
export type Film = { readonly [Axis in keyof Axes]: Axes[Axis][number] }

/** Every combination. */
export function wholeCorpus(): Film[] {
  return axes.codec.flatMap((codec) =>
    axes.rate.flatMap((rate) =>
      axes.groups.flatMap((groups) =>
        axes.sound.flatMap((sound) =>
          axes.start.flatMap((start) => axes.turn.map((turn) => ({ codec, rate, groups, sound, start, turn }))),
        ),
      ),
    ),
  )
}

/** Films in which every pair of values of two axes occurs. Always the same ones. */
export function pairwiseCorpus(): Film[] {
  const left = wholeCorpus()
  const missing = new Set(left.flatMap((film) => pairsOf(film)))
  const chosen: Film[] = []
  while (missing.size > 0) {
    const news = (film: Film) => pairsOf(film).filter((pair) => missing.has(pair)).length
    const best = left.reduce((most, film) => (news(film) > news(most) ? film : most))
    chosen.push(best)
    for (const pair of pairsOf(best)) missing.delete(pair)
  }
  return chosen
}

function pairsOf(film: Film): string[] {
  const values = Object.entries(film).map(([axis, value]) => `${axis} ${value}`)
  return values.flatMap((first, index) => values.slice(index + 1).map((second) => `${first}, ${second}`))
}
