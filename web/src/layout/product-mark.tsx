import iconUrl from '../icon.svg'

export function ProductMark({ isFolded = false }: { readonly isFolded?: boolean }) {
  return (
    <p className={`flex items-center gap-2.5 text-base font-semibold ${isFolded ? 'md:px-2' : ''}`}>
      <img src={iconUrl} alt="" className="size-7" />
      <span className={isFolded ? 'md:sr-only' : ''}>Media Timeline</span>
    </p>
  )
}
