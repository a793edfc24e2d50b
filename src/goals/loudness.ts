// The loudness that a goal states for a file.

const loudnessName = String.raw`(?:loudness|normali[sz]\w*|lufs)`
const number = String.raw`(\d{1,2}(?:\.\d)?)`
const stated = new RegExp(
  String.raw`\b${number}\s*lufs\b` +
    String.raw`|\b${loudnessName}\b(?:(?!\b(?:above|over|below|under|than|exceeds?)\b)[^.,;\d]){0,30}?(?:[-–−]|\bminus )\s?${number}(?![\d:])`,
)

/** The loudness in LUFS: -14 of "loudness to -14" and of "14 LUFS". */
export function loudnessIn(text: string): number | undefined {
  const [, ofUnit, ofName] = stated.exec(text) ?? []
  const lufs = ofUnit ?? ofName
  return lufs === undefined || !isLoudness(Number(lufs)) ? undefined : -Number(lufs)
}

/** What `settings.loudness` takes. */
function isLoudness(lufs: number): boolean {
  return lufs >= 5 && lufs <= 40
}
