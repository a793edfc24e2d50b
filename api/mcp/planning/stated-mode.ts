import { contentTypes } from '../../../src/core/media.ts'
import type { ReadGoal } from '../../../src/goals/read-goal.ts'

// How much of a clip may be encoded again.

/** Modes that copy what they can. */
type CopyingMode = 'smart' | 'copy'
type Settings = Readonly<Record<string, unknown>>

const encoded = String.raw`(?:re-?)?(?:encod|transcod|compress)(?:e|es|ed|ing)?\b`
const none = String.raw`\b(?:no|not|never|nothing|without|avoid|avoids|avoiding|instead of|rather than|cannot|[a-z]+n['’]t)\b`
const keepsEncoding = new RegExp(String.raw`${none} (?:[a-z]+ ){0,4}?${encoded}|\bloss-?less(?:ly)?\b|\bsmart[ -]?cut`)
const encodesNothing = new RegExp(
  [
    String.raw`\b(?:stream|codec|packet)[ -]?copy\b|\bcopy (?:the )?(?:streams?|packets?|codecs?)\b`,
    String.raw`\b(?:no|without|not|nothing|zero)\b (?:[a-z]+ ){0,4}?${encoded}[^.,;]{0,20} (?:at all|whatsoever)\b|\bnot a single frame\b`,
    String.raw`\bkey ?frames? (?:[a-z]+ ){0,3}?(?:fine|ok|okay|enough|acceptable|good)\b|\b(?:accept|fine with|happy with|ok with|okay with) (?:the |a )?key ?frames?`,
    String.raw`\b(?:at|on|to) (?:the |a )?(?:nearest |next |closest |previous )?key ?frames?\b`,
  ].join('|'),
)

/** The mode that the goal asks for, as far as the other settings of the clip allow one. */
export function modeIn({ text }: ReadGoal, settings: Settings): { readonly mode?: CopyingMode } {
  const mode = wishedMode(text)
  if (mode === undefined || needsEncoding(settings)) return {}
  return { mode: 'loudness' in settings ? 'smart' : mode }
}

function wishedMode(text: string): CopyingMode | undefined {
  if (encodesNothing.test(text)) return 'copy'
  return keepsEncoding.test(text) ? 'smart' : undefined
}

/** A changed picture, and a file of sound alone. */
function needsEncoding({ aspect, height, captions, format }: Settings): boolean {
  const isSound = Object.entries(contentTypes).some(([name, type]) => name === format && type.startsWith('audio/'))
  return (
    isSound ||
    [aspect, height].some((value) => value !== undefined) ||
    JSON.stringify(captions ?? {}).includes('"burn"')
  )
}

const fallback = 'If the media does not allow it, the clip is encoded: receipt.fallback_reason says why.'

/** What the mode encodes, or why the plan has no mode. */
export function notesOnMode({ text }: ReadGoal, given: object): string[] {
  if (wishedMode(text) === undefined) return []
  const sent = JSON.stringify(given)
  if (sent.includes('"mode":"smart"'))
    return [
      `"mode": "smart" cuts exactly: it encodes the frames between a cut and a keyframe, and copies the rest. To encode nothing, send "copy", whose cuts are at keyframes. ${fallback}`,
    ]
  if (sent.includes('"mode":"copy"'))
    return [
      `"mode": "copy" encodes nothing: a clip starts at the keyframe before its start, and can end later. ${fallback}`,
    ]
  return /"(?:aspect|height|captions|format)":/.test(sent)
    ? ['The file is encoded again: its shape, its size, its captions or its format change.']
    : []
}
