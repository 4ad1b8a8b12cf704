import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/lib/format.ts'
import { readAgain } from '#client/lib/live-queries.ts'
import { joinFacts } from '#client/lib/text.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Loader } from '#client/ui/feedback/loader.tsx'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import rows from '#client/ui/table/row-list.module.css'
import type { ProviderChangeWords } from './use-provider-change-words.ts'

type Rule = Outputs['providerChanges']['listAllowed']['allowedChanges'][number]

/** The rules that allow changes, with who created each and why. */
export function AllowedDialog({ words, onClose }: { words: ProviderChangeWords; onClose: () => void }) {
  const { t } = useTranslation('provider-changes')
  const list = trpc.providerChanges.listAllowed.useQuery()
  const remove = trpc.providerChanges.disallow.useMutation({ meta: { failure: t('allowed.failed_delete') } })
  const [doomed, setDoomed] = useState<Rule | null>(null)
  const rules = list.data?.allowedChanges
  return (
    <Dialog onClose={onClose} title={t('allowed.title')} size={620}>
      {list.error !== null && rules === undefined ? (
        <ErrorState title={t('allowed.failed')} error={list.error} onRetry={() => void list.refetch()} />
      ) : rules === undefined ? (
        <Loader />
      ) : rules.length === 0 ? (
        <EmptyState picture="empty" title={t('allowed.none')} text={t('allowed.none_text')} />
      ) : (
        <ul className="card" aria-label={t('allowed.title')}>
          {rules.map((rule) => (
            <li key={rule.id} className={`divided ${rows['row']}`}>
              <IconShieldCheck size={18} stroke={1.6} aria-hidden />
              <span className={rows['words']}>
                <bdi className={rows['name']}>{rule.actor}</bdi>
                <span className="muted pretty">
                  {joinFacts(
                    rule.kind === null ? t('allow.all_kinds') : words.kind(rule.kind),
                    placeOf(rule, t),
                    rule.createdBy,
                    formatDateTime(rule.createdAt),
                  )}
                </span>
                {rule.reason === '' ? null : <span className="secondary pretty">{rule.reason}</span>}
              </span>
              <span className={rows['actions']}>
                <Button
                  variant="subtle"
                  size="xs"
                  color="red"
                  aria-label={t('allowed.delete_one', { author: rule.actor })}
                  onClick={() => setDoomed(rule)}
                >
                  {t('allowed.delete')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {doomed === null ? null : (
        <ConfirmDialog
          title={t('allowed.delete_title')}
          consequence={t('allowed.delete_text', { author: doomed.actor })}
          action={t('allowed.delete')}
          count={1}
          onConfirm={async () => {
            await remove.mutateAsync({ id: doomed.id })
            await readAgain('providerChanges')
            toast.success(t('allowed.deleted'), doomed.actor)
          }}
          onClose={() => setDoomed(null)}
        />
      )}
    </Dialog>
  )
}

const placeOf = ({ accountName, groupName }: Rule, t: ReturnType<typeof useTranslation<'provider-changes'>>['t']): string =>
  accountName !== null
    ? t('allow.in_account', { account: accountName })
    : groupName !== null
      ? t('allow.in_group', { group: groupName })
      : t('allowed.everywhere')
