import { Client, Connection } from '@temporalio/client'

/** The forms of secrets that must never be written. Temporal's task tokens are useless without its server. */
const forms: readonly (readonly [name: string, form: RegExp])[] = [
  ['a key or a token of a connector', /mt_(?:live|con)_[a-zA-Z0-9]{24}_[a-zA-Z0-9]{8,}/],
  ['a code or a token of OAuth', /mt_(?:code|ref)_[a-zA-Z0-9]{8,}/],
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
  /** The text in which it was found. */
  readonly source: string
  /** The words around it, to find the place in the code. */
  readonly excerpt: string
}

/** Finds secrets in the texts: by form, and the known ones by value. */
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

/** The histories of all workflows of a namespace: one text each, with decoded payloads. */
export async function readHistories(
  address: string,
  namespace: string,
  /** Ids of workflows that must exist, because lists show a workflow only after a moment. */
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

/** Every text in the value; decodes bytes as text, because payloads are bytes. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
