import { useQuery } from '@tanstack/react-query'
import { brandsQuery } from '../../api/queries.ts'
import { Empty } from '../../components/empty.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { BrandItem } from './brand-item.tsx'
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
