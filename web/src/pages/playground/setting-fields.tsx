import { useId } from 'react'
import { Field, inputStyle } from '../../components/form.tsx'
import type { Offered, SettingSchema } from './request.ts'

/** A field for each setting, made from its declaration. */
export function SettingFields({ settings }: Pick<Offered, 'settings'>) {
  const properties = Object.entries(settings.properties ?? {})
  if (properties.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-5">
      <legend className="pb-3 font-medium">Settings, all with defaults</legend>
      {properties.map(([name, property]) => (
        <SettingField key={name} name={name} property={property} />
      ))}
    </fieldset>
  )
}

function SettingField({ name, property }: { readonly name: string; readonly property: SettingSchema }) {
  const id = useId()
  const choices = property.type === 'boolean' ? ['true', 'false'] : property.enum
  const usual = property.default === undefined ? 'not set' : JSON.stringify(property.default)
  const isList = property.type === 'array' || property.type === 'object'
  const hint = `${property.description ?? ''}${isList ? ' In JSON.' : ''}`
  const field = { label: name, name: `settings.${name}`, hint }
  if (!choices)
    return (
      <Field {...field} placeholder={usual} autoComplete="off" inputMode={isNumber(property) ? 'decimal' : 'text'} />
    )
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {name}
      </label>
      <select id={id} name={field.name} aria-describedby={`${id}-hint`} className={inputStyle}>
        <option value="">{`default: ${usual}`}</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
      <p id={`${id}-hint`} className="text-sm text-quiet">
        {hint}
      </p>
    </div>
  )
}

function isNumber({ type }: SettingSchema): boolean {
  return type === 'number' || type === 'integer'
}
