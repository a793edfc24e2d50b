import { useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { inputStyle } from '../../components/form.tsx'
import { type Columns, cellName } from './request.ts'

interface Props extends Columns {
  readonly label: string
  readonly name: string
  readonly hint: string
  /** Called when a row is taken away: a field that is filled in tells the form itself. */
  readonly onRemove: () => void
}

/** A list, filled in row by row. */
export function RowsField({ label, name, hint, columns, onRemove }: Props) {
  const id = useId()
  const made = useRef(0)
  const [rows, setRows] = useState<readonly number[]>([])
  const add = () => {
    made.current += 1
    setRows([...rows, made.current])
  }
  return (
    <fieldset aria-describedby={`${id}-hint`} className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1.5 font-medium">{label}</legend>
      {rows.map((row, index) => (
        <div key={row} className="flex items-end gap-2">
          {columns.map((column) => (
            <Cell
              key={column.name}
              label={`${column.name || label} ${index + 1}`}
              name={cellName(name, column)}
              choices={column.schema.enum}
              placeholder={column.name}
            />
          ))}
          <Button
            aria-label={`Remove ${label} ${index + 1}`}
            className="px-2.5"
            onClick={({ currentTarget }) => {
              controlBeside(currentTarget)?.focus()
              setRows(rows.filter((each) => each !== row))
              onRemove()
            }}
          >
            ×
          </Button>
        </div>
      ))}
      <Button aria-label={`Add to ${label}`} className="self-start" onClick={add}>
        Add
      </Button>
      <p id={`${id}-hint`} className="text-sm text-quiet">
        {hint}
      </p>
    </fieldset>
  )
}

/** What gets the focus when a row goes: the first field of the row after it, else of the one before, else the button that adds one. */
function controlBeside(button: HTMLElement): HTMLElement | undefined {
  const [after, before] = [button.parentElement?.nextElementSibling, button.parentElement?.previousElementSibling]
  const row = [after, before].find((each) => each?.matches('div'))
  const control = row?.querySelector('input, select') ?? after
  return control instanceof HTMLElement ? control : undefined
}

interface CellProps {
  readonly label: string
  readonly name: string
  readonly choices: readonly string[] | undefined
  readonly placeholder: string
}

function Cell({ label, name, choices, placeholder }: CellProps) {
  if (!choices)
    return (
      <input
        aria-label={label}
        name={name}
        placeholder={placeholder}
        autoComplete="off"
        className={`${inputStyle} min-w-0`}
      />
    )
  return (
    <select aria-label={label} name={name} className={inputStyle}>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  )
}
