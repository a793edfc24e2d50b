import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { Collapsible } from 'radix-ui'
import { useEffect, useState } from 'react'
import { buttonStyle } from '../components/button.tsx'
import { Brand } from './brand.tsx'
import { SignedIn } from './signed-in.tsx'

/** Navigation beside the page, or above it in a menu on a narrow screen. */
export function DashboardLayout() {
  const [isOpen, setOpen] = useState(false)
  const { routesById } = useRouter()
  const rooms = Object.values(routesById).flatMap(({ fullPath: to, options: { staticData } }) =>
    staticData?.name === undefined ? [] : [{ to, name: staticData.name }],
  )
  const { pathname } = useRouterState({ select: ({ location }) => location })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setOpen(false), [pathname])
  return (
    <div className="mx-auto max-w-7xl md:grid md:min-h-dvh md:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="absolute left-2 top-2 z-10 -translate-y-16 rounded-md bg-surface px-3 py-2 focus:translate-y-0"
      >
        Skip to the page
      </a>
      <header className="border-line max-md:border-b md:border-r">
        <Collapsible.Root
          open={isOpen}
          onOpenChange={setOpen}
          className="flex flex-col p-4 md:sticky md:top-0 md:h-dvh"
        >
          <div className="flex items-center justify-between">
            <Brand />
            <Collapsible.Trigger className={`${buttonStyle.secondary} md:hidden`}>Menu</Collapsible.Trigger>
          </div>
          <Collapsible.Content forceMount className="flex-1 flex-col gap-6 pt-6 data-[state=closed]:max-md:hidden flex">
            <nav aria-label="Dashboard" className="flex-1">
              <ul className="flex flex-col gap-1">
                {rooms.map(({ to, name }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      className="block rounded-md px-3 py-2 text-quiet hover:bg-raised hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-semibold aria-[current=page]:text-ink"
                    >
                      {name}
                    </Link>
                  </li>
                ))}
                <li>
                  <a href="/docs/" className="block rounded-md px-3 py-2 text-quiet hover:bg-raised hover:text-ink">
                    API reference
                  </a>
                </li>
              </ul>
            </nav>
            <SignedIn />
          </Collapsible.Content>
        </Collapsible.Root>
      </header>
      <main id="main" tabIndex={-1} className="min-w-0 px-4 py-6 outline-none sm:px-8 sm:py-10">
        <Outlet />
      </main>
    </div>
  )
}
