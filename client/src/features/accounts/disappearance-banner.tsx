import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { counted, formatNumber, formatTime } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DisappearanceNotice, MissingNames } from '#client/ui/feedback/disappearance-notice.tsx'

/** The second list is read so long after the first. */
const secondListMs = 600_000

/** Accounts whose domains Cloudflare suddenly no longer lists: nothing is removed until a second list or a person says so. */
export function DisappearanceBanner({ accounts }: { accounts: readonly Account[] }) {
  return accounts.flatMap((account) =>
    account.disappearance === null || account.disappearance.keptAt !== null ? [] : [<OfAccount key={account.id} account={account} />],
  )
}

function OfAccount({ account }: { account: Account }) {
  const { t } = useTranslation('accounts')
  const utils = trpc.useUtils()
  const decide = trpc.accounts.decideDisappearance.useMutation({
    meta: { failure: t('missing.failed') },
    onSettled: () => utils.accounts.list.invalidate(),
  })
  if (account.disappearance === null) return null
  const { missing, known, sampled, stillThere, foundAt } = account.disappearance
  const amount = counted(missing)
  return (
    <DisappearanceNotice
      title={t('missing.title', { ...amount, known: formatNumber(known), account: account.name ?? account.email })}
      text={t(stillThere > 0 ? 'missing.disproved' : 'missing.text', {
        sampled: formatNumber(sampled),
        there: formatNumber(stillThere),
        time: formatTime(new Date(Date.parse(foundAt) + secondListMs).toISOString()),
      })}
      missing={missing}
      words={{
        which: t('missing.which'),
        keep: t('missing.keep'),
        gone: t('missing.gone'),
        goneTitle: t('missing.gone_title', amount),
        goneText: t('missing.gone_text'),
      }}
      list={<Missing id={account.id} />}
      mayDecide={allows(account.shared, 'operate')}
      busy={decide.isPending}
      onKeep={() =>
        void decide
          .mutateAsync({ id: account.id, decision: 'keep' })
          .then(() => toast.success(t('missing.kept', amount)))
          .catch(() => undefined)
      }
      onGone={async () => {
        await decide.mutateAsync({ id: account.id, decision: 'gone' })
      }}
    />
  )
}

function Missing({ id }: { id: string }) {
  const { t } = useTranslation('accounts')
  const list = trpc.accounts.missing.useQuery({ id }, { gcTime: 0, staleTime: 0 })
  const more = list.data === undefined ? 0 : list.data.missing - list.data.names.length
  return (
    <MissingNames
      names={list.data?.names}
      more={more > 0 ? t('missing.more', counted(more)) : ''}
      error={list.error}
      onRetry={() => void list.refetch()}
    />
  )
}
