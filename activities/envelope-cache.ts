import type { Envelope } from '../src/media/envelope/envelope.ts'

/** Envelopes that were just asked for: the next question about the same media often comes at once. */
export interface EnvelopeCache {
  /** What is here, or is being loaded already, or else what `load` gives. */
  get(id: string, load: () => Promise<Envelope>): Promise<Envelope>
}

/** Keeps the envelopes that were asked for last, up to so many bytes. */
export function createEnvelopeCache(mostBytes: number): EnvelopeCache {
  const loading = new Map<string, Promise<Envelope>>()
  // In the order of their last use.
  const kept = new Map<string, Envelope>()

  function keep(id: string, envelope: Envelope): void {
    kept.delete(id)
    kept.set(id, envelope)
    let bytes = [...kept.values()].reduce((sum, each) => sum + bytesOf(each), 0)
    for (const [oldest, each] of kept) {
      if (bytes <= mostBytes) return
      kept.delete(oldest)
      bytes -= bytesOf(each)
    }
  }

  async function load(id: string, loader: () => Promise<Envelope>): Promise<Envelope> {
    try {
      return await loader()
    } finally {
      loading.delete(id)
    }
  }

  return {
    get: async (id, loader) => {
      const running = kept.get(id) ?? loading.get(id) ?? load(id, loader)
      if (running instanceof Promise) loading.set(id, running)
      const envelope = await running
      keep(id, envelope)
      return envelope
    },
  }
}

function bytesOf({ peaks, squares }: Envelope): number {
  return peaks.byteLength + squares.byteLength
}
