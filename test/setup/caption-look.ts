import type { CaptionLook, CaptionStyle } from '../../src/core/captions.ts'

/** Captions in a style as requests get them that ask for nothing else. */
export function lookOf(style: CaptionStyle): CaptionLook {
  return { style, position: 'bottom', colour: '#ffffff', highlightColour: '#ffd400' }
}
