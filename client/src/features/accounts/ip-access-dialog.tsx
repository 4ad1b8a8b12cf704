import { useTranslation } from 'react-i18next'
import { useLock } from '#client/features/sharing/index.ts'
import { LateIpAccess } from '#client/features/domains/index.ts'
import type { Account } from '#shared/features/accounts/schema.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'

/** The rules of IP access of an account, which apply to all its domains. */
export function IpAccessDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation('ip-access')
  const locked = useLock(account.shared)('operate')
  return (
    <Dialog onClose={onClose} size={860} title={t('account_title', { account: account.name || account.email })}>
      <LateIpAccess scope={{ kind: 'account', id: account.id }} locked={locked} isTitled={false} />
    </Dialog>
  )
}
