import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type SubmitEvent, useId } from 'react'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import type { Action } from './use-action.ts'

interface FormProps {
  readonly action: Action<FormData>
  readonly submit: string
  readonly children: ReactNode
  readonly look?: 'primary' | 'danger'
  /** Whether it is empty again once its work is done. */
  readonly isEmptied?: boolean
}

/** A form whose fields the browser checks first. What the service refuses stands above the button. */
export function Form({ action, submit, children, look = 'primary', isEmptied = false }: FormProps) {
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!action.isBusy)
      action.run(new FormData(form), () => {
        if (isEmptied) form.reset()
      })
  }
  return (
    <form onSubmit={send} className="flex flex-col gap-5">
      {children}
      <Failure error={action.error} />
      <div>
        <Button type="submit" look={look} isBusy={action.isBusy} className="max-sm:w-full">
          {submit}
        </Button>
      </div>
    </form>
  )
}

export const inputStyle =
  'min-h-9 w-full pointer-coarse:min-h-11 rounded-md border border-edge bg-surface px-3 text-ink placeholder:text-quiet file:mr-3 file:py-2'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  readonly name: string
  readonly hint?: ReactNode
}

export function Field({ label, hint, ...input }: FieldProps) {
  const id = useId()
  return (
    <Labelled {...{ id, label, hint }}>
      <input {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} className={inputStyle} />
    </Labelled>
  )
}

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string
  readonly hint?: ReactNode
  readonly choices?: readonly (readonly [value: string | number, name: string])[]
}

/** A field for one of several values: its children, and then the choices. */
export function Select({ label, hint, choices = [], children, ...select }: SelectProps) {
  const id = useId()
  return (
    <Labelled {...{ id, label, hint }}>
      <select {...select} id={id} aria-describedby={hint ? `${id}-hint` : undefined} className={inputStyle}>
        {children}
        {choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

interface LabelledProps {
  readonly id: string
  readonly label: string
  readonly hint: ReactNode
  readonly children: ReactNode
}

/** The label above a field, and its hint below. */
function Labelled({ id, label, hint, children }: LabelledProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The text of a field, which the form has. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
