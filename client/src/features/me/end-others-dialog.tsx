import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#client/lib/format.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { useEndedAccess } from './use-ended-access.ts'

/** Signs every other device out, and whatever else lets somebody in where that is wanted. */
export function EndOthersDialog({ others, tokens, onClose }: { others: number; tokens: number; onClose: () => void }) {
  const { t } = useTranslation('me')
  const ended = useEndedAccess()
  const [revokeTokens, setRevokeTokens] = useState(false)
  const endOthers = trpc.me.endOtherSessions.useMutation({ meta: { failure: t('sessions.failed') } })
  const counted = (count: number) => ({ count, formatted: formatNumber(count) })
  return (
    <ConfirmDialog
      title={t('sessions.others_title')}
      consequence={
        <div className="column gap-16">
          <p>{t('sessions.others_text', counted(others))}</p>
          {tokens === 0 ? null : (
            <Checkbox
              label={t('revoke_tokens', counted(tokens))}
              description={t('revoke_tokens_help')}
              checked={revokeTokens}
              onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
            />
          )}
        </div>
      }
      action={t('sessions.others_confirm')}
      things={1}
      onConfirm={async () => {
        const answer = await endOthers.mutateAsync({ revokeTokens })
        toast.success(t('sessions.others_ended', counted(answer.ended)), ended(answer))
      }}
      onClose={onClose}
    />
  )
}
