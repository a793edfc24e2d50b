import { useQueryClient } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { type Brand, brandsQuery } from '../../api/queries.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'

/** A brand, what it has, and the way to delete it. */
export function BrandItem({ brand: { id, name, ...brand } }: { readonly brand: Brand }) {
  const queryClient = useQueryClient()
  const remove = async () => {
    await resultOf(api.DELETE('/v1/brands/{brand_id}', { params: { path: { brand_id: id } } }))
    await queryClient.invalidateQueries(brandsQuery)
  }
  const facts = [
    brand.font_upload_id ? 'Its own font' : 'The usual font',
    brand.logo_upload_id ? `Logo at the ${brand.logo_position.replace('_', ' ')}` : 'No logo',
  ]
  const colours = [brand.colour, brand.highlight_colour, brand.box_colour].filter((colour) => colour !== undefined)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-[10px] border border-line bg-surface p-5">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="font-semibold break-words">{name}</h3>
        <p className="text-sm break-all text-quiet">{id}</p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
          {facts.join(' · ')}
          {colours.map((colour, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be the same colour
            <span key={at} className="flex items-center gap-1.5">
              <span className="size-4 rounded-sm border border-edge" style={{ backgroundColor: colour }} />
              {colour}
            </span>
          ))}
        </p>
      </div>
      <ConfirmDialog
        open="Delete"
        openLabel={`Delete ${name}`}
        title={`Delete ${name}?`}
        confirm="Delete the brand"
        work={remove}
      >
        Clips that are made stay as they are. Clips that wait for their turn fail without it, at no charge.
      </ConfirmDialog>
    </li>
  )
}
