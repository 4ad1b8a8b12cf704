import '#client/theme/mantine-panel.ts'
import { useRouterState, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OperationsDock } from '#client/features/operations/index.ts'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { quickAdd, type QuickAddId } from '#client/lib/quick-add.ts'
import { dialogOpen, useShortcuts, type Shortcuts } from '#client/lib/shortcuts.ts'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import { auth } from '#client/lib/auth.ts'
import { dispatchLive } from '#client/lib/live.ts'
import { handleFailure } from '#client/lib/query-client.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Header } from './header.tsx'
import { Sidebar } from './sidebar.tsx'
import { setSidebarOpen, sidebar } from './sidebar-state.ts'
import { navigationFor } from './navigation.ts'
import classes from './shell.module.css'

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette)
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

interface ShellProps {
  quickAdds: Record<QuickAddId, ComponentType<{ onClose: () => void }>>
  children: ReactNode
}

/** The frame of every signed-in page. */
export function Shell({ quickAdds, children }: ShellProps) {
  const { t } = useTranslation('shell')
  const { collapsed, open } = sidebar.use()
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts' | null>(null)
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const adding = quickAdd.use()
  const QuickAdd = adding === null ? null : quickAdds[adding]

  useLiveEvents()

  const go = useGoShortcuts()
  useShortcuts({
    'mod+k': () => {
      if (!dialogOpen()) setOverlay('palette')
    },
    '?': () => setOverlay('shortcuts'),
    ...go,
  })
  useShortcuts({ Escape: () => setSidebarOpen(false) }, open)

  useEffect(() => setSidebarOpen(false), [pathname])

  return (
    <div className={`grid clip ${classes['shell']}`} data-collapsed={collapsed || undefined}>
      <a href="#main" className={`radius on-raised ${classes['skip']}`}>
        {t('skip')}
      </a>
      <Sidebar />
      <button
        type="button"
        tabIndex={-1}
        className={classes['backdrop']}
        data-open={open || undefined}
        aria-label={t('sidebar.close')}
        onClick={() => setSidebarOpen(false)}
      />
      <div className={`grid shrink ${classes['body']}`}>
        <Header onSearch={() => setOverlay('palette')} onHelp={() => setOverlay('shortcuts')} />
        <main id="main" tabIndex={-1} className={`relative scroll-y ${classes['main']}`}>
          <div className={`column fill ${classes['page']}`}>{children}</div>
        </main>
      </div>
      <ErrorBoundary>
        <Suspense>
          <OperationsDock />
        </Suspense>
      </ErrorBoundary>
      {/* Each has its own boundary, so that a failure of one does not reset the others. */}
      <ErrorBoundary key={`overlay ${overlay ?? ''}`} onFail={() => setOverlay(null)}>
        <Suspense>
          {overlay === 'palette' ? <Palette onClose={() => setOverlay(null)} /> : null}
          {overlay === 'shortcuts' ? <ShortcutsDialog onClose={() => setOverlay(null)} /> : null}
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary key={`add ${adding ?? ''}`} onFail={() => quickAdd.set(null)}>
        <Suspense>{QuickAdd ? <QuickAdd onClose={() => quickAdd.set(null)} /> : null}</Suspense>
      </ErrorBoundary>
    </div>
  )
}

/** `g d`, `g a`, …: one for every page of the navigation. */
function useGoShortcuts(): Shortcuts {
  const navigate = useNavigate()
  const role = auth.use().user?.role ?? 'user'
  return Object.fromEntries(
    navigationFor(role)
      .flatMap((group) => group.items)
      .map((item) => [`g ${item.key}`, () => void navigate({ to: item.to })]),
  )
}

const againMs = 5000

/** Holds the subscription to change events while the shell is shown; reconnects after a failure. */
function useLiveEvents(): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const live = trpc.live.events.useSubscription(undefined, {
    onData: ({ data }) => dispatchLive(data),
    onError: (error) => {
      handleFailure(error)
      timer.current = setTimeout(() => live.reset(), againMs)
    },
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  // A password change invalidates the token of the subscription.
  const { token } = auth.use()
  const listening = useRef(token)
  useEffect(() => {
    if (listening.current === token) return
    listening.current = token
    live.reset()
  }, [token, live])
}
