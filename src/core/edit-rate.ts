/** Frames a second, as a fraction: NTSC rates such as 29.97 are 30000/1001. */
export interface EditRate {
  readonly frames: number
  readonly seconds: number
}

/** The rates that editors have, as people write them. */
export const editRates = {
  '23.976': { frames: 24_000, seconds: 1001 },
  '24': { frames: 24, seconds: 1 },
  '25': { frames: 25, seconds: 1 },
  '29.97': { frames: 30_000, seconds: 1001 },
  '30': { frames: 30, seconds: 1 },
  '48': { frames: 48, seconds: 1 },
  '50': { frames: 50, seconds: 1 },
  '59.94': { frames: 60_000, seconds: 1001 },
  '60': { frames: 60, seconds: 1 },
  '100': { frames: 100, seconds: 1 },
  '119.88': { frames: 120_000, seconds: 1001 },
  '120': { frames: 120, seconds: 1 },
} as const satisfies Readonly<Record<string, EditRate>>

export type EditRateName = keyof typeof editRates
export const editRateNames = Object.keys(editRates).filter((name): name is EditRateName =>
  Object.hasOwn(editRates, name),
)

/** Not all editors have faster timelines, so that no picture has one unless the caller chooses it. */
const mostUsualFirst = (['30', '29.97', '25', '24', '23.976', '60', '59.94', '50', '48'] as const).map(
  (name) => editRates[name],
)

const speedOf = ({ frames, seconds }: EditRate) => frames / seconds
const fastestFirst = mostUsualFirst.toSorted((one, other) => speedOf(other) - speedOf(one))

/** Whether a ratio of rates is a whole number. 29.97 and 30 differ by a thousandth. */
const isWhole = (ratio: number) => Math.abs(ratio / Math.round(ratio) - 1) < 0.0004

/**
 * The editors' rate at which every frame of a picture begins on a frame: the picture's own, a multiple of a slower one, or the rate of
 * which a faster one is a multiple. The nearest rate if there is none.
 */
export function editRateOf(framesPerSecond: number): EditRate {
  return (
    mostUsualFirst.find((rate) => isWhole(speedOf(rate) / framesPerSecond)) ??
    fastestFirst.find((rate) => isWhole(framesPerSecond / speedOf(rate))) ??
    nearestTo(framesPerSecond)
  )
}

function nearestTo(framesPerSecond: number): EditRate {
  const distance = (rate: EditRate) => Math.abs(Math.log(speedOf(rate) / framesPerSecond))
  return mostUsualFirst.reduce<EditRate>(
    (best, rate) => (distance(rate) < distance(best) ? rate : best),
    editRates['30'],
  )
}

/** The frame boundary that is nearest to a time. */
export function editFrameAt(seconds: number, rate: EditRate): number {
  return Math.round((seconds * rate.frames) / rate.seconds)
}

/** Times are rounded. */
const frameTolerance = 0.05

/** The first frame that is shown from a time on. */
export function firstFrameFrom(seconds: number, rate: EditRate): number {
  return Math.ceil((Math.max(0, seconds) * rate.frames) / rate.seconds - frameTolerance)
}

/** The frames that timecode counts in a second: 30 for 29.97. */
export function timebaseOf({ frames, seconds }: EditRate): number {
  return Math.round(frames / seconds)
}

export function isNtsc({ seconds }: EditRate): boolean {
  return seconds === 1001
}

/** SMPTE ST 12-1 defines drop-frame counting for 29.97 and 59.94 only; editors count 119.88 alike. */
export function canDropFrames(rate: EditRate): boolean {
  return isNtsc(rate) && timebaseOf(rate) % 30 === 0
}

/** Timecode of a frame, such as `01:00:00:00`; with drop-frame counting `01:00:00;02`. Starts again after 24 hours. */
export function timecodeOf(frame: number, rate: EditRate, isDropFrame: boolean): string {
  const base = timebaseOf(rate)
  const numbers = isDropFrame ? frame + droppedBefore(frame, base) : frame
  const parts = [numbers / (base * 3600), (numbers / (base * 60)) % 60, (numbers / base) % 60, numbers % base]
  const [hours = '', minutes, seconds, frames] = parts.map((part, index) =>
    String(Math.floor(index === 0 ? part % 24 : part)).padStart(2, '0'),
  )
  return `${hours}:${minutes}:${seconds}${isDropFrame ? ';' : ':'}${frames}`
}

/** The numbers that are left out up to a frame: 2 of 30 at the start of each minute but every tenth. */
function droppedBefore(frame: number, base: number): number {
  const drop = base / 15
  const [perMinute, perTen] = [base * 60 - drop, base * 600 - drop * 9]
  const rest = frame % perTen
  const minutes = rest < base * 60 ? 0 : 1 + Math.floor((rest - base * 60) / perMinute)
  return drop * (9 * Math.floor(frame / perTen) + minutes)
}

/**
 * Counts the frames up to a timecode, which itself counts `ownBase` frames in a second: at another rate, it is the frame of the same
 * second that is shown then. Undefined if its rate has no such timecode. A `;` before the frames means drop-frame counting, in which
 * a number that is left out is that of the next frame.
 */
export function frameOfTimecode(
  timecode: string,
  rate: EditRate,
  ownBase = timebaseOf(rate),
): { frame: number; isDropFrame: boolean } | undefined {
  const match = /^(\d{2}):([0-5]\d):([0-5]\d)([:;.,])(\d{2}|[1-9]\d{2})$/.exec(timecode)
  if (!match) return undefined
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = [match[1], match[2], match[3], match[5]].map(Number)
  if (frames >= ownBase) return undefined
  const base = timebaseOf(rate)
  const isDropFrame = match[4] !== ':' && canDropFrames(rate)
  const drop = isDropFrame ? base / 15 : 0
  const allMinutes = hours * 60 + minutes
  const dropped = drop * (allMinutes - Math.floor(allMinutes / 10))
  const counted = Math.floor((frames * base) / ownBase)
  const isLeftOut = seconds === 0 && minutes % 10 > 0 && counted < drop
  const shown = isLeftOut ? drop : counted
  return { frame: (allMinutes * 60 + seconds) * base + shown - dropped, isDropFrame }
}
