import { useQuery } from '@tanstack/react-query'
import { brandsQuery } from '../../api/queries.ts'
import { Field, Select } from '../../components/form.tsx'
import { columnsOf, fieldName, type Offer, type SettingSchema } from './request.ts'
import { RowsField } from './rows-field.tsx'

interface Props extends Pick<Offer, 'kind' | 'forms'> {
  /** Called when a field is taken away. */
  readonly onRemove: () => void
}

/** The settings of an endpoint that are not folded. A declaration names the most used ones first. */
const shownFields = 4

/** A field for each setting, made from its declaration. */
export function SettingFields({ kind, forms, onRemove }: Props) {
  return forms.map((form) => {
    const properties = Object.entries(form.properties)
    if (properties.length === 0) return null
    const fields = properties.map(([name, property]) => (
      <SettingField key={name} label={name} name={fieldName(form, name)} property={property} onRemove={onRemove} />
    ))
    if (kind === 'endpoint')
      return (
        <fieldset key={form.endpoint} className="flex min-w-0 flex-col gap-5">
          <legend className="pb-3 font-medium">Settings, all with defaults</legend>
          {fields.slice(0, shownFields)}
          {fields.length > shownFields && (
            <details className="rounded-md border border-line p-3">
              <summary className="cursor-pointer font-medium">More settings ({fields.length - shownFields})</summary>
              <div className="flex flex-col gap-5 pt-4">{fields.slice(shownFields)}</div>
            </details>
          )}
        </fieldset>
      )
    return (
      <details key={form.endpoint} className="rounded-md border border-line p-3">
        <summary className="cursor-pointer font-medium">Settings of {form.endpoint}</summary>
        <div className="flex flex-col gap-5 pt-4">{fields}</div>
      </details>
    )
  })
}

interface SettingProps {
  readonly label: string
  readonly name: string
  readonly property: SettingSchema
  readonly onRemove: () => void
}

function SettingField({ label, name, property, onRemove }: SettingProps) {
  const choices = property.type === 'boolean' ? ['true', 'false'] : property.enum
  const usual = property.default === undefined ? 'not set' : JSON.stringify(property.default)
  const description = property.description ?? ''
  const rows = columnsOf(property)
  if (rows) {
    const isUsual = Array.isArray(property.default) && property.default.length > 0
    const hint = isUsual ? `${description} By default ${usual}.` : description
    return <RowsField label={label} name={name} hint={hint} columns={rows.columns} onRemove={onRemove} />
  }
  const isNested = property.type === 'array' || property.type === 'object'
  const hint = `${description}${isNested ? ' In JSON.' : ''}`
  if (label === 'brand') return <BrandField label={label} name={name} hint={hint} />
  if (!choices)
    return (
      <Field
        {...{ label, name, hint }}
        placeholder={usual}
        autoComplete="off"
        inputMode={isNumber(property) ? 'decimal' : 'text'}
      />
    )
  return (
    <Select {...{ label, name, hint }} choices={choices.map((choice) => [choice, choice])}>
      <option value="">{`default: ${usual}`}</option>
    </Select>
  )
}

/** Chooses one of the account's brands. */
function BrandField(props: { readonly label: string; readonly name: string; readonly hint: string }) {
  const { data = [] } = useQuery(brandsQuery)
  return (
    <Select {...props} choices={data.map(({ id, name }) => [id, name])}>
      <option value="">none</option>
    </Select>
  )
}

function isNumber({ type }: SettingSchema): boolean {
  return type === 'number' || type === 'integer'
}
