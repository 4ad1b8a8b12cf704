import { createRouter, RouterProvider } from '@tanstack/react-router'
import { lazy, startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import { watchApi } from './lib/api-status.ts'
import { auth } from './lib/auth.ts'
import { startTexts } from './lib/i18n.ts'
import { renewFailedParts } from './lib/lazy-part.tsx'
import { nextPaint } from './lib/next-paint.ts'
import { startServiceWorker } from './lib/service-worker.ts'
import { loadToasts } from './lib/toast.ts'
import { dropEarlyAnswers } from './lib/trpc.ts'
import { queryClient, whenSecondFactorDue, whenSignedOut } from './lib/query-client.ts'
import { Providers } from './providers.tsx'
import { routeTree } from './routeTree.gen.ts'
import { Loader } from './ui/feedback/loader.tsx'
import { warmLayers } from './ui/overlay/layer.tsx'
import './theme/base.css'

// zod, which only forms load, would otherwise try to compile a function, and the browser reports that the policy forbids it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const loadErrorPage = () => import('./features/shell/error-page.tsx')
const ErrorPage = lazy(async () => ({ default: (await loadErrorPage()).ErrorPage }))

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  // The previous page stays until then (R-LDR-02); once shown, the loader stays long enough not to flash.
  defaultPendingMs: 200,
  defaultPendingMinMs: 300,
  defaultPendingComponent: Loader,
  defaultErrorComponent: ErrorPage,
  // Unknown parameters are removed from the URL.
  search: { strict: true },
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// The loader of the document is replaced by the first screen.
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

declare global {
  interface Window {
    /** Settled when the style sheets of the document have loaded; missing in development. */
    zonedeckStyles?: Promise<unknown>
  }
}

const container = document.getElementById('root')
if (!container) throw new Error('No #root in the page')

const firstViewMs = 10_000

/** Not at the top level, because the chunks of pages, which import this one, would wait for it. */
async function start(root: Root) {
  startServiceWorker()
  const texts = startTexts()
  // The page's first data loads in parallel with the texts, and the page renders once, complete; until then the loader is shown.
  const first = auth.get().isAuthenticated ? router.load() : undefined
  await Promise.all([texts, first, window.zonedeckStyles])
  const { load } = router
  router.load = async (options) => {
    await nextPaint()
    return load(options)
  }
  watchApi()
  // What reports that the server is down or was updated could not be loaded then: it is loaded after the page, which does not need it.
  // Dialogs do not wait for their frame.
  const afterFirstView = async (): Promise<void> => {
    dropEarlyAnswers()
    await nextPaint()
    await Promise.all([loadToasts(), loadErrorPage(), warmLayers()]).catch(renewFailedParts)
  }
  for (const event of ['pointerdown', 'keydown']) window.addEventListener(event, () => void afterFirstView(), { once: true, capture: true })
  setTimeout(() => void afterFirstView(), firstViewMs)
  startTransition(() =>
    root.render(
      <StrictMode>
        <Providers>
          <RouterProvider router={router} />
        </Providers>
      </StrictMode>,
    ),
  )
}

void start(createRoot(container))
