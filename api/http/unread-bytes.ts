interface UnreadResponse<Connection> {
  readonly connection: Connection
  /** The network of the client. */
  readonly network: string
  readonly bytes: number
}

interface WaitingResponse<Connection> extends UnreadResponse<Connection> {
  readonly sentAtMs: number
}

/** Counts the bytes of responses that clients have not read, within a limit for all networks together. */
export function createUnreadBytes<Connection>(maxBytes: number) {
  const waiting = new Map<object, WaitingResponse<Connection>>()
  let allBytes = 0
  const remove = (response: object) => {
    allBytes -= waiting.get(response)?.bytes ?? 0
    waiting.delete(response)
  }
  return {
    remove,
    /**
     * Returns the connections to close until all bytes are within the limit, each with the oldest response of the network whose bytes
     * have waited most: a response that was just sent has not waited, however large it is.
     */
    add: (response: object, sent: UnreadResponse<Connection>): Connection[] => {
      remove(response)
      waiting.set(response, { ...sent, sentAtMs: performance.now() })
      allBytes += sent.bytes
      const closed: Connection[] = []
      while (allBytes > maxBytes) {
        const { connection } = oldestOfSlowest([...waiting.values()]) ?? sent
        for (const [each, { connection: its }] of waiting) if (its === connection) remove(each)
        closed.push(connection)
      }
      return closed
    },
  }
}

/** The oldest response of the network with the most bytes, each counted as often as the milliseconds it has waited. */
function oldestOfSlowest<Connection>(waiting: readonly WaitingResponse<Connection>[]) {
  const now = performance.now()
  const waitOf = new Map<string, number>()
  for (const { network, bytes, sentAtMs } of waiting) {
    waitOf.set(network, (waitOf.get(network) ?? 0) + bytes * (now - sentAtMs))
  }
  const most = Math.max(...waitOf.values())
  return waiting.find(({ network }) => waitOf.get(network) === most)
}
