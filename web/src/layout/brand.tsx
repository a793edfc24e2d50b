import iconUrl from '../icon.svg'

export function Brand() {
  return (
    <p className="flex items-center gap-2.5 text-lg font-semibold">
      <img src={iconUrl} alt="" className="size-7" />
      Media Timeline
    </p>
  )
}
