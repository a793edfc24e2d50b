/** Drawings of 24 × 24 units, as strokes. */
const drawings = {
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  media: 'M4 5h16v14H4zM10 9l5 3-5 3z',
  jobs: 'M4 6h3v3H4zM4 15h3v3H4zM11 7.5h9M11 16.5h9',
  usage: 'M5 20V11M12 20V4M19 20v-6',
  billing: 'M3 6h18v12H3zM3 10h18M7 15h4',
  keys: 'M14.5 13.5a4.5 4.5 0 1 0-4-4L4 16v4h4v-3h3v-3z',
  connectors: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  webhooks: 'M12 8a3 3 0 1 0-2.4-1.2L7 12M7 13a3 3 0 1 0 2.8 4H15M13.5 6.5l3 5.5a3 3 0 1 1-1.7 5.5',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v4h16v-4',
  download: 'M12 4v12M7 11l5 5 5-5M4 20h16',
  play: 'M7 4l13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'm15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  sound: 'M4 10v4M8 7v10M12 4v16M16 8v8M20 10v4',
  silence: 'M4 9h4l5-4v14l-5-4H4zM17 10l4 4M21 10l-4 4',
  cut: 'M6 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.5 8 20 17M8.5 16 20 7',
  words: 'M4 6h16M4 11h16M4 16h10',
  back: 'M15 5l-7 7 7 7',
  brand: 'M6 20 12 4l6 16M8.5 14h7',
  share: 'M12 15V3M8 7l4-4 4 4M8 11H5v10h14V11h-3',
} as const

export type IconName = keyof typeof drawings

/** Beside a text that says the same. */
export function Icon({ name, className = 'size-5' }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinejoin="round"
      strokeLinecap="round"
      className={`shrink-0 ${className}`}
    >
      <path d={drawings[name]} />
    </svg>
  )
}
