import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchApi } from './lib/api-status.ts'
import { startTexts } from './lib/i18n.ts'
import { queryClient, whenSignedOut } from './lib/query-client.ts'
import { routeTree } from './routeTree.gen.ts'
import { ErrorPage } from './features/shell/error-page.tsx'
import { NotFoundPage } from './features/shell/not-found-page.tsx'
import { Loader } from './ui/loader.tsx'

const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  // The loader itself stays unseen for its first 200 ms (R-LDR-02).
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  defaultPendingComponent: Loader,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

whenSignedOut(() => {
  const { pathname, href } = router.state.location
  queryClient.clear()
  if (pathname !== '/login') void router.navigate({ to: '/login', search: { redirect: href } })
})

const container = document.getElementById('root')
if (!container) throw new Error('No #root in the page')

await startTexts()
watchApi()
createRoot(container).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
