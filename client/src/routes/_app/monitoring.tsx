import { createFileRoute } from '@tanstack/react-router'
import { MonitoringPage } from '#client/features/monitoring/overview/monitoring-page.tsx'
import { parseMonitoringSearch } from '#client/features/monitoring/search.ts'
import { auth } from '#client/lib/auth.ts'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/_app/monitoring')({
  validateSearch: parseMonitoringSearch,
  loader: async () => {
    // The figures load in parallel with the page's code.
    void utils.monitoring.overview.prefetch({})
    // Whether there is an owner filter determines the height of the header.
    const people = auth.get().user?.role === 'admin' ? utils.users.list.prefetch({}) : null
    await Promise.all([loadTexts('monitoring', 'reasons'), people])
  },
  component: MonitoringPage,
})
