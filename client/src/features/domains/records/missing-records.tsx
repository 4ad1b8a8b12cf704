import { useTranslation } from 'react-i18next'
import { mostConfirmations, nextListSeconds } from '#shared/features/sync/disappearances/confirmations.ts'
import { useAllowed } from '#client/features/sharing/index.ts'
import { counted, formatDate, formatNumber, formatTime } from '#client/lib/format.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { MissingNotice } from '#client/ui/feedback/missing-notice.tsx'
import classes from '#client/ui/feedback/disappearance-notice.module.css'

type Missing = NonNullable<Outputs['records']['list']['missing']>

/** Records of the domain that Cloudflare suddenly no longer lists; they are not in the table, because nothing can be done with them. */
export function MissingRecords({ domainId, missing: { records, ...missing } }: { domainId: string; missing: Missing }) {
  const { t } = useTranslation(['records', 'common'])
  const utils = trpc.useUtils()
  const decide = trpc.records.decideMissing.useMutation({
    meta: { failure: t('common:missing.failed') },
    onSettled: () =>
      Promise.all([utils.records.list.invalidate({ id: domainId }), utils.history.invalidate(), utils.accounts.list.invalidate()]),
  })
  const { foundAt, confirmedAt, keptAt, keptBy, confirmations } = missing
  const next = Date.parse(confirmedAt ?? foundAt) + nextListSeconds * 1_000
  const text = keptAt !== null ? 'kept' : confirmations === mostConfirmations ? 'confirmed' : 'text'
  return (
    <MissingNotice
      texts="missing_records"
      title={t('missing.title', { ...counted(missing.missing), known: formatNumber(missing.known) })}
      text={t(`missing.${text}`, {
        by: keptBy ?? '',
        date: keptAt === null ? '' : formatDate(keptAt),
        time: formatTime(new Date(next).toISOString()),
      })}
      which={t('missing.which')}
      consequence={t('common:missing_records.gone_text')}
      list={() => (
        <ul className={`scroll-y size-12 ${classes['names']}`}>
          {records.map((record) => (
            <li key={record.id} className="mono anywhere">
              {record.type} <bdi>{record.name}</bdi> <bdi>{record.content}</bdi>
            </li>
          ))}
        </ul>
      )}
      missing={missing.missing}
      isKept={keptAt !== null}
      canDecide={useAllowed('operate')}
      onDecide={(decision) => decide.mutateAsync({ id: domainId, decision, shown: { foundAt, missing: missing.missing, keptAt } })}
    />
  )
}
