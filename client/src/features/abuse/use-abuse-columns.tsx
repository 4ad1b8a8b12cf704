import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '#client/lib/format.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import type { Report } from './search.ts'
import { isOverdue, stateTones, type AbuseWords } from './use-abuse-words.ts'

export function useAbuseColumns(words: AbuseWords): readonly DataColumn<Report>[] {
  const { t } = useTranslation('abuse-reports')
  return useMemo(
    () => [
      { id: 'reported', title: t('column.reported'), width: 110, cell: ({ reportedAt }) => <RelativeTime at={reportedAt} /> },
      {
        id: 'domain',
        title: t('column.domain'),
        width: 182,
        minWidth: 130,
        grow: true,
        hideable: false,
        cell: ({ domain }) => (
          <bdi className="mono cut block shrink" title={domain.displayName}>
            {domain.displayName}
          </bdi>
        ),
      },
      { id: 'kind', title: t('column.kind'), width: 140, cell: ({ kind }) => t(`kinds.${kind}`) },
      {
        id: 'state',
        title: t('column.state'),
        width: 110,
        cell: ({ state }) => <StateBadge quiet tone={stateTones[state]} label={t(`states.${state}`)} />,
      },
      { id: 'mitigations', title: t('column.mitigations'), width: 150, cell: (report) => words.mitigations(report) },
      { id: 'status', title: t('column.status'), width: 120, hiddenAtFirst: 'narrow', cell: ({ status }) => t(`status.${status}`) },
      {
        id: 'assignee',
        title: t('column.assignee'),
        width: 130,
        cell: ({ assignee }) => <bdi className="cut block shrink">{assignee?.name ?? '—'}</bdi>,
      },
      { id: 'due', title: t('column.due'), width: 110, cell: (report) => <Due report={report} /> },
      {
        id: 'account',
        title: t('column.account'),
        width: 150,
        hiddenAtFirst: 'narrow',
        cell: ({ account }) => <bdi className="cut block shrink">{account.name}</bdi>,
      },
    ],
    [t, words],
  )
}

/** The due date, marked when it has passed. */
export function Due({ report }: { report: Report }) {
  const { t } = useTranslation('abuse-reports')
  if (report.dueOn === null) return '—'
  // Noon is on the same day in every time zone.
  const date = formatDate(`${report.dueOn}T12:00`)
  return isOverdue(report) ? (
    <strong title={t('overdue')}>
      {date} · {t('overdue')}
    </strong>
  ) : (
    date
  )
}
