/** A level or a score as results show it. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100
}
