import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { trpc, trpcHooksClient } from '#client/lib/trpc.ts'
import { queryClient } from '#client/lib/query-client.ts'
import '#client/theme/mantine-first.ts'
import '#client/theme/toasts.css'
import { colorScheme, cssVariables, theme } from '#client/theme/theme.ts'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root })

function Root() {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorScheme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="dark"
      deduplicateCssVariables={false}
      withGlobalClasses={false}
    >
      <trpc.Provider client={trpcHooksClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <Notifications position="top-right" limit={5} containerWidth={380} transitionDuration={160} />
          <Outlet />
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  )
}
