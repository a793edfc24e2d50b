/** Thrown when packets cannot be copied as the mode promises; the clip is then made exactly. The message is a clause for the receipt. */
export class CopyRefusal extends Error {
  override readonly name = 'CopyRefusal'
}

/** Throws `CopyRefusal` where `read` reads past the end of its bytes. */
export function refuseCut<Result>(reason: string, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new CopyRefusal(reason, { cause })
  }
}

export function refuseUnless(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new CopyRefusal(reason)
}
