import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Credential } from '../api/queries.ts'
import { CredentialItem } from './credential-item.tsx'
import { Empty } from './empty.tsx'
import { CapField, capOf, firstCapUsd, type Scope, ScopeField, scopeOf } from './fields.tsx'
import { Field, Form, textOf } from './form.tsx'
import { Loaded } from './loaded.tsx'
import { Page } from './page.tsx'
import { Panel } from './panel.tsx'
import { Secret } from './secret.tsx'
import { type Changes, useAction } from './use-action.ts'

interface NewCredential {
  readonly name: string
  readonly scope: Scope
  readonly monthly_cap_usd: number | null
}

interface Props {
  readonly title: string
  readonly lead: string
  readonly noun: 'key' | 'connector'
  /** What to do while there is none. */
  readonly empty: string
  readonly query: UseQueryResult<readonly Credential[]>
  readonly changes: Changes
  /** What to know before one is made. */
  readonly note?: ReactNode
  readonly nameHint: string
  /** The fields that others do not have. */
  readonly moreFields?: ReactNode
  readonly make: (asked: NewCredential, form: FormData) => Promise<{ readonly secret: string }>
  readonly revoke: (id: string) => Promise<unknown>
  /** What ends with one. */
  readonly ending: string
  /** How a new secret is stored and used. */
  readonly advice: ReactNode
  /** What can be done with a new secret, below it. */
  readonly trial: (secret: string) => ReactNode
}

/** The page of all keys or of all connectors: makes one, shows its secret once, and lists them. */
export function CredentialsPage(props: Props) {
  const { title, lead, noun, empty, query, changes, note, nameHint, moreFields, make, revoke, ending } = props
  const [secret, setSecret] = useState<string>()
  const create = useAction(async (form: FormData) => {
    const asked = { name: textOf(form, 'name'), scope: scopeOf(form), monthly_cap_usd: capOf(form) }
    const made = await make(asked, form)
    setSecret(made.secret)
  }, changes)
  return (
    <Page title={title} lead={lead}>
      {secret ? (
        <>
          <Secret title={`Your new ${noun}`} secret={secret} onDone={() => setSecret(undefined)}>
            {props.advice}
          </Secret>
          {props.trial(secret)}
        </>
      ) : (
        <Panel title={`New ${noun}`}>
          {note}
          <Form action={create} submit={`Create the ${noun}`}>
            <Field label="Name" name="name" required maxLength={80} autoComplete="off" hint={nameHint} />
            <div className="grid gap-5 sm:grid-cols-2">
              <ScopeField />
              <CapField value={firstCapUsd} />
              {moreFields}
            </div>
          </Form>
        </Panel>
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
              <ul className="flex flex-col gap-3">
                {all.map((item) => (
                  <CredentialItem
                    key={item.id}
                    item={item}
                    noun={noun}
                    revoke={() => revoke(item.id)}
                    changes={changes}
                    ending={ending}
                  />
                ))}
              </ul>
            )}
          </section>
        )}
      </Loaded>
    </Page>
  )
}
