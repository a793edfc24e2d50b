import { ServiceError } from '../core/errors.ts'
import { type ExportDocument, mediaFrameAt, mediaFrames, usualMaxEdits } from './export-document.ts'

/** The colours that OpenTimelineIO, DaVinci Resolve and Premiere Pro all have. */
export const markerColours = ['blue', 'green', 'red', 'yellow', 'cyan', 'purple'] as const
export type MarkerColour = (typeof markerColours)[number]

/** What people look for has the colour that it has in every file; other kinds take those that are left. */
const usualColours: Readonly<Record<string, MarkerColour>> = {
  ...{ silence: 'blue', sound: 'green', range: 'green', cut: 'red', match: 'red', laugh: 'yellow' },
  ...{ word: 'cyan', sentence: 'cyan', line: 'cyan', topic: 'purple', frame: 'green' },
}

/** An entry on the medium, in frames from its first. */
export interface Marker {
  readonly label: string
  readonly kind: string
  readonly colour: MarkerColour
  /** Whether its label says nothing but its kind and its number. */
  readonly isUnnamed: boolean
  readonly startSeconds: number
  readonly endSeconds: number
  readonly frame: number
  /** At least one. */
  readonly frames: number
}

/** Of entries that come from the caller. */
const unknownKind = 'marker'

/**
 * The entries as markers, in the order of time, each edge on the frame that an edit would have. A moment is one frame long, and none
 * is before the first frame or after the end. Throws `invalid_request` for more than an editor, or the format, can have.
 */
export function markersOf(document: ExportDocument, maxMarkers = usualMaxEdits): Marker[] {
  const { what, entries } = document
  if (what === 'cuts') return []
  if (entries.length > maxMarkers)
    throw new ServiceError(
      'invalid_request',
      `A file of this format has at most ${maxMarkers} markers, and this result has ${entries.length}. Choose a shorter list with list=, or use as=csv or labels.`,
    )
  const colours = coloursOf(entries.map(({ kind = unknownKind }) => kind))
  const end = mediaFrames(document)
  return entries
    .toSorted((one, other) => one.start - other.start)
    .map((entry) => {
      const { kind = unknownKind, label, isUnnamed = false } = entry
      const frame = Math.min(end - 1, Math.max(0, mediaFrameAt(entry.start, document)))
      const frames = Math.max(1, Math.min(end, mediaFrameAt(entry.end, document)) - frame)
      const times = { startSeconds: entry.start, endSeconds: entry.end }
      return { label, kind, isUnnamed, ...times, frame, frames, colour: colours.get(kind) ?? markerColours[0] }
    })
}

/** A colour for each kind, all different while there are enough. */
function coloursOf(kinds: readonly string[]): Map<string, MarkerColour> {
  const colours = new Map<string, MarkerColour>()
  for (const kind of new Set(kinds)) {
    const taken = [...colours.values()]
    const free = markerColours.filter((colour) => !taken.includes(colour))
    const usual = usualColours[kind]
    const chosen = free.find((colour) => colour === usual) ?? free[0] ?? usual
    colours.set(kind, chosen ?? markerColours[0])
  }
  return colours
}
