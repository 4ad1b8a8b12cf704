import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { counted, formatNumber, formatTime } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DisappearanceNotice, MissingNames } from '#client/ui/feedback/disappearance-notice.tsx'

/** The delay before the second sync of the list. */
const secondListMs = 600_000

/** Accounts whose domains suddenly disappeared at Cloudflare: nothing is removed until a second sync or a person confirms it. */
export function DisappearanceBanner({ accounts }: { accounts: readonly Account[] }) {
  return accounts.flatMap((account) =>
    account.disappearance === null || account.disappearance.keptAt !== null
      ? []
      : [<OfAccount key={account.id} account={account} disappearance={account.disappearance} />],
  )
}

function OfAccount({
  account: { id, name, email, shared },
  disappearance: { missing, known, sampled, stillThere, foundAt },
}: {
  account: Account
  disappearance: NonNullable<Account['disappearance']>
}) {
  const { t } = useTranslation(['accounts', 'common'])
  const decide = trpc.accounts.decideDisappearance.useMutation({
    meta: { failure: t('common:missing.failed') },
    onSettled: () => refresh('accounts'),
  })
  return (
    <DisappearanceNotice
      title={t('missing.title', { ...counted(missing), known: formatNumber(known), account: name ?? email })}
      text={t(stillThere > 0 ? 'missing.disproved' : 'missing.text', {
        sampled: formatNumber(sampled),
        there: formatNumber(stillThere),
        time: formatTime(new Date(Date.parse(foundAt) + secondListMs).toISOString()),
      })}
      goneText={t('missing.gone_text')}
      missing={missing}
      list={<Missing id={id} />}
      mayDecide={allows(shared, 'operate')}
      onDecide={(decision) => decide.mutateAsync({ id, decision })}
    />
  )
}

function Missing({ id }: { id: string }) {
  return <MissingNames found={trpc.accounts.missing.useQuery({ id }, { gcTime: 0, staleTime: 0 })} />
}
