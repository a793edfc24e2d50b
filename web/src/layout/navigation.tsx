import { Link, useRouter } from '@tanstack/react-router'
import { Icon, type IconName } from '../components/icon.tsx'

const entryStyle =
  'flex min-h-9 items-center gap-3 rounded-md px-3 text-quiet hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-semibold aria-[current=page]:text-ink pointer-coarse:min-h-11'
const foldedStyle = 'md:flex-col md:justify-center md:gap-0.5 md:px-0 md:py-1 md:text-center md:text-[11px]/3.5'

/** The pages of the dashboard in their groups. Folded, names are below their icons, on screens that are wide enough to have it beside the page. */
export function Navigation({ isFolded }: { readonly isFolded: boolean }) {
  const { routesById } = useRouter()
  const rooms = Object.values(routesById).flatMap(({ fullPath: to, options: { staticData } }) =>
    staticData?.room ? [{ to, ...staticData.room }] : [],
  )
  const groups = [...new Set(rooms.map(({ group }) => group))]
  const entry = isFolded ? `${entryStyle} ${foldedStyle}` : entryStyle
  return (
    <nav aria-label="Dashboard" className="flex flex-1 flex-col gap-4">
      {groups.map((group) => (
        <section key={group} aria-label={group} className="flex flex-col gap-1">
          {isTitled(group) && <p className={`px-3 pt-2 text-xs text-quiet ${isFolded ? 'md:sr-only' : ''}`}>{group}</p>}
          <ul className="flex flex-col gap-1">
            {rooms
              .filter((room) => room.group === group)
              .map(({ to, name, icon }) => (
                <li key={to}>
                  <Link to={to} className={entry}>
                    <Icon name={icon} />
                    {name}
                  </Link>
                </li>
              ))}
            {group === 'Developers' && (
              <li>
                <a href="/docs/" className={entry}>
                  <Icon name="book" />
                  API reference
                </a>
              </li>
            )}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** The pages for work come first, and the account last, without a title. */
function isTitled(group: Room['group']): boolean {
  return group !== 'Work' && group !== 'You'
}

/** A page of the navigation. */
export interface Room {
  readonly name: string
  readonly icon: IconName
  readonly group: 'Work' | 'Usage and billing' | 'Developers' | 'You'
}
