import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { FilterOptions } from '#shared/features/domains/schema.ts'
import { findUnreachable, Unreachable } from '#client/features/accounts/index.ts'
import { RegistrationNotice } from '#client/features/auth/index.ts'
import { quickAdd } from '#client/lib/quick-add.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState, NoMatch } from '#client/ui/feedback/empty-state.tsx'

/** Explains an empty list and what to do about it. */
export function DomainsEmpty({
  filtered,
  options,
  syncing,
  onReset,
}: {
  filtered: boolean
  options: FilterOptions | undefined
  syncing: boolean
  onReset: () => void
}) {
  const { t } = useTranslation(['domains', 'common'])
  const some = !filtered && options !== undefined && options.accounts.length > 0
  const accounts = trpc.accounts.list.useQuery({}, { enabled: some })
  const unreachable = findUnreachable(accounts.data?.accounts ?? [])
  if (filtered) return <NoMatch text={t('empty.no_match_text')} onReset={onReset} />
  // Waits until the reason is known, because a wrong message would flash.
  if (options === undefined || (some && accounts.isPending)) return null
  if (unreachable !== undefined) return <Unreachable account={unreachable} as="page" />
  if (syncing) return <EmptyState picture="empty" title={t('empty.reading')} text={t('empty.reading_text')} />
  const first = options.accounts.length === 0
  const state = (
    <EmptyState
      picture={first ? 'key' : 'empty'}
      title={t(first ? 'empty.no_accounts' : 'empty.no_domains')}
      text={t(first ? 'empty.no_accounts_text' : 'empty.no_domains_text')}
      action={
        <>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => quickAdd.set(first ? 'account' : 'domain')}>
            {t(first ? 'empty.add_account' : 'add.button')}
          </Button>
          {first ? (
            <Button variant="default" renderRoot={(props) => <Link to="/welcome" {...props} />}>
              {t('empty.welcome')}
            </Button>
          ) : null}
        </>
      }
    />
  )
  return first ? (
    <>
      {state}
      {/* Below existing content, because it appears a moment later. */}
      <RegistrationNotice />
    </>
  ) : (
    state
  )
}
