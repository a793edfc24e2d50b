export interface UnreadText<Connection> {
  readonly connection: Connection
  /** The network of the client. */
  readonly network: string
  readonly bytes: number
}

/** Counts the bytes of texts, and of parts of streamed ones, that clients have not read, within a limit for all networks together. */
export function createUnreadBytes<Connection>(maxBytes: number) {
  /** When each was sent, in milliseconds, the oldest first. */
  const waiting = new Map<UnreadText<Connection>, number>()
  let allBytes = 0
  const remove = (text: UnreadText<Connection>) => {
    if (waiting.delete(text)) allBytes -= text.bytes
  }
  return {
    remove,
    /**
     * Returns the connections to close until all bytes are within the limit, each with the oldest text of the network whose bytes
     * have waited most: a text that was just sent has not waited, however large it is.
     */
    add: (sent: UnreadText<Connection>): Connection[] => {
      waiting.set(sent, performance.now())
      allBytes += sent.bytes
      const closed: Connection[] = []
      while (allBytes > maxBytes) {
        const { connection } = oldestOfSlowest(waiting) ?? sent
        for (const each of waiting.keys()) if (each.connection === connection) remove(each)
        closed.push(connection)
      }
      return closed
    },
  }
}

/** The oldest text of the network with the most bytes, each counted as often as the milliseconds it has waited. */
function oldestOfSlowest<Connection>(waiting: ReadonlyMap<UnreadText<Connection>, number>) {
  const now = performance.now()
  const waitOf = new Map<string, number>()
  for (const [{ network, bytes }, sentAtMs] of waiting) {
    waitOf.set(network, (waitOf.get(network) ?? 0) + bytes * (now - sentAtMs))
  }
  const most = Math.max(...waitOf.values())
  return [...waiting.keys()].find(({ network }) => waitOf.get(network) === most)
}
