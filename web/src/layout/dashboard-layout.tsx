import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Collapsible } from 'radix-ui'
import { useEffect, useState } from 'react'
import { followChanges } from '../api/live.ts'
import { buttonStyle } from '../components/button.tsx'
import { DropAnywhere } from '../uploads/drop-zone.tsx'
import { UploadsProvider } from '../uploads/use-uploads.tsx'
import { Navigation } from './navigation.tsx'
import { OutageNotice } from './outage-notice.tsx'
import { ProductMark } from './product-mark.tsx'
import { SignedIn } from './signed-in.tsx'

/** Navigation beside the page, or above it in a menu on a narrow screen. Beside the studio it is folded. */
export function DashboardLayout() {
  const queryClient = useQueryClient()
  useEffect(() => followChanges(queryClient), [queryClient])
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useRouterState({ select: ({ location }) => location })
  const isStudio = pathname.includes('/studio/')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setOpen(false), [pathname])
  return (
    <div
      className={`text-sm md:grid md:min-h-dvh ${isStudio ? 'md:grid-cols-[5rem_minmax(0,1fr)]' : 'md:grid-cols-[14rem_minmax(0,1fr)]'}`}
    >
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
          className={`flex flex-col p-4 md:sticky md:top-0 md:h-dvh md:overflow-y-auto ${isStudio ? 'md:px-1.5' : ''}`}
        >
          <div className={`flex items-center justify-between ${isStudio ? 'md:justify-center' : ''}`}>
            <ProductMark isFolded={isStudio} />
            <Collapsible.Trigger className={`${buttonStyle.secondary} md:hidden`}>Menu</Collapsible.Trigger>
          </div>
          <Collapsible.Content forceMount className="flex flex-1 flex-col gap-6 pt-6 data-[state=closed]:max-md:hidden">
            <Navigation isFolded={isStudio} />
            <div className={isStudio ? 'md:hidden' : ''}>
              <SignedIn />
            </div>
          </Collapsible.Content>
        </Collapsible.Root>
      </header>
      <main id="main" tabIndex={-1} className={`min-w-0 outline-none ${isStudio ? '' : 'px-4 py-6 sm:px-8 sm:py-8'}`}>
        <OutageNotice />
        <UploadsProvider>
          <DropAnywhere />
          <Outlet />
        </UploadsProvider>
      </main>
    </div>
  )
}
