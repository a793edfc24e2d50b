import { closestMatch } from 'leven'

/** A typing error changes at most two characters. */
const maxEdits = 2
/** A shorter beginning is no sign of the name: `id`, `to`. */
const minPrefix = 3

/** The name that was probably meant: `threshold` for `treshold`, `start` for `startTime`, `media_url` for `media`. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > 60) return undefined
  const words = wordsOf(given)
  const form = words.join('')
  const byForm = new Map(names.map((name) => [wordsOf(name).join(''), name]))
  const maxDistance = Math.min(maxEdits, Math.floor(form.length / 3))
  const close = closestMatch(form, [...byForm.keys()], { maxDistance })
  if (close !== undefined) return byForm.get(close)
  return names.find((name) => {
    const ofName = wordsOf(name)
    const isBeginning = form.length >= minPrefix && ofName.join('').startsWith(form)
    return isBeginning || isPartOf(ofName, words) || isPartOf(words, ofName)
  })
}

/** `start_time`, `startTime` and `start-time` are the words start and time. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
}

function isPartOf(part: readonly string[], whole: readonly string[]): boolean {
  return part.length > 0 && part.every((word) => whole.includes(word))
}
