import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import '#client/theme/mantine-panel.ts'
import { clearAuth } from '#client/lib/auth.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { api, trpc } from '#client/lib/trpc.ts'
import { EntryPage } from '#client/ui/layout/entry-page.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { useTitle } from '#client/ui/layout/use-title.ts'
import { FactorList, FactorsLoading } from './factor-list.tsx'

/** Shown to a user who must set up a second factor before all other calls. */
export function SetUpPage() {
  const { t } = useTranslation('two-factor')
  const navigate = useNavigate()
  const { redirect } = useSearch({ from: '/second-factor' })
  const factors = trpc.twoFactor.get.useQuery(undefined, { staleTime: 0 })
  const any = factors.data !== undefined && (factors.data.totp || factors.data.passkeys.length > 0)
  useTitle(t('set_up.title'))

  const go = async (): Promise<void> => {
    // Refetches what was denied in the meantime.
    queryClient.clear()
    await navigate({ href: redirect ?? '/domains', replace: true })
  }
  const leave = async (): Promise<void> => {
    await api.auth.logout.mutate().catch(() => undefined)
    clearAuth()
    queryClient.clear()
    await navigate({ to: '/login', replace: true })
  }

  return (
    <EntryPage title={t('set_up.title')} tagline={t('set_up.text')}>
      {factors.data !== undefined ? (
        <FactorList factors={factors.data} />
      ) : factors.isError ? (
        <ErrorState title={t('failed_load')} error={factors.error} onRetry={() => void factors.refetch()} />
      ) : (
        <FactorsLoading />
      )}
      <div className="column gap-16">
        <Button fullWidth disabled={!any} onClick={() => void go()}>
          {t('set_up.go')}
        </Button>
        <Button fullWidth variant="subtle" onClick={() => void leave()}>
          {t('set_up.leave')}
        </Button>
      </div>
    </EntryPage>
  )
}
