import { z } from 'zod'

const prefix = '#/components/schemas/'

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

/**
 * The generator writes every named schema twice, `X` as output and `XInput` as input. This keeps the referenced schemas,
 * in the order of their names, and renames an input to its plain name if no output has that name.
 */
export function keepReferenced<T extends Document>(document: T): T {
  const { schemas } = document.components
  const referenced = new Set<string>()
  const visit = (part: unknown) => {
    for (const name of referencesIn(part)) {
      if (referenced.has(name) || !Object.hasOwn(schemas, name)) continue
      referenced.add(name)
      visit(schemas[name])
    }
  }
  visit({ ...document, components: null })
  const plainName = (name: string) => {
    const plain = name.replace(/Input$/, '')
    return referenced.has(plain) ? name : plain
  }
  const named = Object.fromEntries(
    [...referenced].sort().map((name) => [plainName(name), rename(schemas[name], plainName)]),
  )
  const renamed = rename({ ...document, components: null }, plainName)
  return { ...document, ...renamed, components: { ...document.components, schemas: named } }
}

function referencesIn(part: unknown): string[] {
  const found: string[] = []
  JSON.stringify(part, (key, value: unknown) => {
    if (isReference(key, value)) found.push(value.slice(prefix.length))
    return value
  })
  return found
}

function rename(part: unknown, nameOf: (name: string) => string): Record<string, unknown> {
  const text = JSON.stringify(part, (key, value: unknown) =>
    isReference(key, value) ? `${prefix}${nameOf(value.slice(prefix.length))}` : value,
  )
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
}

function isReference(key: string, value: unknown): value is string {
  return key === '$ref' && typeof value === 'string' && value.startsWith(prefix)
}
