import type { CutMode } from '../media/clip/clip-receipt.ts'

interface EncodedSetting {
  /** The value with which it changes nothing. */
  readonly keeps: unknown
  /** Modes that copy what it would change. */
  readonly refusedIn: readonly CutMode[]
}

/** Settings of clips that change the picture or the sound, which must be encoded for it. */
const encodedSettings: Readonly<Record<string, EncodedSetting>> = {
  loudness: { keeps: 'keep', refusedIn: ['copy'] },
}

/** Says which setting the mode cannot apply; undefined if it can apply all. */
export function refusedInMode(
  settings: { readonly mode: CutMode } & Readonly<Record<string, unknown>>,
): string | undefined {
  const { mode } = settings
  const name = Object.keys(encodedSettings).find((each) => {
    const { keeps, refusedIn = [] } = encodedSettings[each] ?? {}
    return refusedIn.includes(mode) && settings[each] !== undefined && settings[each] !== keeps
  })
  return name && `settings.${name} needs an encoded clip, and settings.mode is ${mode}. Leave one of them out.`
}
