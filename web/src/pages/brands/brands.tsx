import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { type Brand, brandsQuery } from '../../api/queries.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { NewBrand } from './new-brand.tsx'

export function BrandsPage() {
  return (
    <Page
      title="Brands"
      lead="How your clips look: a logo in a corner, and the font, colours and margins of captions in the picture."
    >
      <NewBrand />
      <Loaded query={useQuery(brandsQuery)}>
        {(brands) =>
          brands.length === 0 ? (
            <Empty icon="brand" text="Create a brand, then choose it among the settings of a clip in the playground." />
          ) : (
            <ul aria-label="Your brands" className="flex flex-col gap-3">
              {brands.map((brand) => (
                <BrandItem key={brand.id} brand={brand} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}

/** A brand, what it has, and the way to delete it. */
function BrandItem({ brand: { id, name, ...brand } }: { readonly brand: Brand }) {
  const queryClient = useQueryClient()
  const remove = async () => {
    await resultOf(api.DELETE('/v1/brands/{brand_id}', { params: { path: { brand_id: id } } }))
    await queryClient.invalidateQueries(brandsQuery)
  }
  const facts = [
    brand.font_upload_id ? 'Its own font' : 'The usual font',
    brand.logo_upload_id ? `Logo at the ${brand.logo_position.replace('_', ' ')}` : 'No logo',
  ]
  const { colour, highlight_colour, box_colour } = brand
  const colours = Object.entries({ colour, highlight_colour, box_colour }).filter(([, value]) => value !== undefined)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-[10px] border border-line bg-surface p-5">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="font-semibold break-words">{name}</h3>
        <p className="text-sm break-all text-quiet">{id}</p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
          {facts.join(' · ')}
          {colours.map(([field, value]) => (
            <span key={field} className="flex items-center gap-1.5">
              <span className="size-4 rounded-sm border border-edge" style={{ backgroundColor: value }} />
              {value}
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
