import { createRouter, RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import { watchApi } from './lib/api-status.ts'
import { auth } from './lib/auth.ts'
import { startTexts } from './lib/i18n.ts'
import { loadToasts } from './lib/toast.ts'
import { queryClient, whenSecondFactorDue, whenSignedOut } from './lib/query-client.ts'
import { Providers } from './providers.tsx'
import { routeTree } from './routeTree.gen.ts'
import { Loader } from './ui/feedback/loader.tsx'

const loadErrorPage = () => import('./features/shell/error-page.tsx')
const ErrorPage = lazy(async () => ({ default: (await loadErrorPage()).ErrorPage }))

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  // The page before stays until then (R-LDR-02); once shown, the loader stays long enough to be seen as one.
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
  defaultPendingComponent: Loader,
  defaultErrorComponent: ErrorPage,
  // What no page understands does not stay in the address.
  search: { strict: true },
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// The loader of the page itself gives way to the first screen.
router.subscribe('onResolved', () => document.getElementById('boot-loader')?.remove())

whenSignedOut(() => {
  const { pathname, href } = router.state.location
  queryClient.clear()
  if (pathname !== '/login') void router.navigate({ to: '/login', search: { redirect: href } })
})

whenSecondFactorDue(() => {
  const { pathname, href } = router.state.location
  if (pathname !== '/second-factor') void router.navigate({ to: '/second-factor', search: { redirect: href } })
})

const container = document.getElementById('root')
if (!container) throw new Error('No #root in the page')

/** Not at the top level: the pages' own files, which import this one, would wait for it. */
async function start(root: Root) {
  const texts = startTexts()
  // The page's first answers travel while the texts do, and it is drawn once, whole: the loader is there until then.
  const first = auth.get().isAuthenticated ? router.load() : undefined
  await Promise.all([texts, first])
  watchApi()
  // The first touch is soon enough: nothing can fail before it that a toast would have to report.
  for (const event of ['pointerdown', 'keydown']) {
    window.addEventListener(event, () => void loadToasts().catch(() => undefined), { once: true, capture: true })
    // Without a connection it could not be loaded to say so.
    window.addEventListener(event, () => void loadErrorPage().catch(() => undefined), { once: true, capture: true })
  }
  root.render(
    <StrictMode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  )
}

void start(createRoot(container))
