import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DnsRecord } from '#shared/features/domains/records/schema.ts'
import type { DataColumn } from '#client/ui/table/data-table.types.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { ProxyToggle, useProxyWords } from './proxy-toggle.tsx'
import { RecordName } from './record-card.tsx'
import { useTtlWords } from './use-ttl-words.ts'
import classes from './records.module.css'

/** Bidirectional control characters are written out, so that the displayed value is not misleading. */
const withoutTurns = (text: string): string =>
  text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`)

/** `onProxy` must be a stable function, so that a change elsewhere re-renders no row. */
export function useRecordColumns(
  zone: { name: string; title: string },
  busy: ReadonlySet<string>,
  /** Why changes are disabled. */
  locked: string | null,
  onProxy: (record: DnsRecord) => void,
): readonly DataColumn<DnsRecord>[] {
  const { t } = useTranslation('records')
  const ttlWords = useTtlWords()
  const proxyWords = useProxyWords()
  const { name, title } = zone
  return useMemo(
    () => [
      {
        id: 'type',
        title: t('column.type'),
        width: 84,
        minWidth: 76,
        hideable: false,
        sortKey: 'type',
        pinned: true,
        cell: (record) => <span className={classes['type']}>{record.type}</span>,
      },
      {
        id: 'name',
        title: t('column.name'),
        width: 200,
        minWidth: 120,
        hideable: false,
        sortKey: 'name',
        pinned: true,
        cell: (record) => <RecordName name={record.name} zoneName={name} zoneTitle={title} />,
      },
      {
        id: 'content',
        title: t('column.content'),
        width: 210,
        minWidth: 140,
        grow: true,
        hideable: false,
        sortKey: 'content',
        cell: (record) => (
          <bdi className={classes['content']} title={record.content} dir="ltr">
            {withoutTurns(record.content)}
          </bdi>
        ),
      },
      {
        id: 'proxied',
        title: t('column.proxied'),
        width: 130,
        minWidth: 110,
        sortKey: 'proxied',
        cell: (record) => <ProxyToggle record={record} words={proxyWords} busy={busy.has(record.id)} locked={locked} onToggle={onProxy} />,
      },
      { id: 'ttl', title: t('column.ttl'), width: 76, sortKey: 'ttl', hiddenAtFirst: 'narrow', cell: (record) => ttlWords(record.ttl) },
      {
        id: 'priority',
        title: t('column.priority'),
        width: 96,
        align: 'end',
        sortKey: 'priority',
        cell: (record) => record.priority,
      },
      {
        id: 'comment',
        title: t('column.comment'),
        width: 200,
        hiddenAtFirst: 'narrow',
        grow: true,
        sortKey: 'comment',
        cell: (record) =>
          record.comment === null ? null : (
            <bdi className="cut block shrink muted" title={record.comment}>
              {record.comment}
            </bdi>
          ),
      },
      {
        id: 'modified',
        title: t('column.modified'),
        width: 130,
        hiddenAtFirst: true,
        sortKey: 'modified',
        cell: (record) => (record.modifiedAt === null ? null : <RelativeTime at={record.modifiedAt} />),
      },
    ],
    [t, ttlWords, proxyWords, name, title, busy, locked, onProxy],
  )
}
