import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Empty } from './empty.tsx'
import { Loaded } from './loaded.tsx'
import { Page } from './page.tsx'
import { Secret } from './secret.tsx'

interface Props<Item> {
  readonly title: string
  readonly lead: string
  readonly noun: 'key' | 'connector'
  /** What to do while there is none. */
  readonly empty: string
  readonly query: UseQueryResult<readonly Item[]>
  /** The form that makes one, and calls this with its secret. */
  readonly form: (onMade: (secret: string) => void) => ReactNode
  /** How a new secret is stored and used. */
  readonly advice: ReactNode
  /** What can be done with a new secret, below it. */
  readonly trial?: (secret: string) => ReactNode
  readonly children: (item: Item) => ReactNode
}

/** The page of all keys or of all connectors: makes one, shows its secret once, and lists them. */
export function CredentialsPage<Item>(props: Props<Item>) {
  const { title, lead, noun, empty, query, form, advice, trial, children } = props
  const [secret, setSecret] = useState<string>()
  return (
    <Page title={title} lead={lead}>
      {secret ? (
        <>
          <Secret title={`Your new ${noun}`} secret={secret} onDone={() => setSecret(undefined)}>
            {advice}
          </Secret>
          {trial?.(secret)}
        </>
      ) : (
        form(setSecret)
      )}
      <Loaded query={query}>
        {(all) => (
          <section aria-labelledby="all" className="flex flex-col gap-3">
            <h2 id="all" className="text-base font-semibold">
              Your {noun}s
            </h2>
            {all.length === 0 ? (
              <Empty icon={`${noun}s`} text={empty} />
            ) : (
              <ul className="flex flex-col gap-3">{all.map(children)}</ul>
            )}
          </section>
        )}
      </Loaded>
    </Page>
  )
}
