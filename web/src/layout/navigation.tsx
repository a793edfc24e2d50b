import { Link, useRouter } from '@tanstack/react-router'
import { Icon, type IconName } from '../components/icon.tsx'

const entryStyle =
  'flex min-h-9 items-center gap-3 rounded-md px-3 text-quiet hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-semibold aria-[current=page]:text-ink pointer-coarse:min-h-11'

/** The pages of the dashboard in their groups; only their icons if it is folded, on screens that are wide enough to have it beside the page. */
export function Navigation({ isFolded }: { readonly isFolded: boolean }) {
  const { routesById } = useRouter()
  const rooms = Object.values(routesById).flatMap(({ fullPath: to, options: { staticData } }) =>
    staticData?.room ? [{ to, ...staticData.room }] : [],
  )
  const groups = [...new Set(rooms.map(({ group }) => group))]
  const word = isFolded ? 'md:sr-only' : ''
  return (
    <nav aria-label="Dashboard" className="flex flex-1 flex-col gap-4">
      {groups.map((group) => (
        <section key={group} aria-label={group} className="flex flex-col gap-1">
          {isTitled(group) && <p className={`px-3 pt-2 text-xs text-quiet ${word}`}>{group}</p>}
          <ul className="flex flex-col gap-1">
            {rooms
              .filter((room) => room.group === group)
              .map(({ to, name, icon }) => (
                <li key={to}>
                  <Link to={to} title={isFolded ? name : undefined} className={entryStyle}>
                    <Icon name={icon} />
                    <span className={word}>{name}</span>
                  </Link>
                </li>
              ))}
            {group === 'Developers' && (
              <li>
                <a href="/docs/" title={isFolded ? 'API reference' : undefined} className={entryStyle}>
                  <Icon name="book" />
                  <span className={word}>API reference</span>
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
