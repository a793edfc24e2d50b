import { Client, Connection } from '@temporalio/client'

/** What must never be written down, whoever it belongs to. Temporal's task tokens open nothing without its server. */
const forms: readonly (readonly [name: string, form: RegExp])[] = [
  ['a key or a token of a connector', /mt_(?:live|con)_[a-zA-Z0-9]{24}_[a-zA-Z0-9]{8,}/],
  ['a signature of a URL', /(?:signature|X-Goog-Signature|X-Amz-Signature)(?:=|%3D)[a-zA-Z0-9_-]{16,}/i],
  ['a bearer credential', /bearer\s+[a-zA-Z0-9._~+/-]{16,}/i],
  [
    'a password, token or secret',
    /(?<!task)(?:password|token|secret)\\?["']?\s*(?:[:=]|%3D)\s*\\?["']?(?!\[redacted\]|null|undefined|true|false|string\b|expected )[^\s"'\\,;&}]{6,}/i,
  ],
]

export interface Text {
  readonly source: string
  readonly text: string
}

export interface Leak {
  readonly what: string
  /** Where it was found. */
  readonly source: string
  /** The words around it, so that the place in the code is found. */
  readonly excerpt: string
}

/** The secrets in the texts: by their form, and the given ones by their letters. */
export function findSecrets(texts: Iterable<Text>, known: readonly string[]): Leak[] {
  const leaks: Leak[] = []
  for (const { source, text } of texts) {
    const places = [
      ...forms.map(([what, form]) => ({ what, at: text.search(form) })),
      ...known.map((secret) => ({ what: 'a media URL or another known secret', at: text.indexOf(secret) })),
    ]
    for (const { what, at } of places) {
      if (at >= 0) leaks.push({ what, source, excerpt: text.slice(Math.max(0, at - 120), at + 80) })
    }
  }
  return leaks
}

/** Everything that Temporal wrote down about the workflows of a namespace: a text for each, with its payloads read. */
export async function readHistories(
  address: string,
  namespace: string,
  /** Of some that must be there; lists learn of a workflow after a moment. */
  workflowIds: readonly string[] = [],
): Promise<Text[]> {
  const connection = await Connection.connect({ address })
  try {
    const { workflow } = new Client({ connection, namespace })
    const ids = new Set(workflowIds)
    for await (const { workflowId } of workflow.list()) ids.add(workflowId)
    const left = [...ids]
    const texts: Text[] = []
    const read = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const text = textsIn(await workflow.getHandle(id).fetchHistory()).join('\n')
        texts.push({ source: `history of ${id}`, text })
      }
    }
    await Promise.all(Array.from({ length: 8 }, read))
    return texts
  } finally {
    await connection.close()
  }
}

/** Every text in the value, bytes taken as text: that is what payloads are. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
