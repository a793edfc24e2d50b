import { useQuery } from '@tanstack/react-query'
import { brandsQuery } from '../../api/queries.ts'
import { Select } from '../../components/form.tsx'

interface Props {
  readonly label: string
  readonly name: string
  readonly hint: string
}

/** Chooses one of the account's brands. */
export function BrandField(props: Props) {
  const { data = [] } = useQuery(brandsQuery)
  return (
    <Select {...props}>
      <option value="">none</option>
      {data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
