import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { refresh } from '#client/lib/query-client.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DisappearanceNotices, MissingNames } from '#client/ui/feedback/disappearance-notice.tsx'

/** Accounts whose domains suddenly disappeared at Cloudflare. */
export function DisappearanceBanner({ accounts }: { accounts: readonly Account[] }) {
  const { t } = useTranslation(['accounts', 'common'])
  const decide = trpc.accounts.decideDisappearance.useMutation({
    meta: { failure: t('common:missing.failed') },
    onSettled: () => refresh('accounts'),
  })
  return (
    <DisappearanceNotices
      subjects={accounts.map((account) => ({ ...account, name: account.name ?? account.email }))}
      textOf={(key, params) => t(`missing.${key}`, { ...params })}
      List={Missing}
      onDecide={decide.mutateAsync}
    />
  )
}

function Missing({ id }: { id: string }) {
  return <MissingNames found={trpc.accounts.missing.useQuery({ id }, { gcTime: 0, staleTime: 0 })} />
}
