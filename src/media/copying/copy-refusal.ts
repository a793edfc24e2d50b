/** Thrown when packets cannot be copied as the mode promises; the clip is then made exactly. The message is a clause for the receipt. */
export class CopyRefusal extends Error {
  override readonly name = 'CopyRefusal'
}

export function refuseUnless(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new CopyRefusal(reason)
}
