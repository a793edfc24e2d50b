import type { CaptionStyle, Cue } from '../../core/captions.ts'
import type { PlacedCues, ShownRange } from '../../core/place-cues.ts'

/** The captions that a clip should have. */
export interface CaptionsRequest {
  /** How they look as part of the picture. Null keeps them apart. */
  readonly style: CaptionStyle | null
  /** Finds those of the ranges that the clip shows. */
  readonly place: (ranges: readonly ShownRange[]) => PlacedCues
}

/** The captions of a clip, on its own clock. */
export interface ClipCaptions extends PlacedCues {
  readonly cues: readonly Cue[]
  readonly style: CaptionStyle | null
}

export function clipCaptions(
  { captions }: { readonly captions?: CaptionsRequest | null | undefined },
  ranges: readonly ShownRange[],
): ClipCaptions | null {
  return captions ? { ...captions.place(ranges), style: captions.style } : null
}
