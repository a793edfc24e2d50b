import { z } from 'zod'
import { cutsByText, textSettings } from '../endpoints/timeline-suggest-ranges/text-settings.ts'
import { clipSuggested } from './clip-suggested.ts'
import type { StepSettings } from './earlier-jobs.ts'
import { refuseClips } from './refuse-clips.ts'

const finding = 'audio/find-words'
const suggesting = 'timeline/suggest-ranges'

/** What people say while they think, as transcripts write it. */
const fillers: readonly string[] = ['um', 'umm', 'uh', 'uhh', 'uhm', 'er', 'erm', 'hmm', 'mm', 'mhm']

/** Fillers and repeats, unless the caller says what to cut. */
export function usualCuts(given: StepSettings): StepSettings {
  const isSaid = Object.keys(textSettings).some((name) => Object.hasOwn(given[suggesting] ?? {}, name))
  return isSaid ? {} : { [suggesting]: { remove_words: fillers, remove_repeats: true } }
}

/** With settings that cut nothing, or that the clip refuses, only the transcript would be charged. */
export function refuseWithoutCuts(given: StepSettings): string | undefined {
  const { data } = z.object(textSettings).safeParse({ ...usualCuts(given)[suggesting], ...given[suggesting] })
  if (!data || cutsByText(data)) return refuseClips(given, 'video/clip-window', true)
  return `settings["${suggesting}"]: send remove_words, remove_repeats or keep_text; without all three, the usual filler words and repeats are cut.`
}

export const clipSpeech = clipSuggested({
  gap: 'cut',
  transcribedBy: finding,
  ifNone: 'The cuts leave nothing of what was heard. Cut fewer words.',
  ifLarge: () => 'If it is not meant, cut fewer words, or check that keep_text is the text of this media.',
  ifUncut:
    'Nothing was cut: no word to remove and no repeat was heard, or none with a quiet moment on both sides. Remove other words: the transcript of audio/find-words shows what was heard.',
})

export function cleanSpeechLabel(): string {
  return 'clean-speech'
}
