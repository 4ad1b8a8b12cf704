import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { formatNumber, formatTime } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { IconAlertTriangle } from '@tabler/icons-react'
import classes from './accounts.module.css'

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
  const [asking, setAsking] = useState(false)
  const utils = trpc.useUtils()
  const decide = trpc.accounts.decideDisappearance.useMutation({
    meta: { failure: t('missing.failed') },
    onSettled: () => utils.accounts.list.invalidate(),
  })
  if (account.disappearance === null) return null
  const { missing, known, sampled, stillThere, foundAt } = account.disappearance
  const counted = { count: missing, formatted: formatNumber(missing) }
  return (
    <div className={`${classes['banner']} ${classes['missing']}`} role="status">
      <p>
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
        <strong>{t('missing.title', { ...counted, known: formatNumber(known), account: account.name ?? account.email })}</strong>
      </p>
      <p>
        {t(stillThere > 0 ? 'missing.disproved' : 'missing.text', {
          sampled: formatNumber(sampled),
          there: formatNumber(stillThere),
          time: formatTime(new Date(Date.parse(foundAt) + secondListMs).toISOString()),
        })}
      </p>
      {allows(account.shared, 'operate') ? (
        <div className={classes['decision']}>
          <Button
            size="xs"
            variant="default"
            loading={decide.isPending}
            onClick={() =>
              void decide
                .mutateAsync({ id: account.id, decision: 'keep' })
                .then(() => toast.success(t('missing.kept', counted)))
                .catch(() => undefined)
            }
          >
            {t('missing.keep')}
          </Button>
          <Button size="xs" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {t('missing.gone')}
          </Button>
        </div>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={t('missing.gone_title', counted)}
          consequence={t('missing.gone_text')}
          action={t('missing.gone')}
          things={missing}
          onConfirm={async () => {
            await decide.mutateAsync({ id: account.id, decision: 'gone' })
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}
