import type { paths } from '../api/schema.d.ts'
import { Field, Select, textOf } from './form.tsx'
import { passwordLength } from './password-length.ts'

type Scope = paths['/v1/keys']['post']['requestBody']['content']['application/json']['scope']

/** The scopes of the service, which the build fills in (`web/vite.config.ts`). */
declare const __KEY_SCOPES__: readonly Scope[]

/** What most people need first, and no more. */
const leastScope = 'audio/*'
const firstCapUsd = 10

/** What a key or a connector can do, in words. */
export function scopeInWords(scope: string): string {
  if (scope === 'all') return 'Everything, with keys and limits'
  return `${scope.charAt(0).toUpperCase()}${scope.slice(1).replace('/*', '')} endpoints only`
}

export function ScopeField() {
  return (
    <Select
      label="What it may use"
      name="scope"
      defaultValue={leastScope}
      hint="Audio endpoints find moments, and cut nothing. Clips need the video endpoints, and most chains everything."
    >
      {__KEY_SCOPES__.map((scope) => (
        <option key={scope} value={scope}>
          {scopeInWords(scope)}
        </option>
      ))}
    </Select>
  )
}

export function scopeOf(form: FormData): Scope {
  return __KEY_SCOPES__.find((scope) => scope === form.get('scope')) ?? leastScope
}

/** The cap of a new key or connector: there is one unless a person takes it off. */
export function FirstCapField() {
  return <CapField value={firstCapUsd} />
}

interface CapProps {
  readonly label?: string
  readonly hint?: string
  readonly value?: number | null
}

export function CapField({
  label = 'Monthly cap in USD',
  hint = 'Left empty, only the limits of the account apply.',
  value,
}: CapProps) {
  return (
    <Field
      label={label}
      name="monthly_cap_usd"
      type="number"
      inputMode="decimal"
      min="0"
      max="999999999"
      step="0.000001"
      defaultValue={value ?? ''}
      hint={hint}
      autoComplete="off"
    />
  )
}

/** null for an empty field: no cap. */
export function capOf(form: FormData): number | null {
  const text = textOf(form, 'monthly_cap_usd').trim()
  return text === '' ? null : Number(text)
}

interface NewPasswordProps {
  readonly label: string
  readonly name: string
  readonly more?: string
}

export function NewPasswordField({ label, name, more = '' }: NewPasswordProps) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      required
      minLength={passwordLength.min}
      maxLength={passwordLength.max}
      autoComplete="new-password"
      hint={`At least ${passwordLength.min} characters.${more}`}
    />
  )
}
