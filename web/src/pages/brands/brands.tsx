import { useQuery } from '@tanstack/react-query'
import { api, resultOf } from '../../api/client.ts'
import { type Brand, brandsQuery } from '../../api/queries.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { brandColours, NewBrand } from './new-brand.tsx'

export function BrandsPage() {
  return (
    <Page
      title="Brands"
      lead="The look of your clips: your logo in a corner, and the font and colours of the captions in the picture."
    >
      <NewBrand />
      <Loaded query={useQuery(brandsQuery)}>
        {(brands) =>
          brands.length === 0 ? (
            <Empty
              icon="brand"
              text="Create a brand above. Then choose it in the playground, in the setting “brand” of a cut."
            />
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
  const remove = () => resultOf(api.DELETE('/v1/brands/{brand_id}', { params: { path: { brand_id: id } } }))
  const facts = [
    brand.font_upload_id ? 'Own font' : 'Usual font',
    brand.logo_upload_id ? `Logo at the ${brand.logo_position.replace('_', ' ')}` : 'No logo',
  ]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-[10px] border border-line bg-surface p-5">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="font-semibold break-words">{name}</h3>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
          {facts.join(' · ')}
          {brandColours.map(({ label, name: field, usual }) => (
            <span key={field} className="flex items-center gap-1.5">
              <span
                title={brand[field] ?? usual}
                className="size-4 rounded-sm border border-edge"
                style={{ backgroundColor: brand[field] ?? usual }}
              />
              {label}
            </span>
          ))}
        </p>
        <p className="text-xs text-quiet">
          In programs: <code className="break-all">{id}</code>
        </p>
      </div>
      <ConfirmDialog
        open="Delete"
        openLabel={`Delete ${name}`}
        title={`Delete ${name}?`}
        confirm="Delete the brand"
        work={remove}
        changes={brandsQuery}
      >
        Clips that are made stay as they are. Clips that wait for their turn fail without it, at no charge.
      </ConfirmDialog>
    </li>
  )
}
