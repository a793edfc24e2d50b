export interface Chain {
  readonly id: string
  readonly title: string
  /** Endpoint ids, in order: each step works on what the one before found. */
  readonly steps: readonly string[]
}

/** The recommended chains. */
export const chains: readonly Chain[] = [
  {
    id: 'find-funny-clips',
    title: 'Find funny clips',
    steps: ['audio/detect-laughter', 'audio/detect-silence', 'video/clip-near'],
  },
  {
    id: 'remove-dead-space',
    title: 'Remove dead space',
    steps: ['audio/detect-silence', 'timeline/suggest-ranges', 'video/clip-window'],
  },
  { id: 'find-exact-words', title: 'Find exact words', steps: ['audio/find-words', 'video/clip-near'] },
  { id: 'pick-thumbnails', title: 'Pick thumbnails', steps: ['video/best-frames', 'video/thumbnail-score'] },
  {
    id: 'searchable-media-memory',
    title: 'Searchable media memory',
    steps: ['audio/semantic-chunks', 'video/text-frames', 'timeline/merge'],
  },
]
