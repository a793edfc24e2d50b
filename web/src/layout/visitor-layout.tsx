import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'

export function VisitorLayout() {
  return (
    <VisitorFrame>
      <Outlet />
    </VisitorFrame>
  )
}

/** One narrow column, for people who are not signed in. */
export function VisitorFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col gap-8 px-4 py-8 sm:py-16">
      <header>
        <Brand />
      </header>
      <main className="rounded-xl border border-line bg-surface p-5 sm:p-8">{children}</main>
    </div>
  )
}
